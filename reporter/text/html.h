/*
 * html - what every page begins with.
 */
#ifndef PAWL_REPORTER_TEXT_HTML_H
#define PAWL_REPORTER_TEXT_HTML_H

#include "lib/base/buf.h"

/* Up to and with the opening of <head>: light or dark as its reader prefers, as wide as a phone. */
#define HTML_BEGIN \
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" \
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" \
	"<meta name=\"color-scheme\" content=\"light dark\">\n"

/*
 * The same of a page in a file: nothing is fetched and nothing runs, it holds under the strictest
 * policy for content.
 */
extern const char html_head[];

/* <title> of raw bytes. */
void html_title(const char *raw, struct buf *out);

/* A line that leads back to that file; NULL: nothing. */
void html_home(const char *file, struct buf *out);

/*
 * Raw bytes for the value of a quoted attribute that comes back as it was: a field of a form, an
 * address.  What is shown beside others goes through text_xml(), which changes what is invisible.
 */
void html_value(const char *raw, struct buf *out);

/* Raw bytes made harmless; raw is emptied, its failure becomes that of out. */
void html_text(struct buf *raw, struct buf *out);

#endif
