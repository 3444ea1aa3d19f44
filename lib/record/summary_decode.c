/*
 * summary_decode - reads what summary_encode writes, from anybody, and trusts nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/record/ulid.h"
#include "lib/record/names.h"
#include "lib/record/reader/reader.h"
#include "lib/record/summary_local.h"

#include "lib/base/banned.h"

/* What is read may take twice the document's bytes, and so much more. */
#define FREE_ROOM (8u << 20)
#define MALLOC_BYTES 64
/* Values of one benchmark, or of all that is around them. */
#define MAX_VALUES (SUMMARY_MAX_TREE / 16)
/* Members of all objects that are open at once, those that are not known too: each is kept. */
#define MAX_KEYS 65536

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
		reader_fault_here(r, ERR_NOMEM, "out of memory");
		return;
	}
	for (i = 0; i < s->n_benchmarks; i++)
		names[i] = s->benchmarks[i].name;
	qsort(names, s->n_benchmarks, sizeof(*names), compare_names);
	for (i = 1; i < s->n_benchmarks; i++)
		if (!strcmp(names[i - 1], names[i]))
			reader_fault_here(r, ERR_RANGE, "hold one name twice");
	free(names);
}

/*
 * A metric of few characters takes hundreds of bytes once it is read; one that was measured takes
 * fewer than its samples have characters.
 */
static void take_room(struct reader *r, const struct bench *b)
{
	size_t bytes = sizeof(*b) + b->n_metrics * (2 * sizeof(*b->metrics) + MALLOC_BYTES) +
		       r->n_tracks * (2 * sizeof(*b->tracks) + MALLOC_BYTES) +
		       b->facts.n * 2 * MALLOC_BYTES;

	if (bytes > r->room)
		reader_fault_here(r, ERR_LIMIT, "has more empty entries than are accepted");
	r->room -= bytes < r->room ? bytes : r->room;
}

/* Each has as many values of its own as all that is around them. */
static void read_benchmark(struct reader *r, struct summary *s)
{
	size_t n = r->pull.n;
	struct bench *b = summary_add_bench(s, "", r->err);

	r->pull.n = 0;
	r->pull.within = "benchmarks";
	r->pull.element = reader_index(r);
	if (b)
		summary_read_bench(r, b);
	else
		r->failed = true;
	if (b && !r->failed)
		take_room(r, b);
	r->pull.n = n;
	r->pull.within = NULL;
}

static bool read_benchmarks(struct reader *r, struct summary *s)
{
	char text[80];

	if (!reader_array(r, SIZE_MAX))
		return false;
	while (reader_item(r)) {
		if (reader_index(r) < SUMMARY_MAX_BENCHMARKS) {
			read_benchmark(r, s);
			continue;
		}
		snprintf(text, sizeof(text), "is beyond %d benchmarks", SUMMARY_MAX_BENCHMARKS);
		reader_fault_here(r, ERR_LIMIT, text);
	}
	reader_leave(r);
	check_unique(r, s);
	return true;
}

/* Names it, unless it is no number that a version has. */
static void fault_version(struct reader *r, const char *version)
{
	size_t n = strspn(version, "0123456789.");
	char what[80];

	if (!n || n > 16 || version[n])
		snprintf(what, sizeof(what), "is of another version than " SUMMARY_SCHEMA);
	else
		snprintf(what, sizeof(what), "is of version %s; only " SUMMARY_SCHEMA " is read",
			 version);
	reader_fault(r, ERR_NEWER, "schema", what);
}

/* Before anything else: of another version all may be different. */
static void check_schema(struct reader *r)
{
	static const char family[] = "pawl.summary/";
	size_t n = sizeof(family) - 1;
	char *schema = reader_later_text(r, "schema");

	if (!schema)
		reader_need(r, false, "schema");
	else if (!strncmp(schema, family, n) && strcmp(schema, SUMMARY_SCHEMA))
		fault_version(r, schema + n);
	else if (strcmp(schema, SUMMARY_SCHEMA))
		reader_fault(r, ERR_RANGE, "schema", "must be " SUMMARY_SCHEMA);
	free(schema);
}

