#include "server/others/readers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/when.h"
#include "lib/foreign/better.h"
#include "lib/record/summary.h"

#include "lib/base/banned.h"

#define MOST_TIME 64 /* characters of a date */

void told_list_release(struct told_list *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		told_release(&l->v[i]);
	free(l->v);
	*l = (struct told_list){ .n = 0 };
}

/* The one to which such a result belongs, made when it is new; NULL with ERR_NOMEM, ERR_LIMIT. */
static struct told *find_told(struct told_list *l, const struct told *like, struct err *err)
{
	struct told *more;
	size_t i;

	for (i = 0; i < l->n; i++)
		if (!strcmp(l->v[i].project, like->project) &&
		    !strcmp(l->v[i].revision, like->revision) &&
		    !strcmp(l->v[i].branch, like->branch) &&
		    !strcmp(l->v[i].machine, like->machine) && l->v[i].when_us == like->when_us)
			return &l->v[i];
	if (l->n == READERS_MOST) {
		err_set(err, ERR_LIMIT, "results of more than %d revisions at once", READERS_MOST);
		return NULL;
	}
	more = realloc(l->v, (l->n + 1) * sizeof(*more));
	if (!more) {
		err_nomem(err);
		return NULL;
	}
	l->v = more;
	more[l->n] = *like;
	return &more[l->n++];
}

static const char *text_of(const struct jtree *o, const char *key)
{
	const char *text = jtree_text(jtree_get(o, key));

	return text && *text ? text : NULL;
}

/* Appends the n characters, and steps over them. */
static void move(const char **at, size_t n, struct buf *out)
{
	n = strnlen(*at, n);
	buf_add(out, *at, n);
	*at += n;
}

/* "Z", "+01", "+0100", "+01:00"; nothing is UTC. */
static void add_zone(const char *at, struct buf *out)
{
	bool is_offset = *at == '+' || *at == '-';

	if (!*at)
		buf_addc(out, 'Z');
	move(&at, is_offset ? 3 : strlen(at), out);
	if (is_offset && *at != ':')
		buf_adds(out, *at ? ":" : ":00");
	buf_adds(out, at);
}

/*
 * "2026-11-20 10:00:00", also with a T, without a time or seconds, with parts of a second, with a
 * zone, a blank before that: what dates of Git, Mercurial and Python look like.
 */
static bool read_time(const char *text, int64_t *out_us)
{
	struct buf iso = BUF_INIT;
	bool is_time;

	move(&text, 10, &iso);
	if (!*text) {
		buf_adds(&iso, "T00:00:00Z");
	} else {
		buf_addc(&iso, *text == ' ' || *text == 'T' ? 'T' : '?');
		text++;
		move(&text, 5, &iso);
		if (*text != ':')
			buf_adds(&iso, ":00");
		move(&text, strcspn(text, " Z+-"), &iso);
		text += strspn(text, " ");
		add_zone(text, &iso);
	}
	is_time = !iso.failed && when_parse(buf_str(&iso), out_us);
	buf_release(&iso);
	return is_time;
}

/* *out is 0 where it is not said.  One that cannot be read is refused: taken for none it is now. */
static int time_of(const struct jtree *o, const char *key, int64_t *out, struct err *err)
{
	const struct jtree *v = jtree_get(o, key);
	const char *text = jtree_text(v);

	*out = 0;
	if (!v || jtree_kind(v) == JTREE_NULL || (text && !*text))
		return 0;
	if (text && strlen(text) < MOST_TIME && read_time(text, out))
		return 0;
	return err_set(err, ERR_RANGE, "'%s' must be a date such as 2026-11-20 10:00:00 +0100",
		       key);
}

/* ---- Codespeed -------------------------------------------------------------------------- */

static bool is_false(const struct jtree *v)
{
	const char *text = jtree_text(v);

	if (jtree_kind(v) == JTREE_BOOL)
		return !jtree_is_true(v);
	return text && (!strcmp(text, "False") || !strcmp(text, "false") || !strcmp(text, "0"));
}

static int codespeed_one(const struct jtree *o, struct told_list *out, struct err *err)
{
	static const char *const needed[] = { "commitid",  "project",	  "executable",
					      "benchmark", "environment", NULL };
	const char *branch = text_of(o, "branch");
	const char *units = text_of(o, "units");
	struct told like = { .by = "codespeed", .branch = branch ? branch : "master" };
	struct told_metric m = { .name = "result", .scale = 1 };
	struct told *t;
	size_t i;

	for (i = 0; needed[i]; i++)
		if (!text_of(o, needed[i]))
			return err_set(err, ERR_RANGE, "Key \"%s\" missing from request",
				       needed[i]);
	if (!jtree_get(o, "result_value"))
		return err_set(err, ERR_RANGE, "Key \"result_value\" missing from request");
	like.project = text_of(o, "project");
	like.revision = text_of(o, "commitid");
	like.machine = text_of(o, "environment");
	if (time_of(o, "revision_date", &like.when_us, err) ||
	    (!text_of(o, "revision_date") && time_of(o, "result_date", &like.when_us, err)))
		return -1;
	m.benchmark = text_of(o, "benchmark");
	m.inner = text_of(o, "executable");
	m.unit = units ? units : "seconds";
	m.higher = is_false(jtree_get(o, "lessisbetter"));
	m.values = jtree_get(o, "result_value");
	m.stddev = told_number(jtree_get(o, "std_dev"));
	m.min = told_number(jtree_get(o, "min"));
	m.max = told_number(jtree_get(o, "max"));
	t = find_told(out, &like, err);
	return t ? told_add(t, &m, err) : -1;
}

