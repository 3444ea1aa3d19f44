/*
 * history - fills a store with results that were never measured, so that a history is the same on
 * every machine.
 *
 *   history STORE PROJECT MACHINE SEED [BENCHMARKS] < LINES
 *
 * Each line: COMMIT BASE KIND PERMILLE TIME SUBJECT.  KIND is paired, identical, stored, dirty,
 * failed, kernel (paired, after a new kernel) or accepted; PERMILLE is what the commit does to the
 * time; BASE is "-" for none.  Levels drift by percents from line to line, as sessions do.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/coin_draws.h"

#include "lib/record/ulid.h"
#include "lib/stats/dist.h"
#include "lib/store/local/store.h"
#include "reporter/judge/judge.h"

#include "lib/base/banned.h"

enum { PAIRS = 20 };

struct input {
	char commit[80], base[80], kind[16], subject[256];
	double permille;
	int64_t time_s;
};

struct world {
	struct coin coin;
	double work, drift; /* logs */
	int kernel;
};

static double normal(struct world *w)
{
	return normal_quantile(coin_fraction(&w->coin));
}

static void must(int result, const struct err *err)
{
	if (!result)
		return;
	fprintf(stderr, "history: %s\n", err->text);
	exit(1);
}

static bool is(const struct input *in, const char *kind)
{
	return !strcmp(in->kind, kind);
}

static void add_runs(struct world *w, const struct input *in, struct bench *b, struct err *err)
{
	struct metric *m = bench_add_metric(b, "cpu", "ns", BETTER_LOWER, err);
	double before = w->work - log1p(in->permille / 1000);
	struct track *alu = bench_add_track(b, "anchor-alu", err);
	struct track *mix;
	int i;

	must(!m || !alu ? -1 : 0, err);
	mix = bench_add_track(b, "anchor-malloc", err);
	must(mix ? 0 : -1, err);
	alu = &b->tracks[0];
	for (i = 0; i < PAIRS; i++) {
		double now = w->drift + 0.002 * normal(w);

		must(samples_add(&m->samples, &m->n, 1e6 * exp(w->work + now + 0.003 * normal(w)),
				 err),
		     err);
		if (b->paired)
			must(samples_add(&m->baseline_samples, &m->n_baseline,
					 1e6 * exp(before + now + 0.003 * normal(w)), err),
			     err);
		must(samples_add(&alu->head, &alu->n_head, 5e5 * exp(now), err), err);
		must(samples_add(&mix->head, &mix->n_head, 5e5 * exp(now), err), err);
	}
}

static void add_bench(struct world *w, const struct input *in, int number, struct summary *s,
		      struct err *err)
{
	bool alone = !strcmp(in->base, "-");
	struct bench *b;
	char name[32];

	snprintf(name, sizeof(name), number ? "list/%d" : "list", number);
	b = summary_add_bench(s, name, err);
	must(b ? 0 : -1, err);
	must(str_set(&b->gate, "cpu", err) || str_set(&b->format, "command", err), err);
	b->threshold = 0.01;
	b->iterations = 1;
	if (is(in, "failed")) {
		b->status = BENCH_FAILED;
		return;
	}
	b->status = BENCH_OK;
	if (is(in, "identical")) {
		must(str_set(&b->baseline_how, "identical", err), err);
		must(str_set(&b->binary_id,
			     "0123456789012345678901234567890123456789012345678901234"
			     "567890123",
			     err),
		     err);
		must(str_set(&b->base_binary_id, b->binary_id, err), err);
		return;
	}
	b->paired = !alone && !is(in, "stored");
	if (is(in, "accepted"))
		must(str_set(&b->accepted.commit, in->commit, err) ||
			     str_set(&b->accepted.because, "it is <right> now", err),
		     err);
	add_runs(w, in, b, err);
}

static void fill(struct world *w, const struct input *in, char **argv, int benchmarks,
		 struct summary *s, struct err *err)
{
	static const struct history none = HISTORY_INIT;
	char text[64];
	int i;

	summary_init(s);
	must(ulid_new(text, err), err);
	must(str_set(&s->id, text, err) || str_set(&s->project, argv[2], err) ||
		     str_set(&s->commit.id, in->commit, err) ||
		     str_set(&s->commit.subject, in->subject, err) ||
		     str_set(&s->machine.id, argv[3], err) ||
		     str_set(&s->machine.cpu, "some cpu", err),
	     err);
	snprintf(text, sizeof(text), "6.%d", w->kernel);
	must(str_set(&s->machine.kernel, text, err), err);
	s->commit.author_time_us = s->commit.commit_time_us = in->time_s * 1000000;
	s->commit.dirty = is(in, "dirty");
	s->settings.runs_min = s->settings.runs_max = PAIRS;
	s->settings.confidence = 0.95;
	s->settings.threshold = 0.01;
	if (strcmp(in->base, "-"))
		must(str_set(&s->baseline.commit, in->base, err) ||
			     str_set(&s->baseline.how,
				     is(in, "stored")	   ? "stored"
				     : is(in, "identical") ? "identical"
							   : "rerun",
				     err),
		     err);
	s->started_us = s->finished_us = in->time_s * 1000000;
	for (i = 0; i < benchmarks; i++)
		add_bench(w, in, i, s, err);
	must(judge(s, &none, err), err);
}

static bool read_line(struct input *out)
{
	char line[1024];

	if (!fgets(line, sizeof(line), stdin))
		return false;
	memset(out, 0, sizeof(*out));
	if (sscanf(line, "%79s %79s %15s %lf %" SCNd64 " %255[^\n]", out->commit, out->base,
		   out->kind, &out->permille, &out->time_s, out->subject) < 5) {
		fprintf(stderr, "history: no line: %s", line);
		exit(2);
	}
	return true;
}

int main(int argc, char **argv)
{
	int benchmarks = argc > 5 ? (int)strtol(argv[5], NULL, 10) : 1;
	struct err err = ERR_INIT;
	struct store *store = NULL;
	struct world w = { .drift = 0 };
	struct input in;
	struct summary s;

	if (argc < 5)
		return 2;
	coin_init(&w.coin, strtoull(argv[4], NULL, 10));
	must(store_open(argv[1], STORE_WRITE, &store, &err), &err);
	while (read_line(&in)) {
		w.drift = 0.8 * w.drift + 0.01 * normal(&w);
		w.work += log1p(in.permille / 1000);
		w.kernel += is(&in, "kernel");
		fill(&w, &in, argv, benchmarks, &s, &err);
		must(store_add(store, &s, false, NULL, &err), &err);
		summary_release(&s);
	}
	store_close(store);
	return 0;
}
