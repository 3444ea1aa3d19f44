/*
 * apply - where the value of each option goes, and what a time says.
 */
#ifndef PAWL_CLI_OPTION_APPLY_H
#define PAWL_CLI_OPTION_APPLY_H

#include "cli/option/options.h"
#include "lib/base/err.h"

/*
 * Puts one option into *o; value is NULL for one that takes none.  A list gets one more.
 * Errors: ERR_USAGE for a value that is no colour; ERR_NOMEM.
 */
int option_apply(struct options *o, const struct option_row *row, const char *value,
		 struct err *err);

/*
 * The time that option was given; *out_ns stays as it is where text is NULL.
 * Errors: ERR_USAGE no time, or less than least_ns.
 */
int option_time(const char *option, const char *text, uint64_t least_ns, uint64_t *out_ns,
		struct err *err);

#endif
