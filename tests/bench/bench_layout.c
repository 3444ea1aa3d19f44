/*
 * bench_layout - what the placing of executables does to a delta (docs/decisions/0011-layout.md).
 *
 * bench_layout BASE HEAD BENCHMARK SESSIONS PAIRS: so many comparisons of two libpawl executables
 * in each way of placing them, the ways in turns; BENCHMARK "-": of two commands, run without
 * words.  One line a session, then one a way.
 */
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/machine/machine.h"
#include "collector/child/child.h"
#include "collector/machine/runlock.h"
#include "collector/run/runner.h"
#include "lib/base/file.h"
#include "lib/record/ulid.h"
#include "lib/base/when.h"
#include "lib/stats/coin.h"
#include "lib/stats/signedrank.h"

#include "lib/base/banned.h"

#define MOST_SESSIONS 200
#define MOST_PAIRS 200
#define RUN_NS 50000000u

static const struct way {
	const char *name;
	bool keep; /* one stage for all sessions */
	unsigned every;
	bool padding;
} ways[] = {
	{ "one copy for ever", true, 0, false }, { "one copy, padding", true, 0, true },
	{ "a copy a session", false, 0, false }, { "a copy every 5 pairs", false, 5, false },
	{ "every 5, padding", false, 5, true },	 { "every pair, padding", false, 1, true },
};
#define N_WAYS (sizeof(ways) / sizeof(ways[0]))

struct figures {
	double theta[MOST_SESSIONS], low[MOST_SESSIONS], high[MOST_SESSIONS];
};

static struct figures figures[N_WAYS];

static int die(const char *what, const struct err *err)
{
	fprintf(stderr, "bench_layout: %s: %s\n", what, err->text);
	return -1;
}

static int measure(struct process_runner *r, struct unit *u, size_t n_pairs, uint64_t seed,
		   struct signed_rank *out, struct err *err)
{
	struct runner runner = process_runner_of(r);
	double d[MOST_PAIRS];
	struct coin coin;
	size_t n = 0;

	coin_init(&coin, seed);
	for (u->n_pairs = 0; n < n_pairs; u->n_pairs++) {
		struct pair p;
		int failed;

		memset(&p, 0, sizeof(p));
		p.order = coin_toss(&coin);
		if (runner.pair(r, u, &p, err))
			return -1;
		failed = p.head.failure || p.base.failure;
		if (failed)
			err_set(err, ERR_CHILD, "%s",
				p.head.failure ? p.head.failure : p.base.failure);
		if (u->n_pairs) /* the first one is the warm-up */
			d[n++] = p.log_ratio_cpu;
		run_release(&p.head);
		run_release(&p.base);
		if (failed)
			return -1;
	}
	u->n_pairs = 0;
	return signed_rank(d, n, 0.95, out, err);
}

