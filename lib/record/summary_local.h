/*
 * summary_local - what the halves of summary_decode share, and those of summary_encode.
 */
#ifndef PAWL_RECORD_SUMMARY_LOCAL_H
#define PAWL_RECORD_SUMMARY_LOCAL_H

#include "lib/base/jsonw.h"
#include "lib/record/reader/reader.h"
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

/* The value that is next is a git object id. */
bool summary_read_hex(struct reader *r, const char *key, char **out);

/* A pair [low, high]; null entries are infinite ends, a missing pair gives NaN. */
bool summary_read_interval(struct reader *r, double *low, double *high);

/* The value that is next is a name that is not empty, of the key "name". */
bool summary_read_name(struct reader *r, char **out);

/* An item of an array, as reader_object(), but null is none. */
bool summary_read_item(struct reader *r);

/* An object of texts. */
void summary_read_facts(struct reader *r, struct facts *facts);

/* The members of a summary of these names, and what they are read into. */
void summary_read_commit(struct reader *r, struct commit_tag *c);
void summary_read_machine(struct reader *r, struct machine *m);
void summary_read_environment(struct reader *r, struct environment *e);
void summary_read_settings(struct reader *r, struct settings *s);
void summary_read_baseline(struct reader *r, struct baseline *b);
void summary_read_sides(struct reader *r, struct sides *s);
void summary_read_unbuilt(struct reader *r, struct unbuilt *u);
void summary_read_imported(struct reader *r, struct summary *s);

/* What the commit accepts. */
void summary_read_accepted(struct reader *r, struct summary *s);

/* One benchmark, into *b, which is empty; its name is not NULL unless the reader failed. */
void summary_read_bench(struct reader *r, struct bench *b);

/* What a comparison told of it; false: the member is another one. */
bool summary_read_comparison(struct reader *r, struct bench *b);

void summary_write_time(struct jsonw *w, const char *key, int64_t us);
/* Each as summary_write_text() writes it. */
void summary_write_strings(struct jsonw *w, const char *key, const struct strv *list, size_t max);

/* What a comparison adds to a benchmark. */
void summary_write_comparison(struct jsonw *w, const struct bench *b);

#endif
