/*
 * side - what runs on one side of a comparison.
 */
#ifndef PAWL_COLLECTOR_UNIT_SIDE_H
#define PAWL_COLLECTOR_UNIT_SIDE_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

/* One side's executable: the file that runs, found and identified. */
struct side {
	char *exe;		 /* absolute path of the file that is executed */
	char *library_path;	 /* folder of cached shared objects, or NULL */
	char *preload;		 /* cached objects that an old-style RPATH would hide, or NULL */
	char *binary_id;	 /* code identity, or NULL when it has none (a script) */
	char *dir;		 /* where it runs; NULL: where the runner says */
	struct strv words;	 /* argv of its own; empty: the benchmark's command */
	struct strv env;	 /* "NAME=value" of its own, over what all runs get */
	char *prepare, *cleanup; /* of its own; NULL: the benchmark's */
	bool stays;		 /* it looks for files beside itself: it must not be moved */
	bool may_ask;		 /* it may ask where it lies: see collector/compare/beside.h */
	const char *beside;	 /* static: why no other layout can replace it either; NULL */
	char *built, *built_library_path; /* of exe, a copy, as it was built; NULL: exe is that */
};

void side_release(struct side *s);

/* Copies every text of a side over another's.  Errors: ERR_NOMEM: release it all the same. */
int side_copy(const struct side *from, struct side *to, struct err *err);

/* Lets it run where it was built, where exe is a copy.  Errors: ERR_NOMEM. */
int side_put_back(struct side *s, struct err *err);

/* A copy of a side that runs where it was built.  Errors: ERR_NOMEM: release it all the same. */
int side_as_built(const struct side *from, struct side *to, struct err *err);

#endif
