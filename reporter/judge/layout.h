/*
 * judge_layout - verdicts of two builds that each ran in one layout alone: the interval of their
 * pairs is true of these builds, and where the linker put things is a part of what they differ by.
 */
#ifndef PAWL_REPORTER_JUDGE_LAYOUT_H
#define PAWL_REPORTER_JUDGE_LAYOUT_H

#include "lib/base/buf.h"
#include "lib/record/summary.h"

/* What a reader has to know of it, "" where nothing: of a judged m, b's gate. */
void judge_layout_note(const struct bench *b, const struct metric *m, struct buf *out);

#endif
