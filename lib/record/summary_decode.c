/*
 * summary_decode - reads what summary_encode writes, from anybody, and trusts nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/record/ulid.h"
#include "lib/record/names.h"
#include "lib/record/reader.h"
#include "lib/record/summary_local.h"

#include "lib/base/banned.h"

#define MAX_WARNINGS 64
#define MAX_PARENTS 64
/* What is read may take twice the document's bytes, and so much more. */
#define FREE_ROOM (8u << 20)
#define MALLOC_BYTES 64

static void read_commit(struct reader *r, const struct jtree *root, struct commit_tag *c)
{
	const struct jtree *o = reader_object(r, root, "commit", NEED);
	size_t i, outer = reader_enter(r, "commit");

	reader_string(r, o, "id", MAY, 64, &c->id);
	summary_check_hex(r, c->id, "id");
	reader_strings(r, o, "parents", NEED, MAX_PARENTS, 64, &c->parents);
	for (i = 0; i < c->parents.n; i++)
		summary_check_hex(r, c->parents.v[i], "parents");
	reader_string(r, o, "tree", MAY, 64, &c->tree);
	summary_check_hex(r, c->tree, "tree");
	reader_string(r, o, "branch", MAY, SUMMARY_MAX_TEXT, &c->branch);
	reader_string(r, o, "subject", MAY, SUMMARY_MAX_TEXT, &c->subject);
	reader_time(r, o, "author_time", &c->author_time_us);
	reader_time(r, o, "commit_time", &c->commit_time_us);
	reader_bool(r, o, "dirty", NEED, &c->dirty);
	reader_bool(r, o, "truncated", MAY, &c->truncated);
	reader_leave(r, outer);
}

static void read_machine(struct reader *r, const struct jtree *root, struct machine *m)
{
	const struct jtree *o = reader_object(r, root, "machine", NEED);
	size_t outer = reader_enter(r, "machine");
	int64_t cores = 0;

	reader_string(r, o, "id", NEED, 64, &m->id);
	summary_check_not_empty(r, m->id, "id");
	reader_string(r, o, "cpu", MAY, SUMMARY_MAX_TEXT, &m->cpu);
	reader_integer(r, o, "cores", MAY, 0, 1 << 20, &cores);
	m->cores = (int)cores;
	reader_string(r, o, "os", MAY, SUMMARY_MAX_TEXT, &m->os);
	reader_string(r, o, "kernel", MAY, SUMMARY_MAX_TEXT, &m->kernel);
	reader_string(r, o, "governor", MAY, SUMMARY_MAX_TEXT, &m->governor);
	summary_read_facts(r, o, &m->more);
	reader_leave(r, outer);
}

static void read_environment(struct reader *r, const struct jtree *root, struct environment *e)
{
	const struct jtree *o = reader_object(r, root, "environment", NEED);
	size_t outer = reader_enter(r, "environment");

	reader_number(r, o, "load", MAY, &e->load);
	reader_number(r, o, "pressure", MAY, &e->pressure);
	reader_number(r, o, "steal", MAY, &e->steal);
	reader_strings(r, o, "warnings", NEED, MAX_WARNINGS, SUMMARY_MAX_TEXT, &e->warnings);
	reader_leave(r, outer);
}

/* At most 16 hex digits. */
static void read_key(struct reader *r, const struct jtree *o, const char *name, char **out)
{
	reader_string(r, o, name, MAY, 16, out);
	if (*out && strspn(*out, "0123456789abcdef") != strlen(*out))
		reader_fault(r, ERR_RANGE, name, "must be hex digits");
}

static void read_shard(struct reader *r, const struct jtree *settings, struct shard *s)
{
	const struct jtree *o = reader_object(r, settings, "shard", MAY);
	size_t outer = reader_enter(r, "shard");
	int64_t index = 0, count = 0, n_all = 0;

	if (o) {
		reader_integer(r, o, "count", NEED, 1, SUMMARY_MAX_SHARDS, &count);
		reader_integer(r, o, "index", NEED, 1, count ? count : 1, &index);
		reader_integer(r, o, "benchmarks", MAY, 0, SUMMARY_MAX_BENCHMARKS, &n_all);
		reader_string(r, o, "group", MAY, SUMMARY_MAX_NAME, &s->group);
		read_key(r, o, "split", &s->split);
		s->index = (int)index;
		s->count = (int)count;
		s->n_all = (int)n_all;
	}
	reader_leave(r, outer);
}

