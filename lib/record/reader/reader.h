/*
 * reader - typed, limited access to a JSON document of a known form, in the order in which it comes
 * (lib/json/pull.h); a fault names its path.
 *
 * An object is read member by member, and what nobody asks for is skipped:
 *
 *	if (!reader_object(r))
 *		return;
 *	while (reader_next(r)) {
 *		if (reader_at(r, "name"))
 *			has_name = reader_string(r, 255, &name);
 *		else if (reader_at(r, "count"))
 *			reader_integer(r, 0, 10, &count);
 *	}
 *	reader_need(r, has_name, "name");
 *	reader_leave(r);
 *
 * The first fault is kept, every later call does nothing and returns a neutral value, so that a
 * decoder reads straight through and looks once, when it ends: reader_close().  Only that what is
 * left is no JSON at all is a worse fault than any other.
 */
#ifndef PAWL_RECORD_READER_READER_H
#define PAWL_RECORD_READER_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/json/pull.h"
#include "lib/record/reader/arena.h"

#define READER_PATH 320
#define READER_STEPS 32 /* deeper ones are not named */

/* Into a member, or with key NULL into an item. */
struct reader_step {
	const char *key; /* of n_key bytes */
	size_t n_key;
	size_t index;
	size_t most; /* items of its array */
};

struct reader {
	struct pull pull;
	struct err *err;
	bool failed;
	size_t n_steps; /* from the document to the object or array that is read */
	struct reader_step steps[READER_STEPS];
	struct reader_step here; /* its member or item whose value is next */
	size_t room;		 /* bytes that what is read may still take */
	struct arena *brief;	 /* see summary_decode_brief(); NULL: all is kept */
	struct arena *kept_in;	 /* what is kept now lies there; NULL: each for itself */
	size_t n_tracks;	 /* of the benchmark, whether they are kept or not */
	double *numbers;
	size_t cap; /* of them */
};

/* Begins: the value that is next is the document.  reader_close() ends it in any case. */
void reader_open(struct reader *r, const char *json, size_t n, size_t max_values,
		 unsigned max_depth, struct err *err);
/* 0, or -1 with the fault: of what was read, or that what is left of it is broken. */
int reader_close(struct reader *r);

bool reader_failed(const struct reader *r);

/* Records the fault of the object or array that is read, or below it at key. */
void reader_fault(struct reader *r, enum err_code code, const char *key, const char *what);
/* The same of the value that is next, or was read last. */
void reader_fault_here(struct reader *r, enum err_code code, const char *what);
/* Of a limit, as reader_fault(): "has more than 10 items". */
void reader_beyond(struct reader *r, const char *key, const char *than, size_t most,
		   const char *what);
/* That a member is missing, unless it is there. */
void reader_need(struct reader *r, bool is_there, const char *key);

/* What the value that is next is; PULL_NONE after a fault. */
enum pull_kind reader_kind(struct reader *r);

/* Whether the value that is next is an object, which is read now.  Of null nothing is: false; of
 * anything else it is a fault. */
bool reader_object(struct reader *r);
/* To its next member; false behind the last one, and after a fault. */
bool reader_next(struct reader *r);
/* Whether the member has that key. */
static inline bool reader_at(const struct reader *r, const char *key)
{
	size_t n = strlen(key); /* of what is written in the program, no work */

	return r->here.n_key == n && !memcmp(r->here.key, key, n);
}

/* The same for an array of at most so many items. */
bool reader_array(struct reader *r, size_t max);
bool reader_item(struct reader *r);
/* The number of the item. */
static inline size_t reader_index(const struct reader *r)
{
	return r->here.index;
}

/* Out of the object or array again, which was read to its end. */
void reader_leave(struct reader *r);

/*
 * Of the object that is read, what a member of that key is that is still to come; PULL_NONE: there
 * is none.  Nothing is read by it; what is between is gone through once more than otherwise.
 */
enum pull_kind reader_later(struct reader *r, const char *key);
/* The same: its text, for the caller to free, whatever it holds; NULL: it is none. */
char *reader_later_text(struct reader *r, const char *key);

/*
 * The value that is next.  null leaves NULL, NaN, 0 or false, and gives false, as a fault does.
 */
/* The string, at most max bytes and no control characters but \n \t, until the next call. */
const char *reader_text(struct reader *r, size_t max);
/* Replaces *out by a copy of it. */
bool reader_string(struct reader *r, size_t max, char **out);
/* The same of one that reader_text() gave last.  out NULL: it is of no use. */
bool reader_keep(struct reader *r, const char *text, char **out);
/* The key of the member; NULL without memory, and the reader failed. */
char *reader_key(struct reader *r);
bool reader_number(struct reader *r, double *out);
bool reader_integer(struct reader *r, int64_t low, int64_t high, int64_t *out);
bool reader_bool(struct reader *r, bool *out);
/* "2026-11-20T10:00:00Z" */
bool reader_time(struct reader *r, int64_t *out_us);
/* One of n words; *out its index; untouched without one. */
bool reader_word(struct reader *r, const char *const *words, int n, int *out);
bool reader_strings(struct reader *r, size_t max_items, size_t max, struct strv *out);
/* An array of numbers.  out NULL: they are of no use. */
bool reader_numbers(struct reader *r, size_t max, double **out, size_t *out_n);

#endif
