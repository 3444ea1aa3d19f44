/*
 * values - a history as values, a commit each.
 *
 * Internal to lib/store/watch.
 */
#ifndef PAWL_STORE_WATCH_VALUES_H
#define PAWL_STORE_WATCH_VALUES_H

#include "lib/base/err.h"
#include "lib/json/jtree.h"

struct value {
	const char *id, *commit; /* of its first result; of the tree that was read */
	double ratio;	/* mean logarithm of what was measured against a base; NaN: nothing was */
	size_t n_ratio; /* in so many results */
	bool measured;	/* some result of it was judged side by side, and decided */
	bool changed;	/* and said that it changed */
};

/*
 * A commit each, however often it was measured: results of one are of the same program, and six of
 * them together say no more of the next commit than one does.
 */
struct values {
	double *x;	  /* mean logarithm of its results */
	struct value *at; /* beside x */
	size_t n;
};

/* The points of a history.  Errors: ERR_NOMEM; *out is to be released in any case. */
int values_read(const struct jtree *root, struct values *out, struct err *err);
void values_release(struct values *v); /* accepts a zeroed one */

/* The place of a commit; v->n: it is not there. */
size_t values_find(const struct values *v, const char *commit);

#endif
