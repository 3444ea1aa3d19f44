/*
 * judge_effect - what the time and the work of a benchmark say together.
 *
 * A program that got slower either does more, or does the same less well: where its code and data
 * lie, what is in the cache.  Only the first is surely the fault of the change.
 */
#ifndef PAWL_REPORTER_JUDGE_EFFECT_H
#define PAWL_REPORTER_JUDGE_EFFECT_H

#include "lib/record/summary.h"

/* How many instructions the head needs, held against the base. */
enum work {
	WORK_UNKNOWN, /* nobody counted */
	WORK_LESS,
	WORK_SAME, /* within 0.1 %, or an interval around no change inside the threshold */
	WORK_MORE
};

/* From instructions counted apart, else from the metric "instructions" of the pairs. */
enum work work_of(const struct bench *b);

/*
 * The class as one short phrase, "more work and slower"; NULL when the work is not known, the gate
 * is not a time, or there is nothing to say about the verdict.
 */
const char *effect_phrase(enum verdict verdict, enum work work);

/* The phrase of a benchmark that was judged. */
const char *effect_of(const struct bench *b);

#endif