int codespeed_read(const struct jtree *root, struct told_list *out, struct err *err)
{
	const struct jtree *at;

	if (jtree_kind(root) == JTREE_OBJECT)
		return codespeed_one(root, out, err);
	if (jtree_kind(root) != JTREE_ARRAY || !jtree_first(root))
		return err_set(err, ERR_RANGE, "No data received");
	for (at = jtree_first(root); at; at = jtree_after(root, at))
		if (codespeed_one(at, out, err))
			return -1;
	return 0;
}

/* ---- LNT -------------------------------------------------------------------------------- */

/* LNT's own metrics; others have no unit. */
static const struct {
	const char *name, *unit;
	bool higher;
} metrics[] = {
	{ "execution_time", "s", false }, { "compile_time", "s", false },
	{ "mem_bytes", "bytes", false },  { "code_size", "bytes", false },
	{ "score", "1", true },
};

static bool is_value(const struct jtree *v)
{
	const struct jtree *first = jtree_kind(v) == JTREE_ARRAY ? jtree_first(v) : v;

	return first && jtree_kind(first) == JTREE_NUMBER;
}

static bool is_status(const char *key)
{
	size_t n = strlen(key);

	return n > 7 && !strcmp(key + n - 7, "_status");
}

static int lnt_test(const struct jtree *test, struct told *t, struct err *err)
{
	const char *name = text_of(test, "name");
	struct jtree_field f = { 0 };
	size_t i, n = 0;

	if (!name)
		return err_set(err, ERR_RANGE, "a test has no name");
	while (jtree_next(test, &f)) {
		struct told_metric m = { .benchmark = name,
					 .name = f.key,
					 .unit = "1",
					 .values = f.value,
					 .scale = 1,
					 .stddev = (double)NAN,
					 .min = (double)NAN,
					 .max = (double)NAN };

		if (!strcmp(f.key, "name") || !is_value(f.value) || is_status(f.key))
			continue;
		if (n++ == SUMMARY_MAX_METRICS)
			return err_set(err, ERR_LIMIT, "'%.80s' has more than %d metrics", name,
				       SUMMARY_MAX_METRICS);
		m.higher = foreign_better(f.key) == BETTER_HIGHER;
		for (i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
			if (!strcmp(metrics[i].name, f.key)) {
				m.unit = metrics[i].unit;
				m.higher = metrics[i].higher;
			}
		if (told_add(t, &m, err))
			return -1;
	}
	return 0;
}

/* The fields that suites order by, the usual one first. */
static const char *revision_of(const struct jtree *run)
{
	static const char *const keys[] = {
		"llvm_project_revision", "git_sha", "commit", "run_order", "revision", NULL
	};
	size_t i;

	for (i = 0; keys[i]; i++)
		if (text_of(run, keys[i]))
			return text_of(run, keys[i]);
	return NULL;
}

int lnt_read(const struct jtree *root, const char *project, struct told_list *out, struct err *err)
{
	const struct jtree *run = jtree_get(root, "run"), *tests = jtree_get(root, "tests"), *at;
	const char *version = text_of(root, "format_version");
	struct told like = { .by = "lnt", .branch = "main", .project = project }, *t;

	if (!version || strcmp(version, "2") != 0)
		return err_set(err, ERR_RANGE, "'format_version' must be \"2\"");
	like.machine = text_of(jtree_get(root, "machine"), "name");
	like.revision = revision_of(run);
	if (time_of(run, "start_time", &like.when_us, err))
		return -1;
	if (!like.machine)
		return err_set(err, ERR_RANGE, "machine.name is missing");
	if (!like.revision)
		return err_set(err, ERR_RANGE, "run.llvm_project_revision is missing");
	if (jtree_kind(tests) != JTREE_ARRAY)
		return err_set(err, ERR_RANGE, "tests must be an array");
	t = find_told(out, &like, err);
	for (at = jtree_first(tests); t && at; at = jtree_after(tests, at))
		if (lnt_test(at, t, err))
			return -1;
	return t ? 0 : -1;
}
