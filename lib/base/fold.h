/*
 * fold - one line for a warning that each of a thousand benchmarks brings.
 *
 *	struct fold fold;
 *	fold_begin(&fold, talk);
 *	... talk_warn(&fold.talk, cure, ...) ...
 *	fold_end(&fold);
 *
 * Warnings with the same cure are of one kind: the first is kept until the end and shown with the
 * number of the others.  Those without a cure, notes and progress go through at once.
 */
#ifndef PAWL_BASE_FOLD_H
#define PAWL_BASE_FOLD_H

#include <stddef.h>

#include "lib/base/talk.h"

enum { FOLD_KINDS = 8 }; /* of more than these each is shown by itself */

struct fold {
	struct talk talk; /* to be handed on */
	const struct talk *to;
	struct {
		char *text, *cure;
		size_t n_more;
	} kinds[FOLD_KINDS];
	size_t n;
};

/* to may be NULL; *fold must not be moved before fold_end(). */
void fold_begin(struct fold *fold, const struct talk *to);

/* Shows what was kept, in the order in which it came. */
void fold_end(struct fold *fold);

#endif
