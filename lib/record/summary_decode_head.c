/*
 * summary_decode_head - the part of summary_decode that is about the commit, the machine and how
 * it was measured.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/record/reader/reader.h"
#include "lib/record/summary_local.h"

#include "lib/base/banned.h"

#define MAX_WARNINGS 64
#define MAX_PARENTS 64

void summary_read_commit(struct reader *r, struct commit_tag *c)
{
	bool parents = false, dirty = false, authored = false, committed = false;
	size_t i;

	if (!reader_object(r))
		return;
	while (reader_next(r)) {
		if (reader_at(r, "id"))
			summary_read_hex(r, "id", &c->id);
		else if (reader_at(r, "parents"))
			parents = reader_strings(r, MAX_PARENTS, 64, &c->parents);
		else if (reader_at(r, "tree"))
			summary_read_hex(r, "tree", &c->tree);
		else if (reader_at(r, "branch"))
			reader_string(r, SUMMARY_MAX_TEXT, &c->branch);
		else if (reader_at(r, "subject"))
			reader_string(r, SUMMARY_MAX_TEXT, &c->subject);
		else if (reader_at(r, "author_time"))
			authored = reader_time(r, &c->author_time_us);
		else if (reader_at(r, "commit_time"))
			committed = reader_time(r, &c->commit_time_us);
		else if (reader_at(r, "dirty"))
			dirty = reader_bool(r, &c->dirty);
		else if (reader_at(r, "truncated"))
			reader_bool(r, &c->truncated);
	}
	reader_need(r, parents, "parents");
	for (i = 0; i < c->parents.n; i++)
		summary_check_hex(r, c->parents.v[i], "parents");
	reader_need(r, authored, "author_time");
	reader_need(r, committed, "commit_time");
	reader_need(r, dirty, "dirty");
	reader_leave(r);
}

void summary_read_machine(struct reader *r, struct machine *m)
{
	int64_t cores = 0;

	if (!reader_object(r))
		return;
	while (reader_next(r)) {
		if (reader_at(r, "id"))
			reader_string(r, 64, &m->id);
		else if (reader_at(r, "cpu"))
			reader_string(r, SUMMARY_MAX_TEXT, &m->cpu);
		else if (reader_at(r, "cores"))
			reader_integer(r, 0, 1 << 20, &cores);
		else if (reader_at(r, "os"))
			reader_string(r, SUMMARY_MAX_TEXT, &m->os);
		else if (reader_at(r, "kernel"))
			reader_string(r, SUMMARY_MAX_TEXT, &m->kernel);
		else if (reader_at(r, "governor"))
			reader_string(r, SUMMARY_MAX_TEXT, &m->governor);
		else if (reader_at(r, "facts"))
			summary_read_facts(r, &m->more);
	}
	m->cores = (int)cores;
	reader_need(r, m->id, "id");
	summary_check_not_empty(r, m->id, "id");
	reader_leave(r);
}

void summary_read_environment(struct reader *r, struct environment *e)
{
	bool warnings = false;

	if (!reader_object(r))
		return;
	while (reader_next(r)) {
		if (reader_at(r, "load"))
			reader_number(r, &e->load);
		else if (reader_at(r, "pressure"))
			reader_number(r, &e->pressure);
		else if (reader_at(r, "steal"))
			reader_number(r, &e->steal);
		else if (reader_at(r, "warnings"))
			warnings = reader_strings(r, MAX_WARNINGS, SUMMARY_MAX_TEXT, &e->warnings);
	}
	reader_need(r, warnings, "warnings");
	reader_leave(r);
}

/* At most 16 hex digits. */
static void read_key(struct reader *r, char **out)
{
	if (reader_string(r, 16, out) && strspn(*out, "0123456789abcdef") != strlen(*out))
		reader_fault_here(r, ERR_RANGE, "must be hex digits");
}

static void read_shard(struct reader *r, struct shard *s)
{
	int64_t index = 0, count = 0, n_all = 0;
	bool has_index = false, has_count = false;

	if (!reader_object(r))
		return;
	while (reader_next(r)) {
		if (reader_at(r, "index"))
			has_index = reader_integer(r, 1, INT64_MAX, &index);
		else if (reader_at(r, "count"))
			has_count = reader_integer(r, 1, SUMMARY_MAX_SHARDS, &count);
		else if (reader_at(r, "benchmarks"))
			reader_integer(r, 0, SUMMARY_MAX_BENCHMARKS, &n_all);
		else if (reader_at(r, "group"))
			reader_string(r, SUMMARY_MAX_NAME, &s->group);
		else if (reader_at(r, "split"))
			read_key(r, &s->split);
	}
	reader_need(r, has_count, "count");
	reader_need(r, has_index, "index");
	if (index > count)
		reader_fault(r, ERR_RANGE, "index", "is out of range");
	s->index = (int)index;
	s->count = (int)count;
	s->n_all = (int)n_all;
	reader_leave(r);
}

static void read_runs(struct reader *r, struct settings *s)
{
	double low, high;

	summary_read_interval(r, &low, &high);
	if (reader_failed(r))
		return;
	if (!(low >= 1 && high <= 1000000)) {
		reader_fault_here(r, ERR_RANGE, "must be two counts");
		return;
	}
	s->runs_min = (int)low;
	s->runs_max = (int)high;
}

