/*
 * text - bytes that somebody else wrote, made safe to show; their width on a screen.
 *
 * Names, commands and error output of benchmarks are hostile until text_visible() has
 * seen them: they may hold terminal sequences, line breaks or commands to a CI's log.
 * Width counts columns: combining marks take none, East Asian characters and pictures two.
 */
#ifndef PAWL_REPORTER_TEXT_TEXT_H
#define PAWL_REPORTER_TEXT_TEXT_H

#include <stdbool.h>

#include "lib/base/buf.h"

/*
 * Appends text as one harmless line: control characters as \n \t \e \x07, bytes that are not
 * UTF-8 as \xff, invisible and direction-changing characters as \u{202e}.  A word that
 * starts with "::" and every "##" get a backslash, so that no CI takes them for a command.
 * Without utf8 every character beyond ASCII becomes \u{...}.
 *
 * Shape:  text may be NULL, which appends nothing.
 * Cost:   O(length).
 */
void text_visible(const char *text, bool utf8, struct buf *out);

/* Columns that text takes; valid UTF-8 expected, a stray byte counts as one. */
int text_width(const char *text);

/*
 * Appends text if it fits into width columns, else its two ends with "..." (one character
 * when utf8) between them.  No code point is split.
 */
void text_cut(const char *text, int width, bool utf8, struct buf *out);

/*
 * Appends text as lines of at most width columns, each ended with a line break, broken at
 * blanks only: a word longer than the line stays whole.  first and rest are put in front of
 * the first line and of the others.  width 0: one line.
 */
void text_wrap(const char *text, int width, const char *first, const char *rest, struct buf *out);

/* Appends text for XML or HTML, inside an element or a quoted attribute; made visible first. */
void text_xml(const char *text, struct buf *out);

/*
 * Appends text for GitHub-flavoured Markdown, also inside a table's cell: made visible first;
 * nothing in it becomes markup, a link, a mention of a user or a reference to an issue.
 */
void text_markdown(const char *text, struct buf *out);

#endif
