#include "collector/run/work_count.h"

#include <math.h>
#include <stdlib.h>

#include "collector/run/aside.h"
#include "collector/run/profile_run.h"

#include "lib/base/banned.h"

/* Of the timed stretch without valgrind: a run is then about half a second, most of it startup. */
#define TARGET_NS 25000000u

static int count_run(const struct profile_run *rq, double *out, char **reason, struct err *err)
{
	struct profile p = PROFILE_INIT;

	*out = (double)NAN;
	if (profile_run(rq, &p, reason, err))
		return -1;
	if (!*reason)
		*out = p.total;
	profile_release(&p);
	return 0;
}

/* Of a program that is disturbed now and then: a clock that is set up beside others takes longer.
 */
#define MOST_COUNTS 4

/* How far the last one is from the nearest before it, as a part of it. */
static double nearest(const double *seen, size_t n, double *out)
{
	double least = INFINITY;
	size_t i;

	for (i = 0; i + 1 < n; i++) {
		double off = fabs(seen[n - 1] - seen[i]) / (seen[i] > 0 ? seen[i] : 1);

		if (off < least) {
			least = off;
			*out = fmin(seen[i], seen[n - 1]);
		}
	}
	return least;
}

/* Of two runs that came to the same; none is believed alone. */
static int count_repeated(struct profile_run *rq, double *out, char **reason, struct err *err)
{
	double seen[MOST_COUNTS], least = INFINITY;
	struct buf text = BUF_INIT;
	size_t n = 0;
	int result;

	while (n < MOST_COUNTS && least > WORK_COUNT_REPEATABLE) {
		if (count_run(rq, &seen[n++], reason, err))
			return -1;
		if (*reason)
			return 0;
		least = fmin(least, nearest(seen, n, out));
	}
	if (least <= WORK_COUNT_REPEATABLE)
		return 0;
	buf_addf(&text, "not repeatable: two counts of the same program differ by %.2g %%",
		 100 * least);
	result = buf_check(&text, err) || str_set(reason, buf_str(&text), err) ? -1 : 0;
	buf_release(&text);
	return result;
}

/* Leaves *reason NULL when *out is a count. */
static int count_side(struct profile_run *rq, uint64_t n, double *out, char **reason,
		      struct err *err)
{
	bool is_command = unit_is_whole(rq->unit);
	double once = 0, twice = 0;

	rq->iterations = n;
	if (!is_command && count_repeated(rq, &once, reason, err))
		return -1;
	rq->iterations = 2 * n;
	if (!*reason && count_repeated(rq, &twice, reason, err))
		return -1;
	if (*reason)
		return 0;
	*out = is_command ? twice : (twice - once) / (double)n;
	if (!(*out > 0))
		return str_set(reason, "an iteration takes no instructions that can be told apart",
			       err);
	return 0;
}

int work_count(const struct process_runner *r, struct unit *u, const char *tmp_dir,
	       const struct talk *talk, struct err *err)
{
	struct profile_run rq = { .runner = r,
				  .unit = u,
				  .side = &u->head,
				  .tmp_dir = tmp_dir,
				  .tool = PROFILE_CACHEGRIND };
	struct work_count *w = &u->work;
	double head = (double)NAN, base = (double)NAN;
	char *reason = NULL;
	uint64_t n;
	int result = -1;

	w->head = w->base = (double)NAN;
	if (str_set(&w->how, NULL, err) || str_set(&w->reason, NULL, err))
		return -1;
	if (aside_is_wanted(u->config))
		return str_set(&w->reason, "it has a command to prepare or clean up each run", err);
	talk_progress(talk, 0, 0, "counting the instructions of %s", u->name);
	if (profile_iterations(r, u, u->has_base ? &u->base : &u->head, TARGET_NS, &n, err))
		goto out;
	if (u->failure) { /* what was measured stays */
		w->reason = u->failure;
		u->failure = NULL;
		result = 0;
		goto out;
	}
	if (count_side(&rq, n, &head, &reason, err))
		goto out;
	rq.side = &u->base;
	if (!reason && u->has_base && count_side(&rq, n, &base, &reason, err))
		goto out;
	if (reason) {
		w->reason = reason;
		reason = NULL;
	} else {
		if (str_set(&w->how, "valgrind", err))
			goto out;
		w->head = head;
		w->base = base;
	}
	result = 0;
out:
	free(reason);
	return result;
}

int work_count_all(const struct process_runner *r, struct plan *plan, const char *dir,
		   const struct talk *talk, struct err *err)
{
	size_t i;

	for (i = 0; i < plan->n; i++) {
		struct unit *u = &plan->units[i];

		if (u->n_pairs && !u->failure && work_count(r, u, dir, talk, err))
			return -1;
	}
	return 0;
}