static void read_settings(struct reader *r, const struct jtree *root, struct settings *s)
{
	const struct jtree *o = reader_object(r, root, "settings", NEED);
	size_t outer = reader_enter(r, "settings");
	double low, high;
	int64_t ns = 0, seed = 0, budget = 0;

	summary_read_interval(r, o, "runs", &low, &high);
	if (!reader_failed(r) && !(low >= 1 && high <= 1000000))
		reader_fault(r, ERR_RANGE, "runs", "must be two counts");
	if (!reader_failed(r)) {
		s->runs_min = (int)low;
		s->runs_max = (int)high;
	}
	reader_integer(r, o, "min_time_ns", NEED, 0, INT64_MAX, &ns);
	s->min_time_ns = (uint64_t)ns;
	reader_string(r, o, "clock", MAY, SUMMARY_MAX_NAME, &s->clock);
	reader_number(r, o, "confidence", NEED, &s->confidence);
	if (!reader_failed(r) && !(s->confidence > 0 && s->confidence < 1))
		reader_fault(r, ERR_RANGE, "confidence", "must lie between 0 and 1");
	reader_number(r, o, "threshold", NEED, &s->threshold);
	if (!reader_failed(r) && !(s->threshold >= 0))
		reader_fault(r, ERR_RANGE, "threshold", "must not be negative");
	reader_string(r, o, "order", MAY, SUMMARY_MAX_NAME, &s->order);
	reader_integer(r, o, "seed", MAY, 0, INT64_MAX, &seed);
	s->seed = (uint64_t)seed;
	reader_bool(r, o, "partial", MAY, &s->partial);
	reader_integer(r, o, "budget_ns", MAY, 0, INT64_MAX, &budget);
	s->budget_ns = (uint64_t)budget;
	reader_bool(r, o, "measured_identical", MAY, &s->measured_identical);
	read_shard(r, o, &s->shard);
	read_key(r, o, "build_key", &s->build_key);
	reader_bool(r, o, "lacks_parts", MAY, &s->lacks_parts);
	reader_strings(r, o, "asked", MAY, SUMMARY_MAX_BENCHMARKS, SUMMARY_MAX_NAME, &s->asked);
	reader_leave(r, outer);
}

static void read_baseline(struct reader *r, const struct jtree *root, struct baseline *b)
{
	const struct jtree *o = reader_object(r, root, "baseline", MAY);
	size_t outer = reader_enter(r, "baseline");

	if (o) {
		reader_string(r, o, "commit", MAY, 64, &b->commit);
		summary_check_hex(r, b->commit, "commit");
		reader_string(r, o, "how", MAY, SUMMARY_MAX_NAME, &b->how);
		reader_string(r, o, "why", MAY, SUMMARY_MAX_TEXT, &b->why);
	}
	reader_leave(r, outer);
}

static void read_sides(struct reader *r, const struct jtree *root, struct sides *s)
{
	const struct jtree *o = reader_object(r, root, "sides", MAY);
	size_t outer = reader_enter(r, "sides");

	if (o) {
		reader_string(r, o, "base", NEED, SUMMARY_MAX_TEXT, &s->base);
		summary_check_not_empty(r, s->base, "base");
		reader_string(r, o, "head", NEED, SUMMARY_MAX_TEXT, &s->head);
		summary_check_not_empty(r, s->head, "head");
	}
	reader_leave(r, outer);
}

static void read_unbuilt(struct reader *r, const struct jtree *root, struct unbuilt *u)
{
	const struct jtree *o = reader_object(r, root, "unbuilt", MAY);
	size_t outer = reader_enter(r, "unbuilt");

	if (o) {
		reader_string(r, o, "base", MAY, 64, &u->base);
		summary_check_hex(r, u->base, "base");
		reader_string(r, o, "head", MAY, 64, &u->head);
		summary_check_hex(r, u->head, "head");
	}
	reader_leave(r, outer);
}

