/*
 * option_apply - where the value of each option goes.
 */
#ifndef PAWL_CLI_OPTION_APPLY_H
#define PAWL_CLI_OPTION_APPLY_H

#include "cli/options.h"
#include "lib/base/err.h"

/*
 * Puts one option into *o; value is NULL for one that takes none.  A list gets one more.
 * Errors: ERR_USAGE for a value that is no colour; ERR_NOMEM.
 */
int option_apply(struct options *o, const struct option_row *row, const char *value,
		 struct err *err);

#endif
