/*
 * hyperfine_rows - the options of pawl hyperfine, for its parser and its help.
 */
#ifndef PAWL_CLI_HYPERFINE_ROWS_H
#define PAWL_CLI_HYPERFINE_ROWS_H

#include "cli/option/options.h"

/* Ended by a row without a name.  An option takes as many values as its argument has words. */
extern const struct option_row hyperfine_rows[];

/* What to use in place of an option of hyperfine that is not offered; NULL: it is none of those. */
const char *hyperfine_instead(const char *name);

#endif
