/*
 * differ - what of two programs differs, and whether what runs of the first one does.
 */
#ifndef PAWL_COLLECTOR_EXTENT_DIFFER_H
#define PAWL_COLLECTOR_EXTENT_DIFFER_H

#include <stdbool.h>

#include "collector/extent/parts.h"
#include "lib/base/strv.h"

struct difference {
	const struct parts *base, *head;
	bool *changed;	       /* of each part of the base: the head has it not, or another one */
	size_t n_functions;    /* of both */
	struct strv functions; /* names of those that differ, or that one alone has */
	size_t n_data;	       /* parts of the base that differ and are no function */
	bool is_elsewhere;     /* what decides what runs differs: nothing can be told */
};

#define DIFFERENCE_INIT \
	{ \
		NULL, NULL, NULL, 0, STRV_INIT, 0, false \
	}

/* Compares them; both must outlive it.  Errors: ERR_NOMEM. */
int differ_make(const struct parts *base, const struct parts *head, struct difference *out,
		struct err *err);
void differ_release(struct difference *d); /* accepts DIFFERENCE_INIT */

/*
 * Appends what differs of all that runs, or is read, where the base's functions run that are marked
 * in runs (one for each part; NULL: none but what always runs): names of functions; "NAME (data)"
 * where data of a function does.  Nothing was appended: on the head the same happens, step by step.
 * Errors: ERR_NOMEM.
 */
int differ_executed(const struct difference *d, const bool *runs, struct strv *out,
		    struct err *err);

/*
 * The same functions in the head: of_head[i], one for each of its parts, all false before, where
 * the base's is in runs.  Errors: ERR_NOMEM.
 */
int differ_of_head(const struct difference *d, const bool *runs, bool *of_head, struct err *err);

#endif
