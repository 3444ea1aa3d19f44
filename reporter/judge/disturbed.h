/*
 * judge_disturbed - what was recorded of the pairs that lie far off the others.
 */
#ifndef PAWL_REPORTER_JUDGE_DISTURBED_H
#define PAWL_REPORTER_JUDGE_DISTURBED_H

#include <stddef.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"

#define DISTURBED_CAUSES 8

/* In how many disturbed pairs each cause stood out; one pair may have several. */
struct disturbed {
	size_t n[DISTURBED_CAUSES];
	size_t n_unexplained; /* pairs in which none did */
};

/*
 * Adds a benchmark's disturbed pairs to *out.  A cause stands out in a pair when it was recorded
 * higher than in any pair that was not disturbed: a hint, no proof.  Nothing is added when the
 * record does not tell which pairs they were.
 * Errors: ERR_NOMEM.
 */
int disturbed_add(const struct bench *b, struct disturbed *out, struct err *err);

/* Appends ": switches 2, steal 1, cause unknown 1", the most frequent first; nothing for none. */
void disturbed_say(const struct disturbed *d, struct buf *out);

#endif
