/*
 * reader - typed, limited access to a parsed JSON document; a fault names its path.
 *
 * The first fault is kept, every later call does nothing and returns a neutral value,
 * so that a decoder reads straight through and checks once with reader_failed().
 */
#ifndef PAWL_RECORD_READER_H
#define PAWL_RECORD_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/json/jtree.h"

#define READER_PATH 320
#define READER_STEPS 32 /* deeper ones are not named */

/* Into a member, or with key NULL into an item. */
struct reader_step {
	const char *key;
	size_t index;
};

struct reader {
	struct err *err;
	bool failed;
	size_t n_steps; /* from the document to the place */
	struct reader_step steps[READER_STEPS];
	size_t room; /* bytes that what is read may still take */
};

void reader_init(struct reader *r, struct err *err);
bool reader_failed(const struct reader *r);
/* Records the fault at the current path, below it at key when key is not NULL. */
void reader_fault(struct reader *r, enum err_code code, const char *key, const char *what);
/* The same of a limit: "has more than 10 items". */
void reader_beyond(struct reader *r, const char *key, const char *than, size_t most,
		   const char *what);

/* The path of the place: "benchmarks[2].metrics[0]", "document" for all of it. */
void reader_path(const struct reader *r, char out[READER_PATH]);

/* Going down and up again; what is returned leads back.  The key stays the caller's. */
size_t reader_enter(struct reader *r, const char *key);
size_t reader_enter_item(struct reader *r, size_t index);
void reader_leave(struct reader *r, size_t outer);

/*
 * Fields of an object.  A missing required one is a fault; a missing or null optional
 * one gives NULL, NaN, 0 or false.
 */
enum need { NEED, MAY };
const struct jtree *reader_object(struct reader *r, const struct jtree *parent, const char *key,
				  enum need need);
const struct jtree *reader_array(struct reader *r, const struct jtree *parent, const char *key,
				 enum need need, size_t max);
/* The string in its tree, within the limits of reader_string(); NULL where that leaves *out. */
const char *reader_text(struct reader *r, const struct jtree *parent, const char *key,
			enum need need, size_t max);
/* Replaces *out by a copy of the string, at most max bytes and no control characters but \n \t. */
void reader_string(struct reader *r, const struct jtree *parent, const char *key, enum need need,
		   size_t max, char **out);
void reader_number(struct reader *r, const struct jtree *parent, const char *key, enum need need,
		   double *out);
void reader_integer(struct reader *r, const struct jtree *parent, const char *key, enum need need,
		    int64_t low, int64_t high, int64_t *out);
void reader_bool(struct reader *r, const struct jtree *parent, const char *key, enum need need,
		 bool *out);
/* "2026-11-20T10:00:00Z" */
void reader_time(struct reader *r, const struct jtree *parent, const char *key, int64_t *out_us);
/* One of n words; *out its index; untouched when absent and not needed. */
void reader_word(struct reader *r, const struct jtree *parent, const char *key, enum need need,
		 const char *const *words, int n, int *out);
void reader_strings(struct reader *r, const struct jtree *parent, const char *key, enum need need,
		    size_t max_items, size_t max, struct strv *out);
/* An array of finite numbers. */
void reader_numbers(struct reader *r, const struct jtree *parent, const char *key, size_t max,
		    double **out, size_t *out_n);

#endif
