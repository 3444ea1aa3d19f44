/*
 * local - what the halves of the reader share.
 */
#ifndef PAWL_RECORD_READER_LOCAL_H
#define PAWL_RECORD_READER_LOCAL_H

#include "lib/record/reader/reader.h"

#define READER_LIMIT 80

/* "has more than 10 items" */
void reader_limit_text(char out[READER_LIMIT], const char *than, size_t most, const char *what);

/* Whether what is next is of that kind; of anything but null it has to be. */
bool reader_is_next(struct reader *r, enum pull_kind wanted, const char *must);

/* After a call that may have found the document broken: whether it did not. */
static inline bool reader_went_well(struct reader *r)
{
	r->failed = r->failed || r->pull.failed;
	return !r->failed;
}

#endif
