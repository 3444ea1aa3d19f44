/*
 * hyperfine_line - what a command line of hyperfine says.
 *
 * Its options have letters and values of their own, so they are in a table of their own, which
 * --help, the manual and the completion of shells read as they read cli/option/options.c.
 */
#ifndef PAWL_CLI_HYPERFINE_LINE_H
#define PAWL_CLI_HYPERFINE_LINE_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

struct hyperfine_line {
	struct strv commands, names, prepare, conclude;
	struct strv lists; /* pairs: name, values as given */
	struct strv scan;  /* name, first, last; or empty */
	const char *step, *setup, *cleanup, *shell, *input, *output, *style, *unit, *reference;
	const char *warmup, *runs, *min_runs, *max_runs;
	const char *json, *csv, *markdown, *asciidoc, *orgmode, *summary;
	bool no_shell, ignore_failure, version;
};

void hyperfine_line_release(struct hyperfine_line *line);

/*
 * words: all behind "pawl hyperfine".
 * Errors: ERR_USAGE for an option that is not known (with the nearest), is not offered (with what
 * to use instead), lacks a value or is given twice; no command; values that contradict each other.
 * ERR_NOMEM.
 */
int hyperfine_line_parse(const struct strv *words, struct hyperfine_line *out, struct err *err);

#endif