/* What has to be there. */
struct found {
	bool id, project, commit, machine, environment, settings, benchmarks, started, finished;
};

static bool is_present(struct reader *r)
{
	return reader_kind(r) != PULL_NULL;
}

/* One member of the document that is there whenever something was measured; false: another one. */
static bool read_main(struct reader *r, struct summary *out, struct found *f)
{
	if (reader_at(r, "benchmarks")) {
		f->benchmarks = read_benchmarks(r, out);
	} else if (reader_at(r, "id")) {
		f->id = reader_string(r, 64, &out->id);
		if (f->id && !ulid_is_valid(out->id))
			reader_fault_here(r, ERR_RANGE, "must be a ULID of 26 characters");
	} else if (reader_at(r, "project")) {
		f->project = reader_string(r, SUMMARY_MAX_NAME, &out->project);
		summary_check_not_empty(r, out->project, "project");
	} else if (reader_at(r, "commit")) {
		f->commit = is_present(r);
		summary_read_commit(r, &out->commit);
	} else if (reader_at(r, "machine")) {
		f->machine = is_present(r);
		summary_read_machine(r, &out->machine);
	} else if (reader_at(r, "environment")) {
		f->environment = is_present(r);
		summary_read_environment(r, &out->environment);
	} else if (reader_at(r, "settings")) {
		f->settings = is_present(r);
		summary_read_settings(r, &out->settings);
	} else {
		return false;
	}
	return true;
}

static void read_more(struct reader *r, struct summary *out, struct found *f)
{
	if (reader_at(r, "baseline"))
		summary_read_baseline(r, &out->baseline);
	else if (reader_at(r, "sides"))
		summary_read_sides(r, &out->sides);
	else if (reader_at(r, "imported"))
		summary_read_imported(r, out);
	else if (reader_at(r, "accepted"))
		summary_read_accepted(r, out);
	else if (reader_at(r, "unbuilt"))
		summary_read_unbuilt(r, &out->unbuilt);
	else if (reader_at(r, "started"))
		f->started = reader_time(r, &out->started_us);
	else if (reader_at(r, "finished"))
		f->finished = reader_time(r, &out->finished_us);
	else if (reader_at(r, "pawl"))
		reader_string(r, SUMMARY_MAX_NAME, &out->pawl);
}

static void read_summary(struct reader *r, struct summary *out)
{
	struct found f = { .id = false };

	if (!reader_object(r)) {
		reader_fault(r, ERR_RANGE, NULL, "must be an object");
		return;
	}
	check_schema(r);
	while (reader_next(r))
		if (!read_main(r, out, &f))
			read_more(r, out, &f);
	reader_need(r, f.id, "id");
	reader_need(r, f.project, "project");
	reader_need(r, f.commit, "commit");
	reader_need(r, f.machine, "machine");
	reader_need(r, f.environment, "environment");
	reader_need(r, f.settings, "settings");
	reader_need(r, f.started, "started");
	reader_need(r, f.finished, "finished");
	reader_need(r, f.benchmarks, "benchmarks");
	reader_leave(r);
}

static size_t room_of(size_t n)
{
	return 2 * n + FREE_ROOM;
}

static int decode(const char *json, size_t n, bool is_brief, struct summary *out, struct err *err)
{
	struct reader r;

	summary_init(out);
	if (n > SUMMARY_MAX_BYTES)
		return err_set(err, ERR_LIMIT, "document of %zu bytes, at most %u are accepted", n,
			       SUMMARY_MAX_BYTES);
	reader_open(&r, json, n, MAX_VALUES, SUMMARY_MAX_DEPTH, err);
	r.room = room_of(n);
	r.brief = is_brief ? &out->kept : NULL;
	r.pull.n = 1;
	r.pull.max_keys = MAX_KEYS;
	read_summary(&r, out);
	if (!reader_close(&r))
		return 0;
	summary_release(out);
	return -1;
}

int summary_decode(const char *json, size_t n, struct summary *out, struct err *err)
{
	return decode(json, n, false, out, err);
}

int summary_decode_brief(const char *json, size_t n, struct summary *out, struct err *err)
{
	return decode(json, n, true, out, err);
}
