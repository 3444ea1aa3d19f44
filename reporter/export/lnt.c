/*
 * LNT: a report of format 2 for its default suite, nts: all samples of the wall time in seconds (of
 * the gate where there is none) and the greatest memory.  Runs are ordered by the commit's time;
 * of two with one order LNT keeps one, so that a part from the commit's id follows.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/jsonw.h"
#include "lib/base/when.h"
#include "reporter/export/local.h"
#include "reporter/figures/cells.h"

#include "lib/base/banned.h"

/* "2026-11-20T10:00:00" */
static void add_date(struct jsonw *w, const char *key, int64_t us)
{
	char text[WHEN_ISO];

	when_iso(us, false, text);
	text[19] = '\0';
	jsonw_kstring(w, key, text);
}

static void add_samples(const struct bench *b, const char *key, const struct metric *m,
			double factor, struct jsonw *w)
{
	size_t i;

	if (!m || !export_has(b, m))
		return;
	jsonw_key(w, key);
	jsonw_array_flat(w);
	for (i = 0; i < m->n; i++)
		jsonw_number(w, m->samples[i] * factor);
	jsonw_array_end(w);
}

static void add_test(const struct bench *b, struct jsonw *w)
{
	const struct metric *time = bench_find_metric(b, "wall");

	if (!time && b->gate)
		time = bench_find_metric(b, b->gate);
	jsonw_object(w);
	jsonw_kstring(w, "name", b->name);
	if (time && cell_is_duration(time))
		add_samples(b, "execution_time", time, 1e-9, w);
	add_samples(b, "mem_bytes", bench_find_metric(b, "peak-rss"), 1, w);
	if (bench_has_failed(b))
		jsonw_kinteger(w, "execution_status", 1);
	if (b->binary_id)
		jsonw_kstring(w, "hash", b->binary_id);
	jsonw_object_end(w);
}

int export_lnt(const struct summary *s, bool is_first, struct buf *out, struct err *err)
{
	struct jsonw w;
	char order[48];
	size_t i;

	(void)is_first;
	snprintf(order, sizeof(order), "%" PRId64 ".%lu", s->commit.commit_time_us / 1000000,
		 export_place(s));
	jsonw_init(&w, out, 2);
	jsonw_object(&w);
	jsonw_kstring(&w, "format_version", "2");
	jsonw_key(&w, "machine");
	jsonw_object(&w);
	jsonw_kstring(&w, "name", s->machine.id);
	jsonw_kstring(&w, "hardware", s->machine.cpu ? s->machine.cpu : "");
	jsonw_kstring(&w, "os", s->machine.os ? s->machine.os : "");
	jsonw_object_end(&w);
	jsonw_key(&w, "run");
	jsonw_object(&w);
	add_date(&w, "start_time", s->started_us);
	add_date(&w, "end_time", s->finished_us);
	jsonw_kstring(&w, "llvm_project_revision", order);
	jsonw_kstring(&w, "git_sha", s->commit.id);
	jsonw_kstring(&w, "project", s->project);
	jsonw_object_end(&w);
	jsonw_key(&w, "tests");
	jsonw_array(&w);
	for (i = 0; i < s->n_benchmarks; i++)
		if (s->benchmarks[i].status != BENCH_REMOVED &&
		    s->benchmarks[i].status != BENCH_SKIPPED)
			add_test(&s->benchmarks[i], &w);
	jsonw_array_end(&w);
	jsonw_object_end(&w);
	buf_addc(out, '\n');
	return buf_check(out, err);
}
