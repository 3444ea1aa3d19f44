/*
 * hyperfine_show - what hyperfine's users know, for people and as files of its formats.
 */
#ifndef PAWL_CLI_HYPERFINE_SHOW_H
#define PAWL_CLI_HYPERFINE_SHOW_H

#include "cli/hyperfine/measure.h"
#include "lib/base/buf.h"
#include "lib/base/err.h"

/* How times are written. */
struct hyperfine_unit {
	const char *name;  /* "ms" */
	double per_second; /* 1000 */
	int decimals;	   /* behind the point */
};

/* word: of --time-unit, or NULL: what suits the mean.  Errors: ERR_USAGE. */
int hyperfine_unit_of(const char *word, double mean, struct hyperfine_unit *out, struct err *err);

/* The mean over the fastest one's, and its standard deviation; NaN where there is none. */
struct hyperfine_relative {
	size_t fastest;
	bool known; /* no mean is 0 */
};
struct hyperfine_relative hyperfine_relative_of(const struct hyperfine_results *r);
double hyperfine_ratio(const struct hyperfine_results *r, size_t fastest, size_t i, double *out_sd);

/* The figures of each command, and which is the fastest.  Errors: ERR_USAGE, ERR_NOMEM. */
int hyperfine_text(const struct hyperfine_results *r, const char *unit, struct buf *out,
		   struct err *err);

/* Writes the files that the line asks for.  Errors: ERR_USAGE, ERR_IO, ERR_FULL, ERR_NOMEM. */
int hyperfine_export(const struct hyperfine_line *line, const struct hyperfine_results *r,
		     struct err *err);

#endif
