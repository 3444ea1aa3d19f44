/*
 * hint - "did you mean": the nearest of the words that there are.
 */
#ifndef PAWL_CLI_OPTION_HINT_H
#define PAWL_CLI_OPTION_HINT_H

#include "lib/base/err.h"

/*
 * Puts "did you mean 'BEFOREword'?" into the hint, with the nearest of the words (blanks between),
 * else the hint `otherwise`.  Returns -1.
 */
int hint_nearest(struct err *err, const char *text, const char *words, const char *before,
		 const char *otherwise);

/* The same of a NULL-terminated list. */
int hint_nearest_of(struct err *err, const char *text, const char *const *known, const char *before,
		    const char *otherwise);

#endif
