/*
 * inputs - files that commands name and that the base does not have.
 *
 * A file that only the work tree has, or that is new in the head, is on one side alone: nothing can
 * be compared then, unless the user says which file both sides are to be given.
 */
#ifndef PAWL_COLLECTOR_COMPARE_INPUTS_H
#define PAWL_COLLECTOR_COMPARE_INPUTS_H

#include "collector/compare.h"
#include "collector/unit/units.h"

/* Both commits, built. */
struct compare_built {
	const char *base_top, *head_top; /* NULL: not built, nothing is known */
	const char *head_commit;
};

/* The configuration with such words of its commands replaced. */
struct compare_inputs {
	struct config config; /* borrows all but the commands that differ */
	bool is_copy;
};

#define COMPARE_INPUTS_INIT \
	{ \
		.is_copy = false \
	}

/* To be called when no unit of it is left. */
void compare_inputs_release(struct compare_inputs *in);

/*
 * Makes out->config of rq->config.  Where a benchmark's program is one that the base's build made,
 * both sides are given the same file for a word that names one the base lacks, by its absolute
 * path: the work tree's, where the user wrote its absolute path and the head's commit does not have
 * it either; and one of the benchmark's inputs, as the head has it.
 * Errors: ERR_NOMEM, ERR_GIT.
 */
int compare_inputs_take(const struct compare_request *rq, const struct compare_built *built,
			struct compare_inputs *out, struct err *err);

/*
 * Says of each unit that was not joined for such a file, or for its program where the user gave one
 * command, why not, and what to do.
 * Errors: ERR_NOMEM, ERR_GIT.
 */
int compare_inputs_tell(const struct compare_request *rq, const struct compare_built *built,
			struct plan *plan, struct err *err);

#endif
