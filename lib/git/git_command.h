/*
 * git_command - runs git so that neither the caller's environment nor the repository's
 * configuration can bend the answer.
 *
 * Internal to lib/git.  What a hook exports (GIT_DIR, GIT_INDEX_FILE, ...) is taken away,
 * replacement objects, grafts, lazy fetching, prompts, hooks, the fsmonitor and optional
 * locks are off, messages are in English.
 */
#ifndef PAWL_GIT_GIT_COMMAND_H
#define PAWL_GIT_GIT_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

struct repo;

/* How to run git; what is left out (0, NULL) takes the meaning said here. */
struct git_run {
	const struct repo *repo;	/* NULL: git searches from dir */
	const char *dir;		/* folder to run in, with repo NULL */
	const char *const *environment; /* "NAME=value" on top of the safe one, NULL-terminated */
	const struct buf *input;	/* what it finds on stdin; NULL: nothing */
	uint64_t timeout_ns;		/* 0: two minutes */
	bool apart;			/* Ctrl-C does not reach it: proc.h */
	bool stops;			/* it ends when a signal asks us to stop: ERR_STOPPED */
	bool graced;			/* with stops: not at once, proc.h */
};

/*
 * Runs git with args (NULL-terminated); out and out_errors may be NULL.
 * Errors: those of git_capture().
 */
int git_run(const struct git_run *how, const char *const *args, struct buf *out,
	    struct buf *out_errors, int *out_status, struct err *err);

/*
 * Runs git with args (NULL-terminated) on an open repo, or with repo NULL in folder dir,
 * where git searches for itself.  out and out_errors may be NULL.
 *
 * Errors: ERR_ABSENT git is not installed; ERR_LIMIT, ERR_TIMEOUT, ERR_STOPPED (graced), ERR_IO,
 *         ERR_NOMEM.  An exit status other than 0 is no error.
 */
int git_capture(const struct repo *repo, const char *dir, const char *const *args, struct buf *out,
		struct buf *out_errors, int *out_status, struct err *err);

/* As git_capture, and a status other than 0 is an error: ERR_GIT with git's words. */
int git_answer(const struct repo *repo, const char *dir, const char *const *args, struct buf *out,
	       struct err *err);

#endif
