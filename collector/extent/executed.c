#include "collector/extent/executed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/child/named.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define MAGIC "pawl executed 8\n"
#define HEAD (sizeof(MAGIC) - 1 + DIGEST_HEX) /* with the digest of the rest, a line */
#define FILE_MAX ((size_t)16 << 20)
#define NAME_DIGITS 16

/* The functions of a program by address, each address once. */
struct entries {
	uint64_t *v, *ends;
	bool *hit;
	size_t n;
};

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static const uint64_t *entry_of(const struct entries *e, uint64_t address)
{
	return bsearch(&address, e->v, e->n, sizeof(address), by_address);
}

static int entries_of(const struct parts *p, struct entries *out, struct err *err)
{
	size_t i, n = 0;

	out->v = calloc(p->n + 1, sizeof(*out->v));
	out->ends = calloc(p->n + 1, sizeof(*out->ends));
	out->hit = calloc(p->n + 1, sizeof(*out->hit));
	if (!out->v || !out->ends || !out->hit)
		return err_nomem(err);
	for (i = 0; i < p->n; i++)
		if (p->v[i].kind == PART_FUNCTION)
			out->v[n++] = p->v[i].address;
	qsort(out->v, n, sizeof(*out->v), by_address);
	for (i = 0; i < n; i++)
		if (!out->n || out->v[i] != out->v[out->n - 1])
			out->v[out->n++] = out->v[i];
	for (i = 0; i < p->n; i++) {
		const uint64_t *at =
			p->v[i].kind == PART_FUNCTION ? entry_of(out, p->v[i].address) : NULL;

		if (at && out->ends[at - out->v] < *at + p->v[i].size)
			out->ends[at - out->v] = *at + p->v[i].size;
	}
	return 0;
}

static void entries_release(struct entries *e)
{
	free(e->v);
	free(e->ends);
	free(e->hit);
}

char *executed_path(const char *folder, const struct strv *key, struct err *err)
{
	struct digest d = DIGEST_INIT;
	struct buf path = BUF_INIT;
	char hex[DIGEST_HEX], *result = NULL;
	size_t i;

	if (digest_begin(&d, err))
		return NULL;
	for (i = 0; i < key->n; i++)
		digest_adds(&d, key->v[i]);
	if (!digest_end(&d, hex, err)) {
		buf_addf(&path, "%s/executed-%.*s", folder, NAME_DIGITS, hex);
		if (!buf_check(&path, err))
			result = buf_detach(&path);
	}
	buf_release(&path);
	return result;
}

void executed_release(struct executed *e)
{
	strv_release(&e->files);
	strv_release(&e->asked);
	strv_release(&e->outside);
}

/* ---- what is kept --------------------------------------------------------------------------- */

/*
 * Lines: "ADDRESS" of each function, " FILE" of each file, "?FILE" of each that it asks for,
 * "=STATE FILE" of each elsewhere.
 */

/* A function that damage took from it would be one that is not executed. */
static bool is_whole(const struct buf *text)
{
	char sum[DIGEST_HEX];

	return text->len >= HEAD && strlen(text->data) == text->len &&
	       str_starts(text->data, MAGIC) && text->data[HEAD - 1] == '\n' &&
	       !digest_of(text->data + HEAD, text->len - HEAD, sum, NULL) &&
	       !strncmp(text->data + sizeof(MAGIC) - 1, sum, DIGEST_HEX - 1);
}

static bool take_line(char *line, const struct entries *e, struct executed *out)
{
	char *end;
	uint64_t address;
	const uint64_t *found;

	if (*line == ' ')
		return !strv_add(&out->files, line + 1, NULL);
	if (*line == '?')
		return !strv_add(&out->asked, line + 1, NULL);
	if (*line == '=')
		return named_is_as_it_was(line + 1) && !strv_add(&out->outside, line + 1, NULL);
	address = strtoull(line, &end, 16);
	found = entry_of(e, address);
	if (!found || *end)
		return false;
	e->hit[found - e->v] = true;
	return true;
}

