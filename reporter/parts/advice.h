/*
 * advice - what more measuring would bring to what is undecided, and what is ruled out already.
 */
#ifndef PAWL_REPORTER_PARTS_ADVICE_H
#define PAWL_REPORTER_PARTS_ADVICE_H

#include "lib/base/buf.h"
#include "reporter/figures/rows.h"

#define ADVICE_PAIRS_MOST 400 /* as many as pawl compare runs by itself, with --until-decided */

struct advice {
	double pairs;	 /* that would decide, a whole number; 0: ADVICE_PAIRS_MOST would not */
	double seconds;	 /* that the further ones take, or all up to the most; NaN: not known */
	double smallest; /* change that ADVICE_PAIRS_MOST would find, as a ratio - 1; NaN likewise
			  */
};

/* False when nothing can be said: it is not inconclusive, was not paired, or is by difference. */
bool advice_of(const struct row *row, struct advice *out);

/*
 * "about 74 would decide, 12 s more"; "400 would find changes from 2.1 % on, 50 s more" where they
 * would not.  noun stands behind the number of pairs: "", " pairs of runs".
 */
void advice_add(const struct advice *a, const char *noun, struct buf *out);

/*
 * The least change for the worse, as a ratio - 1, that lies outside of the intervals of all rows
 * that are unchanged, and whose metric it is; NaN: there is none, or an interval is not known.
 */
double advice_ruled_out(const struct rows *rows, const struct metric **out_metric);

#endif
