#include "collector/run/shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/run/launch.h"
#include "harness/counter/child.h"
#include "lib/base/strv.h"

#include "lib/base/banned.h"

#define WORTH_NS 40000000.0 /* of runs: a process costs up to a twentieth of that */
#define PAIRS 4		    /* kept at a time: of so many programs */

struct shared {
	struct shared_pair *v[PAIRS]; /* the oldest first */
	size_t n;
	struct strv alone;	   /* keys of those that do not share */
	const struct unit **quiet; /* by address */
	size_t n_quiet;
	int held_fd; /* pawl_counter_hold(): 0: not asked for yet; negative: it was refused */
};

struct shared *shared_open(void)
{
	return calloc(1, sizeof(struct shared));
}

/* Programs that share processes count page faults thousands of times a second. */
static void hold_counter(struct shared *shared)
{
	if (!shared->held_fd)
		shared->held_fd = pawl_counter_hold(&pawl_counter_system);
}

size_t shared_most(double run_ns)
{
	double most = run_ns > 0 ? ceil(WORTH_NS / run_ns) : 1;

	return most < SHARED_MOST ? (size_t)most : SHARED_MOST;
}

bool shared_may(const struct shared *shared, const char *key)
{
	return !strv_has(&shared->alone, key);
}

struct shared_pair *shared_pair_new(int n, struct err *err)
{
	struct shared_pair *pair = calloc(1, sizeof(*pair));

	if (!pair) {
		err_nomem(err);
		return NULL;
	}
	session_init(&pair->s[0]);
	session_init(&pair->s[1]);
	pair->n = n;
	return pair;
}

void shared_pair_free(struct shared_pair *pair)
{
	if (!pair)
		return;
	session_release(&pair->s[0]);
	session_release(&pair->s[1]);
	free(pair->key);
	free(pair);
}

/* Where the benchmark is, or would be, in the list of the quiet. */
static size_t place_of(const struct shared *shared, const struct unit *u)
{
	size_t low = 0, high = shared->n_quiet;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if ((uintptr_t)shared->quiet[mid] < (uintptr_t)u)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool is_quiet(const struct shared *shared, const struct unit *u)
{
	size_t i = place_of(shared, u);

	return i < shared->n_quiet && shared->quiet[i] == u;
}

int shared_found_quiet(struct shared *shared, const struct unit *u, struct err *err)
{
	size_t i = place_of(shared, u);
	const struct unit **grown;

	if (is_quiet(shared, u))
		return 0;
	grown = realloc(shared->quiet, (shared->n_quiet + 1) * sizeof(*grown));
	if (!grown)
		return err_nomem(err);
	memmove(grown + i + 1, grown + i, (shared->n_quiet - i) * sizeof(*grown));
	grown[i] = u;
	shared->quiet = grown;
	shared->n_quiet++;
	return 0;
}

/*
 * *out_good: it ended as it should, said nothing on the way and left nothing.  *out_quiet: what it
 * printed and its peak are known, too, and are nothing.
 */
static int end_one(struct session *s, bool *out_good, bool *out_quiet, struct err *err)
{
	struct child_result res;
	struct buf why = BUF_INIT;

	if (session_dismiss(s, err))
		return -1;
	session_finish(s, NULL, CHILD_GRACE_NS, &res, &why);
	*out_good &= !why.len && !res.n_left && (!res.has_output || !*res.output);
	*out_quiet &= *out_good && res.has_output && isnan(launch_peak_rss(res.max_rss_bytes));
	buf_release(&why);
	return 0;
}

/* Ends the processes as they end by themselves. */
static int dismiss(struct shared *shared, struct shared_pair *pair, struct err *err)
{
	bool good = true, quiet = true;
	int i, result = 0;
	size_t k;

	for (i = 0; i < pair->n && !result; i++)
		result = end_one(&pair->s[i], &good, &quiet, err);
	for (k = 0; k < pair->n_ran && quiet && !result; k++)
		result = shared_found_quiet(shared, pair->ran[k], err);
	if (!result && !good)
		result = strv_add(&shared->alone, pair->key, err);
	shared_pair_free(pair);
	return result;
}

static struct shared_pair *take_out(struct shared *shared, size_t i)
{
	struct shared_pair *pair = shared->v[i];

	for (shared->n--; i < shared->n; i++)
		shared->v[i] = shared->v[i + 1];
	return pair;
}

static bool has_run(const struct shared_pair *pair, const struct unit *u)
{
	size_t i;

	for (i = 0; i < pair->n_ran; i++)
		if (pair->ran[i] == u)
			return true;
	return false;
}

struct shared_pair *shared_take(struct shared *shared, const char *key, const struct unit *u)
{
	size_t i;

	for (i = 0; i < shared->n; i++)
		if (!strcmp(shared->v[i]->key, key) && !has_run(shared->v[i], u))
			return take_out(shared, i);
	return NULL;
}

int shared_ask_quiet(struct shared *shared, const struct unit *u, bool *out, struct err *err)
{
	size_t i = 0;

	while (i < shared->n && !is_quiet(shared, u)) {
		if (!has_run(shared->v[i], u))
			i++;
		else if (dismiss(shared, take_out(shared, i), err))
			return -1;
	}
	*out = is_quiet(shared, u);
	return 0;
}

int shared_keep(struct shared *shared, struct shared_pair *pair, const char *key,
		const struct unit *u, size_t most, struct err *err)
{
	int i;

	hold_counter(shared);
	if (str_set(&pair->key, key, err)) {
		shared_pair_free(pair);
		return -1;
	}
	pair->ran[pair->n_ran++] = u;
	if (pair->n_ran >= most || pair->n_ran == SHARED_MOST)
		return dismiss(shared, pair, err);
	for (i = 0; i < pair->n; i++)
		child_spare(&pair->s[i].child);
	if (shared->n == PAIRS && dismiss(shared, take_out(shared, 0), err)) {
		shared_pair_free(pair);
		return -1;
	}
	shared->v[shared->n++] = pair;
	return 0;
}

void shared_close(struct shared *shared)
{
	struct err ignored = ERR_INIT;

	if (!shared)
		return;
	while (shared->n)
		dismiss(shared, take_out(shared, 0), &ignored);
	if (shared->held_fd > 0)
		close(shared->held_fd);
	strv_release(&shared->alone);
	free(shared->quiet);
	free(shared);
}