/* false: nothing was kept, or it is of something else. */
static bool load(const char *path, const struct entries *e, struct executed *out)
{
	struct buf text = BUF_INIT;
	char *line, *rest;
	bool good = !file_read_whole(path, FILE_MAX, &text, NULL) && is_whole(&text);

	line = good ? strtok_r(text.data + HEAD, "\n", &rest) : NULL;
	for (; good && line; line = strtok_r(NULL, "\n", &rest))
		good = take_line(line, e, out);
	if (!good) {
		if (e->n)
			memset(e->hit, 0, e->n * sizeof(*e->hit));
		strv_cut(&out->files, 0);
		strv_cut(&out->asked, 0);
		strv_cut(&out->outside, 0);
	}
	buf_release(&text);
	return good;
}

/* Each in a line of its own; false: a name has more than one. */
static bool add_files(const struct strv *files, char mark, struct buf *out)
{
	size_t i;

	for (i = 0; i < files->n; i++) {
		if (strchr(files->v[i], '\n'))
			return false;
		buf_addf(out, "%c%s\n", mark, files->v[i]);
	}
	return true;
}

/* Where it cannot be kept, it is recorded again the next time. */
static void keep(const char *path, const struct entries *e, const struct executed *known)
{
	struct buf text = BUF_INIT, all = BUF_INIT;
	char sum[DIGEST_HEX];
	bool good = !known->is_fleeting;
	size_t i;

	for (i = 0; i < known->outside.n; i++)
		buf_addf(&text, "=%s\n", known->outside.v[i]);
	for (i = 0; i < e->n; i++)
		if (e->hit[i])
			buf_addf(&text, "%" PRIx64 "\n", e->v[i]);
	good = good && add_files(&known->files, ' ', &text) && add_files(&known->asked, '?', &text);
	if (good && !buf_check(&text, NULL) && !digest_of(buf_str(&text), text.len, sum, NULL)) {
		buf_addf(&all, MAGIC "%s\n%s", sum, buf_str(&text));
		if (!buf_check(&all, NULL))
			file_write_whole(path, all.data, all.len, 0600, NULL);
	}
	buf_release(&text);
	buf_release(&all);
}

/* ---- what is recorded ----------------------------------------------------------------------- */

/* One that only one of the runs entered, by its name. */
static int tell_other(const struct parts *p, const struct entries *e, const bool *again,
		      struct err *err)
{
	const uint64_t *found;
	size_t i;

	for (i = 0; i < p->n; i++) {
		found = entry_of(e, p->v[i].address);
		if (found && e->hit[found - e->v] != again[found - e->v])
			break;
	}
	return err_set(err, ERR_ABSENT, "each run executes other functions ('%s')",
		       i < p->n ? p->v[i].name : "?");
}

/* Where it depends on clocks which functions run, all do. */
static void add_harness(const struct parts *p, const struct entries *e, bool *hit)
{
	const uint64_t *found;
	size_t i;

	for (i = 0; i < p->n; i++) {
		found = entry_of(e, p->v[i].address);
		if (p->v[i].is_harness && p->v[i].kind == PART_FUNCTION && found)
			hit[found - e->v] = true;
	}
}

/*
 * Who comes into a function elsewhere than at its entry is what is known to: its own far part, or
 * a place that a table or a jump names.  Else nobody knows what else is come into so.
 */
static int check_inside(const struct parts *p, const struct entries *e, const bool *inside,
			struct err *err)
{
	bool *marked = calloc(p->n + 1, sizeof(*marked));
	const uint64_t *found;
	int result = -1;
	size_t i;

	if (!marked)
		return err_nomem(err);
	for (i = 0; i < p->n; i++) {
		found = p->v[i].kind == PART_FUNCTION ? entry_of(e, p->v[i].address) : NULL;
		marked[i] = p->v[i].always || (found && e->hit[found - e->v]);
	}
	if (parts_close_over(p, marked, err))
		goto out;
	for (i = 0; i < p->n; i++) {
		found = p->v[i].kind == PART_FUNCTION ? entry_of(e, p->v[i].address) : NULL;
		if (found && inside[found - e->v] && !marked[i]) {
			err_set(err, ERR_ABSENT, "it comes into '%s' elsewhere than at its entry",
				p->v[i].name);
			goto out;
		}
	}
	result = 0;
out:
	free(marked);
	return result;
}

