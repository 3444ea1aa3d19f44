/*
 * badge - a label and a few words as a small picture, for the first page of a project.
 */
#ifndef PAWL_REPORTER_TEXT_BADGE_H
#define PAWL_REPORTER_TEXT_BADGE_H

#include "lib/base/buf.h"

/* Colours of the words' ground, dark enough for white letters: contrast 4.5 or more. */
#define BADGE_BAD "#b62324"
#define BADGE_GOOD "#1a7f37"
#define BADGE_UNSURE "#8a5a00"
#define BADGE_NEUTRAL "#57606a"

/* Appends <svg>; label and words may hold any bytes. */
void badge_svg(const char *label, const char *words, const char *colour, struct buf *out);

#endif
