/*
 * profile_diff - what one build spends more than another, function by function, line by line.
 *
 * The two profiles come from two trees: call profile_strip() on both first.
 */
#ifndef PAWL_PROFILE_PROFILE_DIFF_H
#define PAWL_PROFILE_PROFILE_DIFF_H

#include "lib/profile/profile.h"

/* One function on both sides; NULL on the side that does not run it. */
struct function_delta {
	const struct profile_function *base, *head;
	double delta; /* of the self cost: head - base */
};

struct profile_diff {
	struct function_delta *v; /* by |delta|, the greatest first; those without any left out */
	size_t n;
	double base, head; /* totals */
};

#define PROFILE_DIFF_INIT \
	{ \
		NULL, 0, 0, 0 \
	}

/*
 * Functions belong together by name and by the last part of the object's name; where a side has
 * several of these (static functions, overloads), by their file too.
 *
 * Shape:  points into both profiles, which must outlive it.
 * Errors: ERR_NOMEM; *out is untouched.
 * Cost:   O(n log n).
 */
int profile_diff(const struct profile *base, const struct profile *head, struct profile_diff *out,
		 struct err *err);
void profile_diff_release(struct profile_diff *d);

/* Name, object and file as the head has them, else as the base had. */
const struct profile_function *function_delta_either(const struct function_delta *d);

/* Which lines of two versions of a text are the same line. */
struct line_map {
	unsigned *to; /* to[i]: line of the head that line i of the base became; 0: gone */
	unsigned n;   /* lines of the base; to[0] is not used */
	unsigned n_head;
};

#define LINE_MAP_INIT \
	{ \
		NULL, 0, 0 \
	}

/*
 * Lines count from 1.  Equal beginnings and ends are the same; in what lies between, the longest
 * common subsequence as long as it fits LINE_MAP_MAX_CELLS, else nothing is.  Between two lines
 * that stayed, as many new ones as old ones are taken for edited, one for one.
 *
 * Errors: ERR_NOMEM; *out is untouched.
 */
#define LINE_MAP_MAX_CELLS 16000000u
int line_map_make(const char *base, size_t n_base, const char *head, size_t n_head,
		  struct line_map *out, struct err *err);
void line_map_release(struct line_map *m);

/* The head's number of a line of the base; without a map the same number; 0: gone. */
unsigned line_map_find(const struct line_map *m, unsigned line);

struct line_delta {
	const char *file;
	unsigned base_line, head_line; /* 0: not there, or not known */
	double base, head, delta;
};

/*
 * The lines of one function of a diff, by |delta|; free() *out.  map_of gives the map of a file,
 * or NULL; it may be NULL itself.
 * Errors: ERR_NOMEM; *out is untouched.
 */
int profile_line_diff(const struct function_delta *d,
		      const struct line_map *(*map_of)(void *ctx, const char *file), void *ctx,
		      struct line_delta **out, size_t *out_n, struct err *err);

#endif