int executed_take_asked(const struct named_files *named, const char *tree, struct executed *out,
			struct err *err)
{
	struct named_files elsewhere = NAMED_FILES_INIT;
	size_t i;
	int result = 0;

	if (named->is_full)
		return err_set(err, ERR_ABSENT, "it asks for more files than can be seen");
	for (i = 0; !result && i < named->paths.n; i++) {
		const char *path = named->paths.v[i], *below = tree ? str_below(path, tree) : NULL;

		result = below ? strv_add(&out->asked, below, err)
			       : strv_add(&elsewhere.paths, path, err);
	}
	if (!result)
		result = named_files_states(&elsewhere, &out->outside, err);
	named_files_release(&elsewhere);
	return result;
}

/* Once more; it must come out the same. */
static int record_twice(const struct executed_way *way, const struct parts *p,
			const struct entries *e, struct executed *out, struct err *err)
{
	struct named_files asked = NAMED_FILES_INIT;
	struct record_request rq = { .entries = e->v, .n = e->n, .start = p->entry };
	struct record_request same = rq;
	bool *again = calloc(e->n + 1, sizeof(*again)), *inside = calloc(e->n + 1, sizeof(*again));
	int result = -1;

	if (!again || !inside) {
		err_nomem(err);
		goto out;
	}
	asked.everywhere = way->tree != NULL;
	rq.named = same.named = &asked;
	same.passed = e->hit;
	same.ends = e->ends;
	same.inside = inside;
	if (way->run(way->ctx, false, &rq, e->hit, err) ||
	    way->run(way->ctx, true, &same, again, err) ||
	    executed_take_asked(&asked, way->tree, out, err))
		goto out;
	if (asked.is_of_image || !asked.n_told) {
		err_set(err, ERR_ABSENT,
			asked.n_told ? "it looks at how it lies in memory"
				     : "it is not seen which files it asks for");
		goto out;
	}
	out->is_fleeting = asked.is_more;
	add_harness(p, e, e->hit);
	add_harness(p, e, again);
	result = memcmp(again, e->hit, e->n * sizeof(*again)) ? tell_other(p, e, again, err)
							      : check_inside(p, e, inside, err);
out:
	named_files_release(&asked);
	free(again);
	free(inside);
	return result;
}

static int find(const char *path, const struct executed_way *way, const struct parts *p,
		const struct entries *e, struct executed *out, struct err *err)
{
	struct err fault = ERR_INIT;

	if (load(path, e, out))
		return 0;
	if (!record_twice(way, p, e, out, &fault) && !way->files(way->ctx, &out->files, &fault)) {
		keep(path, e, out);
		return 0;
	}
	if (fault.code == ERR_CHILD || fault.code == ERR_REFUSED || fault.code == ERR_IO)
		fault.code = ERR_ABSENT;
	*err = fault;
	return -1;
}

int executed_find(const char *path, const struct executed_way *way, const struct parts *p,
		  struct executed *out, struct err *err)
{
	struct entries e = { NULL, NULL, NULL, 0 };
	const uint64_t *found;
	size_t i;
	int result = -1;

	if (entries_of(p, &e, err))
		goto out;
	result = find(path, way, p, &e, out, err);
	for (i = 0; !result && i < p->n; i++) {
		found = entry_of(&e, p->v[i].address);
		out->runs[i] = p->v[i].kind == PART_FUNCTION && found && e.hit[found - e.v];
	}
out:
	entries_release(&e);
	return result;
}

bool executed_kept_files(const char *path, struct executed *out)
{
	const struct entries none = { NULL, NULL, NULL, 0 };

	return load(path, &none, out);
}

void executed_keep(const char *path, const struct parts *p, const struct executed *known)
{
	struct entries e = { NULL, NULL, NULL, 0 };
	const uint64_t *found;
	size_t i;

	if (!entries_of(p, &e, NULL)) {
		for (i = 0; i < p->n; i++) {
			found = entry_of(&e, p->v[i].address);
			if (known->runs[i] && found)
				e.hit[found - e.v] = true;
		}
		keep(path, &e, known);
	}
	entries_release(&e);
}
