/*
 * trees_local - what the files of trees.h share.
 *
 * In <state>/trees: KEY/tree is the checked out and built tree, KEY/built says what it is and that
 * it is whole, KEY/files what all of KEY was like then, KEY/facts what it depended on, KEY/outside
 * what files of the system it read, KEY/links what was linked and KEY/layouts what was made of that
 * (collector/layout/layout.h), KEY/opened which files benchmarks open, KEY.lock is held by those
 * who use it, cc-KEY are wrappers of compilers and, in cc-KEY/linkers, of linkers.
 */
#ifndef PAWL_COLLECTOR_BUILD_TREES_LOCAL_H
#define PAWL_COLLECTOR_BUILD_TREES_LOCAL_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "collector/build/trees.h"
#include "lib/base/buf.h"
#include "lib/base/strv.h"
#include "lib/digest/digest.h"
#include "lib/git/repo.h"

#define TREES_FACTS "facts"
#define TREES_OUTSIDE "outside"
#define TREES_SEEN "seen" /* written by compilers during the build */

#define TREES_EPOCH 1000000000 /* seconds: the time of every file before it is built */

/* Where one key's things lie. */
struct trees_place {
	char key[TREES_KEY];
	char *dir, *tree, *built, *files, *lock, *log;
};

/* Names from the real path of <state>/trees, which is created; zeroed on failure. */
int trees_place(const char *state_dir, const char *key, struct trees_place *out, struct err *err);
void trees_place_release(struct trees_place *p);

/* One tree_open() at work. */
struct trees_job {
	const struct trees_request *rq;
	const char *commit;
	const char *given; /* the tree that was asked for, or NULL: the commit's */
	char tree[OID_TEXT];
	struct strv env, facts;
	struct trees_place place;
	const char *root; /* of all places */
	int lock_fd, log_fd;
	bool whole;   /* nothing was missing when it was checked out */
	bool is_work; /* what is not committed */
};

#define TREES_JOB_OF(rq, commit, tree) \
	{ \
		.rq = (rq), .commit = (commit), .given = (tree), .lock_fd = -1, .log_fd = -1, \
		.is_work = (tree) != NULL \
	}

/* This process in markers: what it built itself need not be rebuilt for it. */
const char *trees_self(void);

/* "3f2a1b0c4d5e", or "the work on 3f2a1b0c4d5e" where that is not what was committed. */
const char *trees_job_name(const struct trees_job *j, char out[64]);

/*
 * Checks out and builds, from an empty folder to the marker; nothing but the log stays on failure.
 * Errors: those of tree_open().
 */
int trees_make(struct trees_job *j, struct err *err);

/* Whether the build gets the submodules. */
bool trees_fill_submodules(const struct trees_request *rq);

/* <state>/trees, real path, created; free() it. */
char *trees_root(const char *state_dir, struct err *err);

/*
 * The environment builds get: of child_env() what a build may ask for, and what makes builds alike.
 * *facts gets what the result depends on, "NAME=VALUE" each, the tree's id first: the command, the
 * compilers and linker by content, the variables; *out_key is over them.  env then also gets what
 * depends on the key.
 */
int trees_environment(const struct trees_request *rq, const char *tree_id, struct strv *env,
		      struct strv *facts, char out_key[TREES_KEY], struct err *err);
int trees_environment_of(const struct trees_place *place, struct strv *env, struct err *err);

/* What KEY/built says.  Its first line is a digest of the others: damage makes none of it. */
struct trees_marker {
	char *id, *build, *maker; /* build NULL: nothing was built */
	uint64_t bytes;
	bool lacks_parts;	/* some were not here, and may be the next time */
	char lists[DIGEST_HEX]; /* trees_lists_digest() */
};

/*
 * Of KEY/files and KEY/outside: a name that damage took from a list is a file that nobody looks
 * at any more.  Errors: ERR_ABSENT, ERR_IO, ERR_NOMEM.
 */
int trees_lists_digest(const struct trees_place *p, char out[DIGEST_HEX], struct err *err);

int trees_marker_read(const char *path, struct trees_marker *out, struct err *err);
int trees_marker_write(const char *path, const struct trees_marker *m, struct err *err);
void trees_marker_release(struct trees_marker *m);

/* Gives all files below folder top one time, so that no build depends on when they came. */
int trees_level_times(const char *top, struct err *err);

/*
 * Appends "SIZE TIME MODE NAME" of each file and folder below KEY but those that no build makes,
 * each with its NUL, in any order; *out_bytes: the room they all take.
 */
int trees_list_files(const char *top, struct buf *out, uint64_t *out_bytes, struct err *err);

enum trees_change {
	TREES_SAME,
	TREES_ADDED,   /* there is more, and all else is the same */
	TREES_CHANGED, /* something is gone or different, or cannot be looked at */
};

/*
 * How what is below KEY stands against a list of it; appends the names of what was added since,
 * folders before what is in them.
 */
enum trees_change trees_change_of(const struct buf *list, const char *top, struct strv *added);

/* Keeps the facts of a tree in folder KEY.  Errors: ERR_IO, ERR_FULL, ERR_NOMEM. */
int trees_facts_write(const char *dir, const struct strv *facts, struct err *err);

/*
 * Appends what is different since the newest kept build of the same tree, in words; nothing where
 * there is none.
 */
void trees_why(const char *root, const struct strv *facts, struct buf *out);

/*
 * Appends the static libraries and objects outside of folder dir that links of the build in it
 * took, as far as these were recorded.  Errors: ERR_NOMEM.
 */
int trees_linked(const char *dir, struct strv *out, struct err *err);

/* What tells which programs a build may have run. */
struct trees_tools_request {
	const char *root, *tree;	 /* of all trees; the built one */
	const char *command;		 /* or NULL */
	const struct strv *descriptions; /* paths */
	const struct strv *env;		 /* of the build */
};

/* Files outside of the tree; and paths at which there is none, where one would be taken. */
struct trees_tools {
	struct strv files, absent;
};

/* Whether a file of that name describes how something is built. */
bool trees_tools_is_description(const char *name);

/* Errors: ERR_STOPPED, ERR_NOMEM. */
int trees_tools(const struct trees_tools_request *rq, struct trees_tools *out, struct err *err);
void trees_tools_release(struct trees_tools *t);

/*
 * Lists in KEY/outside which files outside of the tree its build read or ran, as far as that is
 * known: what compilers told, static libraries that it linked, what its command and what describes
 * it names, where that was there before it began; what they are like; and where a file would come
 * before one of them.  Errors: ERR_IO, ERR_FULL, ERR_STOPPED, ERR_NOMEM.
 */
int trees_outside_keep(const struct trees_job *j, const char *command, const struct timespec *began,
		       struct err *err);

/* The first of them that is another one now, or came; *out NULL: none is, or none are known.
 * ERR_NOMEM. */
int trees_outside_changed(const char *dir, char **out, struct err *err);

/* Removes a folder, also one that a build made unwritable. */
int trees_remove(const char *path, struct err *err);

/*
 * Takes the lock of a key: operation is LOCK_SH or LOCK_EX.  wait_ns 0: once.  Errors: ERR_BUSY;
 * ERR_STOPPED; ERR_IO.
 */
int trees_lock(const char *path, int operation, uint64_t wait_ns, const struct talk *talk,
	       int *out_fd, struct err *err);

#endif
