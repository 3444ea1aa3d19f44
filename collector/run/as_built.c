#include "collector/run/as_built.h"

#include <math.h>
#include <string.h>

#include "collector/pool/pool.h"

#include "lib/base/banned.h"

#define FACTOR 2.0 /* that no place of code makes */
#define WHY "in another layout it does something else than as it was built"

static bool has_other_output(const struct run *a, const struct run *b)
{
	return a->output && b->output && strcmp(a->output, b->output) != 0;
}

static bool has_other_end(const struct run *a, const struct run *b)
{
	return !a->failure != !b->failure || a->exit_status < b->exit_status ||
	       a->exit_status > b->exit_status;
}

/* NaN and 0 say nothing. */
static bool has_other_time(const struct run *a, const struct run *b)
{
	return a->cpu_ns > 0 && b->cpu_ns > 0 &&
	       (a->cpu_ns > FACTOR * b->cpu_ns || b->cpu_ns > FACTOR * a->cpu_ns);
}

static bool seems_other(const struct run *a, const struct run *b)
{
	return has_other_output(a, b) || has_other_end(a, b) || has_other_time(a, b);
}

/* Twice each: what chance or company made of one of them, the other has not. */
static bool is_other(const struct run *built[2], const struct run *moved[2])
{
	int i, n_slow = 0, n_fast = 0, n_output = 0, n_end = 0;

	for (i = 0; i < 4; i++) {
		const struct run *a = built[i / 2], *b = moved[i % 2];

		n_output += has_other_output(a, b);
		n_end += has_other_end(a, b);
		n_slow += has_other_time(a, b) && b->cpu_ns > a->cpu_ns;
		n_fast += has_other_time(a, b) && b->cpu_ns < a->cpu_ns;
	}
	return n_slow == 4 || n_fast == 4 ||
	       (n_output == 4 && !has_other_output(built[0], built[1]) &&
		!has_other_output(moved[0], moved[1])) ||
	       (n_end == 4 && !has_other_end(built[0], built[1]));
}

static bool are_other(const struct pair built[2], const struct pair *one, const struct pair *two)
{
	const struct run *heads[2] = { &built[0].head, &built[1].head };
	const struct run *bases[2] = { &built[0].base, &built[1].base };
	const struct run *moved[2] = { &one->head, &two->head };
	const struct run *moved_bases[2] = { &one->base, &two->base };

	return is_other(heads, moved) || is_other(bases, moved_bases);
}

/* In a process of its own. */
static int run_again(const struct process_runner *r, const struct unit *u, as_built_pair_fn *run,
		     bool moved, int order, struct pair *out, struct err *err)
{
	struct process_runner own = *r;

	own.shared = NULL;
	own.pool = moved ? r->pool : NULL;
	out->order = order;
	return run(&own, u, out, err);
}

static int confirm(const struct process_runner *r, const struct unit *u, as_built_pair_fn *run,
		   struct pair *p, struct err *err)
{
	struct pair built[2] = { 0 }, again = { 0 }, moved;
	int result = -1;

	if (run_again(r, u, run, false, p->order, &built[0], err) ||
	    run_again(r, u, run, true, p->order, &again, err) ||
	    run_again(r, u, run, false, p->order, &built[1], err))
		goto out;
	result = 0;
	if (!are_other(built, p, &again))
		goto out;
	result = pool_settle(r->pool, &u->head, &u->base, WHY, err);
	moved = *p;
	*p = built[1];
	built[1] = moved;
out:
	pair_release(&built[0]);
	pair_release(&built[1]);
	pair_release(&again);
	return result;
}

int as_built_check(const struct process_runner *r, const struct unit *u, as_built_pair_fn *run,
		   struct pair *p, struct err *err)
{
	const struct pair *w = &u->warm_up;

	if (!p->layout || u->n_pairs || !u->has_warm_up || w->layout || !u->has_base)
		return 0;
	if (!seems_other(&w->head, &p->head) && !seems_other(&w->base, &p->base))
		return 0;
	return confirm(r, u, run, p, err);
}
