/*
 * comment - what is written on a pull request: the comment and the line of a status.
 */
#ifndef PAWL_REPORTER_PUBLISH_COMMENT_H
#define PAWL_REPORTER_PUBLISH_COMMENT_H

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"

/* The line that a comment is found by, without a line break.  label: of one job of several; NULL.
 */
void publish_mark(const char *label, struct buf *out);

/* What is said beside the summary; each may be NULL. */
struct publish_words {
	const char *label;  /* as in publish_mark() */
	const char *accept; /* a command line to accept what regressed */
	const char *link;   /* where all reports are, as picture_is_address() wants it */
};

/*
 * Appends the comment: the mark, the answer, the table, notes.  Where nothing moved all but the
 * answer is folded.
 *
 * The summary and accept may hold any bytes: nothing of them becomes markup, a link, a reference or
 * a mention, not either for a reader that looks at the text before it is markup: there is no '@'.
 *
 * Errors: ERR_NOMEM.  Cost: that of render().
 */
int publish_comment(const struct summary *s, const struct publish_words *words, size_t limit,
		    struct buf *out, struct err *err);

/* The answer in a line of at most limit bytes.  Errors: ERR_NOMEM. */
int publish_line(const struct summary *s, size_t limit, struct buf *out, struct err *err);

#endif