static void read_imported(struct reader *r, const struct jtree *root, struct summary *s)
{
	const struct jtree *array = reader_array(r, root, "imported", MAY, SUMMARY_MAX_IMPORTED),
			   *o;
	size_t i, outer = reader_enter(r, "imported");

	for (i = 0, o = jtree_first(array); o; i++, o = jtree_after(array, o)) {
		size_t inner = reader_enter_item(r, i);
		const char *name = summary_read_name(r, o);
		struct imported_file *f = name ? summary_add_imported(s, name, r->err) : NULL;

		if (f) {
			reader_string(r, o, "format", NEED, SUMMARY_MAX_NAME, &f->format);
			summary_check_not_empty(r, f->format, "format");
			reader_string(r, o, "sha256", NEED, 64, &f->sha256);
			summary_check_hex(r, f->sha256, "sha256");
			summary_read_facts(r, o, &f->facts);
		} else {
			r->failed = true;
		}
		reader_leave(r, inner);
	}
	reader_leave(r, outer);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Two benchmarks of one name would be one series with two values: refused. */
static void check_unique(struct reader *r, const struct summary *s)
{
	const char **names;
	size_t i;

	if (reader_failed(r) || s->n_benchmarks < 2)
		return;
	names = malloc(s->n_benchmarks * sizeof(*names));
	if (!names) {
		reader_fault(r, ERR_NOMEM, NULL, "out of memory");
		return;
	}
	for (i = 0; i < s->n_benchmarks; i++)
		names[i] = s->benchmarks[i].name;
	qsort(names, s->n_benchmarks, sizeof(*names), compare_names);
	for (i = 1; i < s->n_benchmarks; i++)
		if (!strcmp(names[i - 1], names[i]))
			reader_fault(r, ERR_RANGE, "benchmarks", "hold one name twice");
	free(names);
}

/*
 * A metric of few characters takes hundreds of bytes once it is read; one that was measured takes
 * fewer than its samples have characters.
 */
static void take_room(struct reader *r, const struct bench *b)
{
	size_t bytes = sizeof(*b) + b->n_metrics * (2 * sizeof(*b->metrics) + MALLOC_BYTES) +
		       b->n_tracks * (2 * sizeof(*b->tracks) + MALLOC_BYTES) +
		       b->facts.n * 2 * MALLOC_BYTES;

	if (bytes > r->room)
		reader_fault(r, ERR_LIMIT, NULL, "has more empty entries than are accepted");
	r->room -= bytes < r->room ? bytes : r->room;
}

/* One benchmark; the reader is at its place. */
static void read_benchmark(struct reader *r, const struct jtree *o, struct summary *s)
{
	const char *name = summary_read_name(r, o);
	struct bench *b = name ? summary_add_bench(s, name, r->err) : NULL;

	if (b)
		summary_read_bench(r, o, b);
	else
		r->failed = true;
	if (b && !r->failed)
		take_room(r, b);
}

static void read_benchmarks(struct reader *r, const struct jtree *root, struct summary *s)
{
	const struct jtree *array = reader_array(r, root, "benchmarks", NEED,
						 SUMMARY_MAX_BENCHMARKS),
			   *o;
	size_t i, outer = reader_enter(r, "benchmarks");

	for (i = 0, o = jtree_first(array); o; i++, o = jtree_after(array, o)) {
		size_t inner = reader_enter_item(r, i);

		read_benchmark(r, o, s);
		reader_leave(r, inner);
		if (r->failed)
			break;
	}
	reader_leave(r, outer);
	check_unique(r, s);
}

static void read_schema(struct reader *r, const struct jtree *root)
{
	const char *schema;

	if (jtree_kind(root) != JTREE_OBJECT) {
		reader_fault(r, ERR_RANGE, NULL, "must be an object");
		return;
	}
	schema = jtree_text(jtree_get(root, "schema"));
	if (!schema)
		reader_fault(r, ERR_RANGE, "schema", "is missing");
	else if (!strncmp(schema, "pawl.summary/", 13) && strcmp(schema, SUMMARY_SCHEMA))
		reader_fault(r, ERR_NEWER, "schema", "is of another version than " SUMMARY_SCHEMA);
	else if (strcmp(schema, SUMMARY_SCHEMA))
		reader_fault(r, ERR_RANGE, "schema", "must be " SUMMARY_SCHEMA);
}

/* root: with all benchmarks in it, or with none and all of them read before. */
static void read_summary(struct reader *r, const struct jtree *root, struct summary *out)
{
	read_schema(r, root);
	reader_string(r, root, "id", NEED, 64, &out->id);
	if (out->id && !ulid_is_valid(out->id))
		reader_fault(r, ERR_RANGE, "id", "must be a ULID of 26 characters");
	reader_string(r, root, "project", NEED, SUMMARY_MAX_NAME, &out->project);
	summary_check_not_empty(r, out->project, "project");
	read_commit(r, root, &out->commit);
	read_machine(r, root, &out->machine);
	read_environment(r, root, &out->environment);
	read_settings(r, root, &out->settings);
	read_baseline(r, root, &out->baseline);
	read_sides(r, root, &out->sides);
	read_imported(r, root, out);
	summary_read_accepted(r, root, out);
	read_unbuilt(r, root, &out->unbuilt);
	reader_time(r, root, "started", &out->started_us);
	reader_time(r, root, "finished", &out->finished_us);
	reader_string(r, root, "pawl", MAY, SUMMARY_MAX_NAME, &out->pawl);
	read_benchmarks(r, root, out);
}

static size_t room_of(size_t n)
{
	return 2 * n + FREE_ROOM;
}

/* Of the document that is read. */
struct decoder {
	struct reader reader;
	struct summary *out;
};

/* Benchmark i, as soon as it is parsed. */
static int take_benchmark(void *arg, size_t i, const struct jtree *o, struct err *err)
{
	struct decoder *d = arg;
	size_t outer = reader_enter(&d->reader, "benchmarks");
	size_t inner = reader_enter_item(&d->reader, i);

	(void)err; /* the reader's */
	if (i >= SUMMARY_MAX_BENCHMARKS)
		reader_beyond(&d->reader, NULL, "is beyond", SUMMARY_MAX_BENCHMARKS, "benchmarks");
	else
		read_benchmark(&d->reader, o, d->out);
	reader_leave(&d->reader, inner);
	reader_leave(&d->reader, outer);
	return reader_failed(&d->reader) ? -1 : 0;
}

/* apart: the tree of one benchmark at a time; otherwise of all of them. */
static int decode(const char *json, size_t n, bool apart, struct summary *out, struct err *err)
{
	struct decoder d = { .out = out };
	const struct jtree_apart each = { "benchmarks", take_benchmark, &d };
	struct jtree *root;

	reader_init(&d.reader, err);
	d.reader.room = room_of(n);
	root = jtree_parse_apart(json, n, SUMMARY_MAX_TREE, SUMMARY_MAX_DEPTH, apart ? &each : NULL,
				 err);
	if (root)
		read_summary(&d.reader, root, out);
	jtree_free(root);
	if (root && !reader_failed(&d.reader))
		return 0;
	summary_release(out);
	return -1;
}

int summary_decode(const char *json, size_t n, struct summary *out, struct err *err)
{
	struct err fault = ERR_INIT, whole = ERR_INIT;
	int result;

	summary_init(out);
	if (n > SUMMARY_MAX_BYTES)
		return err_set(err, ERR_LIMIT, "document of %zu bytes, at most %u are accepted", n,
			       SUMMARY_MAX_BYTES);
	if (!decode(json, n, true, out, &fault))
		return 0;
	/* The whole document tells the line and column of what is wrong, and what comes first. */
	result = decode(json, n, false, out, &whole);
	if (result && err)
		*err = whole.code == ERR_LIMIT ? fault : whole;
	return result;
}
