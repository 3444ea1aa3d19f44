/*
 * summary_local - what the halves of summary_decode share, and those of summary_encode.
 */
#ifndef PAWL_RECORD_SUMMARY_LOCAL_H
#define PAWL_RECORD_SUMMARY_LOCAL_H

#include "lib/base/jsonw.h"
#include "lib/record/reader.h"
#include "lib/record/summary.h"

/*
 * A string as the reader accepts it: control characters but line breaks and tabs (a commit's
 * subject, a program's stderr) and bytes that are not UTF-8 replaced, then cut between two
 * characters to at most max bytes.  NULL is null.
 */
void summary_write_text(struct jsonw *w, const char *key, const char *text, size_t max);

/* A fault unless text is NULL or a git object id. */
void summary_check_hex(struct reader *r, const char *text, const char *key);

/* A fault when text is "". */
void summary_check_not_empty(struct reader *r, const char *text, const char *key);

/* A pair [low, high]; null entries are infinite ends, a missing pair gives NaN. */
void summary_read_interval(struct reader *r, const struct jtree *o, const char *key, double *low,
			   double *high);

/* The required name of an item of an array, in its tree; NULL with the fault recorded. */
const char *summary_read_name(struct reader *r, const struct jtree *o);

/* The object "facts" of o, where there is one. */
void summary_read_facts(struct reader *r, const struct jtree *o, struct facts *facts);

/* What the commit accepts. */
void summary_read_accepted(struct reader *r, const struct jtree *root, struct summary *s);

/* Everything of one benchmark but its name. */
void summary_read_bench(struct reader *r, const struct jtree *o, struct bench *b);

void summary_write_time(struct jsonw *w, const char *key, int64_t us);
/* Each as summary_write_text() writes it. */
void summary_write_strings(struct jsonw *w, const char *key, const struct strv *list, size_t max);

/* What a comparison adds to a benchmark. */
void summary_write_comparison(struct jsonw *w, const struct bench *b);

#endif
