/*
 * backfill_failed - which commits cannot be measured, and why, so that not every call tries them.
 *
 * A build that fails by itself will fail again: once is enough.  A run that fails, and a build that
 * does not find a program, are tried twice.  What the machine brought about (no memory, a full
 * disk, no network, a kill) says nothing of the commit.  Kept with the store, of one project on one
 * machine, and for one way to build and run: where the build, a command or a variable is another
 * one, the commit is tried anew.
 */
#ifndef PAWL_CLI_BACKFILL_FAILED_H
#define PAWL_CLI_BACKFILL_FAILED_H

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/config/config.h"
#include "lib/record/summary.h"
#include "lib/store/local/store.h"

struct backfill_failed {
	struct backfill_failure {
		char *commit, *why; /* one line */
		char *way;	    /* digits over how it was built and run */
		char *ids;	    /* of the results that said so, with commas between them */
		unsigned times;	    /* 0: it was measured since */
	} * v;
	size_t n, cap;
	char *key, *way; /* where they are kept, and of this call */
};

void backfill_failed_release(struct backfill_failed *f);

/*
 * What is kept of a project on a machine; build_key: of build_key(); only: the benchmarks asked
 * for, empty: all.  What is damaged counts as nothing.  Errors: ERR_NOMEM, those of
 * store_get_meta().
 */
int backfill_failed_load(struct store *store, const char *project, const char *machine,
			 const struct config *config, const char *build_key,
			 const struct strv *only, struct backfill_failed *out, struct err *err);

/*
 * A result in which all failed, for that commit, is noted and kept; each counts once, also where
 * the commit was measured since, or is tried again.  One that the machine brought about is not, nor
 * one whose commits lacked parts, and nothing is where none were loaded.  Errors: ERR_NOMEM, those
 * of store_set_meta().
 */
int backfill_failed_note(struct store *store, const char *commit, const struct summary *s,
			 struct backfill_failed *f, struct err *err);

/*
 * A reason in one line, without which side it was and where more is: *out, which is free()d, or
 * NULL.  Errors: ERR_NOMEM.
 */
int backfill_failed_line(const char *why, char **out, struct err *err);

/* It was measured after all.  Errors: as above. */
int backfill_failed_forget(struct store *store, const char *commit, struct backfill_failed *f,
			   struct err *err);

/* Passes over, for this call, what is noted of these commits: they are tried again. */
void backfill_failed_reset(const struct strv *commits, struct backfill_failed *f);

/* Why that commit is not tried again; NULL: it is. */
const char *backfill_failed_why(const struct backfill_failed *f, const char *commit);

#endif
