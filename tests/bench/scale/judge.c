/*
 * judge - judges a comparison that was never measured, and prints the processor time that took.
 *
 *   judge BENCHMARKS PAIRS
 *
 * Every third benchmark has ties, as those of a coarse clock do.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/unit/coin_draws.h"
#include "reporter/judge/judge.h"

#include "lib/base/banned.h"

static void must(bool good, const struct err *err)
{
	if (good)
		return;
	fprintf(stderr, "judge: %s\n", err->text);
	exit(1);
}

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double sample(struct coin *coin, bool coarse)
{
	double x = 1e6 * exp(0.02 * (coin_fraction(coin) - 0.5));

	return coarse ? 1e3 * floor(x / 1e3) : x;
}

static void add_metric(struct coin *coin, struct bench *b, const char *name, bool coarse, int pairs,
		       struct err *err)
{
	struct metric *m = bench_add_metric(b, name, "ns", BETTER_LOWER, err);

	must(m != NULL, err);
	for (int i = 0; i < pairs; i++)
		must(!samples_add(&m->samples, &m->n, sample(coin, coarse), err) &&
			     !samples_add(&m->baseline_samples, &m->n_baseline,
					  sample(coin, coarse), err),
		     err);
}

static void add_bench(struct coin *coin, struct summary *s, int number, int pairs, struct err *err)
{
	struct bench *b;
	char name[32];

	snprintf(name, sizeof(name), "b%d", number);
	b = summary_add_bench(s, name, err);
	must(b && !str_set(&b->gate, "cpu", err), err);
	b->status = BENCH_OK;
	b->threshold = 0.01;
	b->paired = true;
	add_metric(coin, b, "cpu", number % 3 == 2, pairs, err);
	add_metric(coin, b, "wall", false, pairs, err);
}

int main(int argc, char **argv)
{
	static const struct history none = HISTORY_INIT;
	struct err err = ERR_INIT;
	struct summary s;
	struct coin coin;
	double began;

	if (argc != 3) {
		fprintf(stderr, "usage: judge BENCHMARKS PAIRS\n");
		return 2;
	}
	summary_init(&s);
	s.settings.confidence = 0.95;
	coin_init(&coin, 1);
	for (int i = 0; i < (int)strtol(argv[1], NULL, 10); i++)
		add_bench(&coin, &s, i, (int)strtol(argv[2], NULL, 10), &err);
	began = now_s();
	must(!judge(&s, &none, &err), &err);
	printf("%.6f\n", now_s() - began);
	summary_release(&s);
	return 0;
}
