/*
 * picture - the picture of a comment: the distributions of the benchmark that moved most, as a file
 * for a forge that takes files, and the lines of a comment that show it.
 *
 * GitHub takes none with a job's token, and shows no data: address; GitLab takes files of a
 * project, Gitea and Forgejo those of a comment.
 */
#ifndef PAWL_REPORTER_PUBLISH_PICTURE_H
#define PAWL_REPORTER_PUBLISH_PICTURE_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"

#define PICTURE_NAME 40
#define PICTURE_TYPE 96
#define PICTURE_ADDRESS 2000		      /* bytes, at most */
#define PICTURE_LINES (PICTURE_ADDRESS + 200) /* what picture_lines() adds, at most */

struct picture {
	struct buf svg;		 /* empty: there is none */
	char name[PICTURE_NAME]; /* of the file, with a digest of what is in it: "pawl-0123.svg" */
};

#define PICTURE_INIT \
	{ \
		BUF_INIT, "" \
	}

void picture_release(struct picture *p);

/* Empty where nothing moved, or nothing was sampled.  Errors: ERR_NOMEM.  Cost: O(n log n). */
int picture_make(const struct summary *s, struct picture *out, struct err *err);

/* Whether text may be the address of something in a comment: http(s), or a path of that server. */
bool picture_is_address(const char *text);

/* Appends the last lines of a comment: the picture at that address; name "" for one of the user's.
 */
void picture_lines(const char *name, const char *address, struct buf *out);

/* Where those lines of the picture of this name begin in a comment; NULL when it has another. */
const char *picture_find(const char *comment, const char *name);

/* A form with the file in that field; type gets its Content-Type.  Errors: ERR_NOMEM. */
int picture_form(const struct picture *p, const char *field, char type[PICTURE_TYPE],
		 struct buf *out, struct err *err);

/* Whether a file of that name is one of ours. */
bool picture_is_ours(const char *name);

#endif
