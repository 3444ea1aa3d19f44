/*
 * sentence - the whole answer of a summary in one sentence.
 */
#ifndef PAWL_REPORTER_PARTS_SENTENCE_H
#define PAWL_REPORTER_PARTS_SENTENCE_H

#include "lib/base/buf.h"
#include "lib/record/summary.h"
#include "reporter/figures/rows.h"
#include "reporter/parts/options.h"

/* How a format shows text that it does not trust: text_visible, text_markdown, ... */
typedef void sentence_put(const char *text, const struct render_options *opt, struct buf *out);

/*
 * Appends, without a line break, what is to be known when nothing else is read:
 * "1 of 4 benchmarks regressed: deflate/6 is 3.4 % slower [2.1, 4.7] than a1b2c3d; 2 unchanged,
 * 1 inconclusive."  Of several the one that moved most is named.
 *
 * Cost: O(n).
 */
void sentence_add(const struct summary *s, const struct rows *rows,
		  const struct render_options *opt, sentence_put *put, struct buf *out);

#endif
