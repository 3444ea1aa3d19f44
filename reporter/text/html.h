/*
 * html - what every page begins with.
 */
#ifndef PAWL_REPORTER_TEXT_HTML_H
#define PAWL_REPORTER_TEXT_HTML_H

#include "lib/base/buf.h"

/*
 * Up to and with the opening of <head>: nothing is fetched and nothing runs, the page holds under
 * the strictest policy for content; light or dark as its reader prefers.
 */
extern const char html_head[];

/* <title> of raw bytes. */
void html_title(const char *raw, struct buf *out);

/* A line that leads back to that file; NULL: nothing. */
void html_home(const char *file, struct buf *out);

/* Raw bytes made harmless; raw is emptied, its failure becomes that of out. */
void html_text(struct buf *raw, struct buf *out);

#endif
