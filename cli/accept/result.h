/*
 * accept_result - what the results of a commit here say of it, for those who accept it.
 */
#ifndef PAWL_CLI_ACCEPT_RESULT_H
#define PAWL_CLI_ACCEPT_RESULT_H

#include "cli/command.h"
#include "lib/record/history.h"

/*
 * Appends the stored results of a commit (a whole id), the newest first, or its newest comparison;
 * of clean trees alone.  None is no error.  Errors: those of the store, those of kept_find().
 */
int accept_stored(const struct context *c, const char *commit, struct history *out,
		  struct err *err);
int accept_kept(const struct context *c, const char *commit, struct history *out, struct err *err);

/* What got worse and is not accepted; valid as long as the results that it is of. */
struct accept_worse {
	struct history results;
	struct {
		const struct bench *bench;
		const char *base; /* of its result; NULL: not known */
	} * v;
	size_t n;
};

#define ACCEPT_WORSE_INIT \
	{ \
		HISTORY_INIT, NULL, 0 \
	}

void accept_worse_release(struct accept_worse *w);

/*
 * Of each benchmark the newest result or comparison of the commit that compared it decides; what is
 * accepted is looked up anew.
 * Errors: ERR_ABSENT where none compared any, with what to do; those above; those of
 * accepted_load() and apply_accepted().
 */
int accept_find_worse(const struct context *c, const char *commit, struct accept_worse *out,
		      struct err *err);

#endif