static double mean_of(const double *x, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

static void report(size_t sessions)
{
	double grand = 0;
	size_t w, i;

	/* The mean over placements: of the ways that place anew within a session. */
	for (w = 3; w < N_WAYS; w++)
		grand += mean_of(figures[w].theta, sessions) / (double)(N_WAYS - 3);
	for (w = 0; w < N_WAYS; w++) {
		const struct figures *f = &figures[w];
		double mean = mean_of(f->theta, sessions), sum = 0, half = 0;
		size_t own = 0, all = 0;

		for (i = 0; i < sessions; i++) {
			sum += (f->theta[i] - mean) * (f->theta[i] - mean);
			half += (f->high[i] - f->low[i]) / 2;
			own += f->low[i] <= mean && mean <= f->high[i];
			all += f->low[i] <= grand && grand <= f->high[i];
		}
		printf("%-22s n %zu  mean %+.3f %%  sd between %.3f  se within %.3f  "
		       "covers own mean %zu, grand mean %zu (%+.3f %%)\n",
		       ways[w].name, sessions, 100 * mean, 100 * sqrt(sum / (double)(sessions - 1)),
		       100 * half / (double)sessions / 1.959964, own, all, 100 * grand);
	}
}

static int session(struct process_runner *r, struct unit *u, size_t w, size_t k, size_t n_pairs,
		   struct stage *stage, const char *state, struct err *err)
{
	struct signed_rank sr;
	uint64_t seed;
	int lock_fd, failed;

	if (random_bytes(&seed, sizeof(seed), err))
		return -1;
	if (!stage->dir && stage_open(state, seed, stage, err))
		return -1;
	stage->every = ways[w].every;
	stage->padding = ways[w].padding;
	r->stage = stage;
	poll(NULL, 0, 250); /* whoever waits for the lock gets it */
	if (runlock_take(NULL, 0, &lock_fd, err))
		return -1;
	failed = measure(r, u, n_pairs, seed, &sr, err);
	file_close(&lock_fd);
	if (failed)
		return -1;
	if (stage->failure)
		return err_set(err, ERR_IO, "%s", stage->failure);
	if (!ways[w].keep)
		stage_close(stage);
	figures[w].theta[k] = sr.theta;
	figures[w].low[k] = sr.low;
	figures[w].high[k] = sr.high;
	printf("%zu %-22s %+.3f [%+.3f, %+.3f]\n", k, ways[w].name, 100 * sr.theta, 100 * sr.low,
	       100 * sr.high);
	(void)fflush(stdout);
	return 0;
}

static int run(char **argv, const char *state, struct err *err)
{
	size_t sessions = strtoul(argv[4], NULL, 10), pairs = strtoul(argv[5], NULL, 10), k, w;
	struct machine_look look = MACHINE_LOOK_INIT;
	struct process_runner r = { .top = "/",
				    .cpu = machine_pick_cpu(&look),
				    .min_time_ns = RUN_NS,
				    .epoch_ns = when_monotonic_ns() };
	struct runner runner = process_runner_of(&r);
	struct stage stages[N_WAYS];
	struct bench_config config;
	struct unit u;
	int result = -1;

	machine_look_release(&look);
	if (sessions < 2 || sessions > MOST_SESSIONS || pairs < 6 || pairs > MOST_PAIRS)
		return err_set(err, ERR_RANGE, "2..%d sessions of 6..%d pairs", MOST_SESSIONS,
			       MOST_PAIRS);
	memset(&config, 0, sizeof(config));
	memset(&u, 0, sizeof(u));
	for (w = 0; w < N_WAYS; w++)
		stages[w] = (struct stage)STAGE_INIT;
	config.threshold = 0.01;
	u.config = &config;
	u.format = strcmp(argv[3], "-") ? FORMAT_PAWL : FORMAT_COMMAND;
	u.has_base = u.pinned = true;
	if (strv_add(&config.command, "bench", err) || str_set(&u.name, argv[3], err) ||
	    str_set(&u.inner, argv[3], err) || str_set(&u.base.exe, argv[1], err) ||
	    str_set(&u.head.exe, argv[2], err) || str_set(&u.base.binary_id, "base", err) ||
	    str_set(&u.head.binary_id, "head", err) || runner.calibrate(&r, &u, &u.base, err))
		goto out;
	if (u.failure) {
		err_set(err, ERR_CHILD, "%s", u.failure);
		goto out;
	}
	for (k = 0; k < sessions; k++)
		for (w = 0; w < N_WAYS; w++)
			if (session(&r, &u, w, k, pairs, &stages[w], state, err))
				goto out;
	report(sessions);
	result = 0;
out:
	for (w = 0; w < N_WAYS; w++)
		stage_close(&stages[w]);
	unit_release(&u);
	strv_release(&config.command);
	return result;
}

int main(int argc, char **argv)
{
	char state[] = "/tmp/pawl-layout.XXXXXX";
	struct err err = ERR_INIT;
	int result;

	if (argc != 6) {
		fprintf(stderr, "usage: bench_layout BASE HEAD BENCHMARK SESSIONS PAIRS\n");
		return 2;
	}
	child_adopt_orphans();
	if (!mkdtemp(state))
		return 1;
	result = run(argv, state, &err);
	if (result)
		die("cannot measure", &err);
	file_remove_tree(state, NULL);
	return result ? 1 : 0;
}
