/*
 * hyperfine_parameters - the values that --parameter-scan and --parameter-list name.
 */
#ifndef PAWL_CLI_HYPERFINE_PARAMETERS_H
#define PAWL_CLI_HYPERFINE_PARAMETERS_H

#include <stddef.h>

#include "cli/hyperfine/line.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"

/* One parameter: its name and its values as texts. */
struct hyperfine_parameter {
	const char *name; /* of the line */
	struct strv values;
};

/*
 * *out is an array of *out_n, released by hyperfine_parameters_free().
 * most: of values.  Errors: ERR_USAGE, ERR_NOMEM.
 */
int hyperfine_parameters(const struct hyperfine_line *line, size_t most,
			 struct hyperfine_parameter **out, size_t *out_n, struct err *err);
void hyperfine_parameters_free(struct hyperfine_parameter *v, size_t n);

#endif
