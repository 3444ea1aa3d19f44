/*
 * executed - which functions of a program a benchmark enters: recorded twice, kept beside the
 * program's layouts.
 */
#ifndef PAWL_COLLECTOR_EXTENT_EXECUTED_H
#define PAWL_COLLECTOR_EXTENT_EXECUTED_H

#include "collector/extent/parts.h"
#include "collector/enter/record.h"
#include "lib/base/strv.h"

struct named_files;

/* What is known of a run. */
struct executed {
	bool *runs;	   /* of each part: a function, and entered; owned by the caller */
	struct strv files; /* of the way: those of the tree that it opened */
	struct strv asked; /* those of the tree that it asked for, opened or not; relative to it */
	struct strv outside; /* files elsewhere that it asked for, as they were: "STATE PATH" */
	bool is_fleeting;    /* it asked for more: it is true now, and of no later run */
};

#define EXECUTED_INIT \
	{ \
		NULL, STRV_INIT, STRV_INIT, STRV_INIT, false \
	}

void executed_release(struct executed *e); /* not runs */

/* How it is run to be recorded. */
struct executed_way {
	/* The first time, and once more, as record_run() does; rq has all that is of the program.
	 */
	int (*run)(void *ctx, bool again, struct record_request *rq, bool *hit, struct err *err);
	/* Appends the files that it opened meanwhile, as they are kept with it. */
	int (*files)(void *ctx, struct strv *out, struct err *err);
	void *ctx;
	const char *tree; /* absolute; what it asks for below it is apart; NULL: there is none */
};

/*
 * Where it is kept, in the folder of the program's layouts; key: all that a run is given.  free()
 * it.  NULL: ERR_IO, ERR_NOMEM.
 */
char *executed_path(const char *folder, const struct strv *key, struct err *err);

/*
 * Sets out->runs[i] for each part of the program that is a function and is entered, and fills the
 * rest: as it was kept at path, or by running it twice.  What was kept when
 * a file outside of the tree that it asked for was another one is none.
 * Errors: ERR_ABSENT it cannot be told: the reasons of the way, or two runs enter different
 *         functions; ERR_STOPPED, ERR_NOMEM.
 */
int executed_find(const char *path, const struct executed_way *way, const struct parts *p,
		  struct executed *out, struct err *err);

/* Keeps what is known of a program without a run.  Where that fails it is recorded another time. */
void executed_keep(const char *path, const struct parts *p, const struct executed *known);

/*
 * Sets asked and outside of *out: which files of the tree it asked for, and how the others are now.
 * Errors: ERR_ABSENT there were more than can be seen; ERR_NOMEM.
 */
int executed_take_asked(const struct named_files *named, const char *tree, struct executed *out,
			struct err *err);

/* The files of what was kept at path, as executed_find() takes them; false: there is nothing. */
bool executed_kept_files(const char *path, struct executed *out);

#endif