void summary_read_settings(struct reader *r, struct settings *s)
{
	bool runs = false, min_time = false, confidence = false, threshold = false;
	int64_t ns = 0, seed = 0, budget = 0;

	if (!reader_object(r))
		return;
	while (reader_next(r)) {
		if (reader_at(r, "runs")) {
			runs = true;
			read_runs(r, s);
		} else if (reader_at(r, "min_time_ns")) {
			min_time = reader_integer(r, 0, INT64_MAX, &ns);
		} else if (reader_at(r, "clock")) {
			reader_string(r, SUMMARY_MAX_NAME, &s->clock);
		} else if (reader_at(r, "confidence")) {
			confidence = reader_number(r, &s->confidence);
			if (confidence && !(s->confidence > 0 && s->confidence < 1))
				reader_fault_here(r, ERR_RANGE, "must lie between 0 and 1");
		} else if (reader_at(r, "threshold")) {
			threshold = reader_number(r, &s->threshold);
			if (threshold && !(s->threshold >= 0))
				reader_fault_here(r, ERR_RANGE, "must not be negative");
		} else if (reader_at(r, "order")) {
			reader_string(r, SUMMARY_MAX_NAME, &s->order);
		} else if (reader_at(r, "seed")) {
			reader_integer(r, 0, INT64_MAX, &seed);
		} else if (reader_at(r, "partial")) {
			reader_bool(r, &s->partial);
		} else if (reader_at(r, "budget_ns")) {
			reader_integer(r, 0, INT64_MAX, &budget);
		} else if (reader_at(r, "measured_identical")) {
			reader_bool(r, &s->measured_identical);
		} else if (reader_at(r, "shard")) {
			read_shard(r, &s->shard);
		} else if (reader_at(r, "build_key")) {
			read_key(r, &s->build_key);
		} else if (reader_at(r, "lacks_parts")) {
			reader_bool(r, &s->lacks_parts);
		} else if (reader_at(r, "asked")) {
			reader_strings(r, SUMMARY_MAX_BENCHMARKS, SUMMARY_MAX_NAME, &s->asked);
		}
	}
	if (!runs)
		reader_fault(r, ERR_RANGE, "runs", "must be two counts");
	s->min_time_ns = (uint64_t)ns;
	s->seed = (uint64_t)seed;
	s->budget_ns = (uint64_t)budget;
	reader_need(r, min_time, "min_time_ns");
	reader_need(r, confidence, "confidence");
	reader_need(r, threshold, "threshold");
	reader_leave(r);
}

void summary_read_baseline(struct reader *r, struct baseline *b)
{
	if (!reader_object(r))
		return;
	while (reader_next(r)) {
		if (reader_at(r, "commit"))
			summary_read_hex(r, "commit", &b->commit);
		else if (reader_at(r, "how"))
			reader_string(r, SUMMARY_MAX_NAME, &b->how);
		else if (reader_at(r, "why"))
			reader_string(r, SUMMARY_MAX_TEXT, &b->why);
	}
	reader_leave(r);
}

void summary_read_sides(struct reader *r, struct sides *s)
{
	if (!reader_object(r))
		return;
	while (reader_next(r)) {
		if (reader_at(r, "base"))
			reader_string(r, SUMMARY_MAX_TEXT, &s->base);
		else if (reader_at(r, "head"))
			reader_string(r, SUMMARY_MAX_TEXT, &s->head);
	}
	reader_need(r, s->base, "base");
	summary_check_not_empty(r, s->base, "base");
	reader_need(r, s->head, "head");
	summary_check_not_empty(r, s->head, "head");
	reader_leave(r);
}

void summary_read_unbuilt(struct reader *r, struct unbuilt *u)
{
	if (!reader_object(r))
		return;
	while (reader_next(r)) {
		if (reader_at(r, "base"))
			summary_read_hex(r, "base", &u->base);
		else if (reader_at(r, "head"))
			summary_read_hex(r, "head", &u->head);
	}
	reader_leave(r);
}

static void read_imported_file(struct reader *r, struct imported_file *f)
{
	char *name = NULL;

	if (!summary_read_item(r))
		return;
	while (reader_next(r)) {
		if (reader_at(r, "name"))
			summary_read_name(r, &name);
		else if (reader_at(r, "format"))
			reader_string(r, SUMMARY_MAX_NAME, &f->format);
		else if (reader_at(r, "sha256"))
			summary_read_hex(r, "sha256", &f->sha256);
		else if (reader_at(r, "facts"))
			summary_read_facts(r, &f->facts);
	}
	reader_need(r, name, "name");
	reader_need(r, f->format, "format");
	summary_check_not_empty(r, f->format, "format");
	reader_need(r, f->sha256, "sha256");
	if (name) {
		free(f->name);
		f->name = name;
	}
	reader_leave(r);
}

void summary_read_imported(struct reader *r, struct summary *s)
{
	if (!reader_array(r, SUMMARY_MAX_IMPORTED))
		return;
	while (reader_item(r)) {
		struct imported_file *f = summary_add_imported(s, "", r->err);

		if (f)
			read_imported_file(r, f);
		else
			r->failed = true;
	}
	reader_leave(r);
}
