/*
 * squeeze - bytes made smaller by zstd, which is opened when it is first needed.
 *
 * Of a packed result only the texts go through it: samples are noise below the bits that
 * lib/record/packed/column.h leaves out.  A document goes as a whole, over HTTP and into the
 * server's ledger.
 */
#ifndef PAWL_SQUEEZE_SQUEEZE_H
#define PAWL_SQUEEZE_SQUEEZE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

/*
 * Appends bytes[0..n), smaller.  False when there is no zstd, or nothing is gained: out is as it
 * was. Cost: 0.15 ms the first time; 10 ms a MB.
 */
bool squeeze(const void *bytes, size_t n, struct buf *out);

/*
 * Appends the `full` bytes that bytes[0..n) were made of.
 * Errors: ERR_CORRUPT; ERR_IO without zstd, with the cure; ERR_NOMEM.
 */
int unsqueeze(const void *bytes, size_t n, size_t full, struct buf *out, struct err *err);

/*
 * A document is at most so many times its frame: nobody is to fill the memory with few bytes.
 * Never to be lowered: frames are kept in ledgers.
 */
#define SQUEEZE_MOST_TIMES 100

/* Whether there is a zstd.  Errors: ERR_IO, with the cure. */
int squeeze_check(struct err *err);

/*
 * Appends bytes[0..n) as one frame.  level: 1, the fastest, to 9.  False when there is no zstd,
 * nothing is gained, or it is too good for unsqueeze_document(): out is as it was.
 * Cost: of JSON about 3 ms a MB at level 1, 10 at level 3.
 */
bool squeeze_document(const void *bytes, size_t n, int level, struct buf *out);

/*
 * Puts into out, in place of what it held, what frame[0..n) was made of, whoever made it: at most
 * `most` bytes, and at most SQUEEZE_MOST_TIMES as many as the frame has.  No more memory than that
 * is touched. Errors: ERR_SYNTAX no frame, a broken one, or one with bytes behind it; ERR_LIMIT
 * beyond `most`; ERR_RANGE beyond SQUEEZE_MOST_TIMES; ERR_IO without zstd; ERR_NOMEM.
 */
int unsqueeze_document(const void *frame, size_t n, size_t most, struct buf *out, struct err *err);

/*
 * For other compressions of documents, within the same bounds: how many bytes one of n may give;
 * the fault of one that gives more than that (beyond_most: than `most`); and what it gave, n bytes
 * in a malloc() of at least n + 1, handed over to out.
 */
size_t squeeze_room(size_t n, size_t most);
int squeeze_too_large(bool beyond_most, size_t most, struct err *err);
void squeeze_keep(char *large, size_t n, struct buf *out);

#endif
