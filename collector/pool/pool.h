/*
 * pool - the layouts that the pairs of a comparison draw from: of both sides of each program.
 *
 * Layout k of the base runs beside layout k of the head.  A first lot is made before the program's
 * first pair, so many that a verdict can come of them alone; their order is drawn by the seed.
 * More are made one at a time, just before a pair, while all relinking took no longer than the
 * first lots may, or a third of the time since it began; those that an earlier comparison left cost
 * next to nothing.  Then layouts are used again, the least used first, and the pairs of one layout
 * share a coin (lib/stats/clusters.h).
 *
 * Both sides are linked at the same time where there are two processors.
 *
 * Apart, both sides are the same code and each number is two layouts of it: 2k - 1 of the base runs
 * beside 2k of the head, so that what they differ by is what layouts do.
 *
 * Where a side has one layout alone, or so many cannot be made in the time, both run as they were
 * built, and the pool says why.  That time is the processor's, but of a budget: where others work,
 * links are no dearer, and a verdict of one layout is no better.
 */
#ifndef PAWL_COLLECTOR_POOL_POOL_H
#define PAWL_COLLECTOR_POOL_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/layout/layout.h"
#include "collector/unit/side.h"
#include "lib/base/err.h"
#include "lib/base/talk.h"

#define POOL_SHARE 3		  /* the part of the time that relinking may take: 1 of so many */
#define POOL_LEAST_NS 5000000000u /* that the first lot may take in any case */

struct pool_terms {
	unsigned first;	     /* made before the first pair; 1 to most */
	unsigned most;	     /* at most LAYOUT_MOST */
	uint64_t allowed_ns; /* for the first lots of all programs, or half of what so many pairs
				take */
	bool has_budget;     /* that alone */
	bool is_asked;	     /* for so many: whatever they take, but for a budget */
	bool apart;	     /* see above: of the same code alone, and half as many */
	uint64_t seed;
	const struct talk *talk;
};

/* How layouts are had: links, or a fake in the tests. */
struct pool_maker {
	/* Errors: those of family_open(). */
	void *(*open)(void *ctx, const struct side *side, struct err *err);
	/* Adds to out as struct pool_draw has it.  Errors: those of layout_make(). */
	int (*make)(void *ctx, void *opened, unsigned number, struct strv *out, struct err *err);
	bool (*is_made)(void *ctx, void *opened, unsigned number);
	const char *(*rest)(void *ctx,
			    void *opened); /* what stays as it was built; NULL: nothing */
	void (*close)(void *ctx, void *opened);
	uint64_t (*now_ns)(void *ctx);
	uint64_t (*worked_ns)(void *ctx); /* processor time of linking so far; NULL: as now_ns */
	/*
	 * Begins beside us what open() of the side, or with opened make(), does next, which finds
	 * it done; 0: it does not.  wait() is called with anything else.  NULL: nothing is begun.
	 */
	int (*begin)(void *ctx, const struct side *side, void *opened, unsigned number);
	void (*wait)(void *ctx, int begun);
	void *ctx;
};

/* By family.h; the tree of a side is its folder. */
extern const struct pool_maker pool_maker_links;

struct pool;

/*
 * How many layouts a verdict of one in `together` benchmarks with n_points decision points takes,
 * and two more: with that many changes of one sign the smallest p is small enough.
 */
unsigned pool_needed(size_t together, size_t n_points);

/* The pools of all programs; NULL and ERR_NOMEM. */
struct pool *pool_open(const struct pool_terms *terms, const struct pool_maker *maker,
		       struct err *err);
void pool_close(struct pool *p); /* accepts NULL; the files stay */

/* What the next pair runs: each file of a side, and the pool's that runs in its place. */
struct pool_draw {
	unsigned number;		/* 0: as they were built */
	const struct strv *base, *head; /* NULL with 0 */
};

/* A benchmark's next pair. */
struct pool_job {
	const struct side *head, *base;
	const unsigned *uses; /* uses[k]: how many of its pairs drew number k, to LAYOUT_MOST */
	double pair_ns;	      /* what a pair is expected to take */
};

/*
 * Draws its layout.  Errors: ERR_STOPPED, ERR_NOMEM.  Cost: the first time the first lot, later at
 * most one link a side.
 */
int pool_draw(struct pool *p, const struct pool_job *job, struct pool_draw *out, struct err *err);

/* From now on these sides run as they were built: why.  Errors: ERR_NOMEM. */
int pool_settle(struct pool *p, const struct side *head, const struct side *base, const char *why,
		struct err *err);

/*
 * Why what these sides run has one layout alone, or which shared object of it; NULL: all has
 * several, or never ran.
 */
const char *pool_why(const struct pool *p, const struct side *head, const struct side *base);

#endif
