#include "collector/run/shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

#define MOST 16		    /* benchmarks of one process */
#define WORTH_NS 40000000.0 /* of runs: a process costs up to a twentieth of that */
#define PAIRS 4		    /* kept at a time: of so many programs */

struct shared {
	struct shared_pair *v[PAIRS]; /* the oldest first */
	size_t n;
	struct strv alone; /* keys of those that do not share */
};

struct shared *shared_open(void)
{
	return calloc(1, sizeof(struct shared));
}

size_t shared_most(double run_ns)
{
	double most = run_ns > 0 ? ceil(WORTH_NS / run_ns) : 1;

	return most < MOST ? (size_t)most : MOST;
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
	strv_release(&pair->names);
	free(pair->key);
	free(pair);
}

/* *out_good: it ended as it should, said nothing on the way and left nothing. */
static int end_one(struct session *s, bool *out_good, struct err *err)
{
	struct child_result res;
	struct buf why = BUF_INIT;

	if (session_dismiss(s, err))
		return -1;
	session_finish(s, NULL, CHILD_GRACE_NS, &res, &why);
	*out_good &= !why.len && !res.n_left && (!res.has_output || !*res.output);
	buf_release(&why);
	return 0;
}

/* Ends the processes as they end by themselves. */
static int dismiss(struct shared *shared, struct shared_pair *pair, struct err *err)
{
	bool good = true;
	int i, result = 0;

	for (i = 0; i < pair->n && !result; i++)
		result = end_one(&pair->s[i], &good, err);
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

struct shared_pair *shared_take(struct shared *shared, const char *key, const char *name)
{
	size_t i;

	for (i = 0; i < shared->n; i++)
		if (!strcmp(shared->v[i]->key, key) && !strv_has(&shared->v[i]->names, name))
			return take_out(shared, i);
	return NULL;
}

int shared_keep(struct shared *shared, struct shared_pair *pair, const char *key, const char *name,
		size_t most, struct err *err)
{
	int i;

	if (str_set(&pair->key, key, err) || strv_add(&pair->names, name, err)) {
		shared_pair_free(pair);
		return -1;
	}
	if (pair->names.n >= most)
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
	strv_release(&shared->alone);
	free(shared);
}
