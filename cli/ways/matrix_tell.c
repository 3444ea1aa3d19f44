#include "cli/ways/matrix_tell.h"

#include <string.h>

#include "collector/compare/way.h"
#include "lib/base/buf.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define MAKEFILE_MAX (1u << 20)

static bool is_same_code(const struct bench *b)
{
	return (b->baseline_how && !strcmp(b->baseline_how, "identical")) ||
	       (b->binary_id && b->base_binary_id && !strcmp(b->binary_id, b->base_binary_id));
}

static bool all_are_same_code(const struct summary *s)
{
	size_t i;

	for (i = 0; i < s->n_benchmarks; i++)
		if (!is_same_code(&s->benchmarks[i]))
			return false;
	return s->n_benchmarks > 0;
}

/* "NAME = ..." or ":=", not "?=" or "+=", which heed the environment. */
static bool assigns(const char *line, const char *name, size_t n)
{
	line += strspn(line, " ");
	if (strncmp(line, name, n) != 0)
		return false;
	line += n;
	line += strspn(line, " \t");
	line += strspn(line, ":");
	return *line == '=';
}

static bool file_sets(const char *top, const char *file, const char *name, size_t n, bool follow,
		      bool *out_found);

/* The files of a line "include a.mk b.mk". */
static bool included_sets(const char *top, const char *line, const char *name, size_t n)
{
	size_t length = strcspn(line, " \n"), end = strcspn(line, "\n#");
	bool sets = false, ignored;

	if ((strncmp(line, "include", 7) != 0 || length != 7) &&
	    (strncmp(line, "-include", 8) != 0 || length != 8))
		return false;
	while (!sets && length < end) {
		struct strv file = STRV_INIT;

		length += strspn(line + length, " \t");
		if (!strv_addf(&file, NULL, "%.*s", (int)strcspn(line + length, " \t\n#"),
			       line + length) &&
		    *file.v[0])
			sets = file_sets(top, file.v[0], name, n, false, &ignored);
		strv_release(&file);
		length += strcspn(line + length, " \t\n#");
	}
	return sets;
}

static bool file_sets(const char *top, const char *file, const char *name, size_t n, bool follow,
		      bool *out_found)
{
	struct buf path = BUF_INIT, text = BUF_INIT;
	const char *line;
	bool sets = false;

	buf_addf(&path, "%s/%s", top, file);
	*out_found = !buf_check(&path, NULL) &&
		     !file_read_whole(buf_str(&path), MAKEFILE_MAX, &text, NULL);
	for (line = buf_str(&text); *out_found && *line && !sets;) {
		sets = assigns(line, name, n) || (follow && included_sets(top, line, name, n));
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	buf_release(&path);
	buf_release(&text);
	return sets;
}

static bool makefile_sets(const char *top, const char *name, size_t n)
{
	static const char *const files[] = { "GNUmakefile", "makefile", "Makefile" };
	bool found = false, sets = false;
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]) && !found; i++)
		sets = file_sets(top, files[i], name, n, true, &found);
	return sets;
}

/* A build that gives it to make already: by its name, or as 'make -e'. */
static bool is_given(const char *build, const char *name, size_t n)
{
	const char *at = build ? strstr(build, name) : NULL;

	return build && (strstr(build, " -e") || (at && strlen(at) >= n));
}

int matrix_tell_overridden(const struct matrix *m, size_t i, const struct compare_request *rq,
			   struct summary *s, struct err *err)
{
	const struct strv *first = &m->rows[0], *row = &m->rows[i];
	const char *top = repo_top(rq->repo);
	size_t k;

	if (!top || !all_are_same_code(s))
		return 0;
	for (k = 0; k < row->n; k++) {
		const char *entry = row->v[k];
		int n = (int)strcspn(entry, "=");
		struct strv name = STRV_INIT;
		bool is;

		if (!strcmp(entry, first->v[k]) || !compare_way_builds(entry))
			continue;
		if (strv_addf(&name, err, "%.*s", n, entry))
			return -1;
		is = makefile_sets(top, name.v[0], (size_t)n) &&
		     !is_given(rq->config->build, name.v[0], (size_t)n);
		strv_release(&name);
		if (is)
			return strv_addf(&s->environment.warnings, err,
					 "%s built the same code as %s, as the Makefile sets %.*s "
					 "itself: let the matrix win by --build 'make -e'",
					 entry, first->v[k], n, entry);
	}
	return 0;
}
