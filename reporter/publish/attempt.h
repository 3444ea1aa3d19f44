/*
 * attempt - one attempt to publish: what was found on the server, and the writing of the comment.
 */
#ifndef PAWL_REPORTER_PUBLISH_ATTEMPT_H
#define PAWL_REPORTER_PUBLISH_ATTEMPT_H

#include "reporter/publish/publish.h"

#define ATTEMPT_FILES 8 /* of a comment, that are taken away when another takes their place */

struct attempt {
	const struct publish_request *rq;
	struct forge_place place;
	struct buf author; /* who we are */
	struct buf mark;
	struct buf found;	       /* text of our comment that is there */
	uint64_t files[ATTEMPT_FILES]; /* pictures that it has and the new text will not show */
	size_t n_files, n_found;
	struct exchange_answer last; /* of what failed */
};

void attempt_release(struct attempt *a);

/* One request to a path of the forge's table.  Errors: those of exchange(). */
int attempt_ask(struct attempt *a, const char *method, const char *path, const char *query,
		const struct buf *body, const char *what, struct err *err);

/*
 * Creates the comment, or updates the one that was found; with its picture, where the forge takes
 * files.  A picture that cannot be had is warned of, and left out.  Errors: those of exchange().
 */
int attempt_write(struct attempt *a, enum publish_done *out, struct err *err);

#endif
