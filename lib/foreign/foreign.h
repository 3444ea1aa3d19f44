/*
 * foreign - what other harnesses write, read into the structures of a summary; one table.
 *
 * A format gives benchmarks with metrics: raw samples where it has them, else the figures it has.
 * Times become ns under the names wall and cpu.  What has no place there is kept in its own words:
 * of a benchmark in bench.facts, of the file in imported_file.facts.  No I/O.
 */
#ifndef PAWL_FOREIGN_FOREIGN_H
#define PAWL_FOREIGN_FOREIGN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"

#define FOREIGN_MAX_BYTES (64u << 20) /* of one input; beyond it ERR_LIMIT */

struct foreign_doc;  /* lib/foreign/doc.h */
struct foreign_sink; /* lib/foreign/sink.h */

struct foreign_format {
	const char *name; /* "google": also the word of `format =` in a configuration */
	const char *what; /* "google-benchmark's JSON" */
	/* Whether the content is of this format, by what only it has. */
	bool (*recognise)(const struct foreign_doc *doc);
	/* Errors: ERR_SYNTAX, ERR_RANGE, ERR_LIMIT with the line or field; ERR_NOMEM. */
	int (*parse)(const struct foreign_doc *doc, struct foreign_sink *to, struct err *err);
};

/* In the order in which they are tried. */
extern const struct foreign_format foreign_formats[];
extern const size_t foreign_n_formats;

/* By name; NULL when there is none. */
const struct foreign_format *foreign_find(const char *name);

/* An input: the file's name stands in messages, and names what a format leaves without a name. */
struct foreign_text {
	const char *name, *data;
	size_t n;
	const volatile sig_atomic_t *stop; /* not 0: give up; may be NULL */
};

/*
 * Appends the benchmarks of the input to out, and to out->imported one entry with format and
 * facts (its sha256 is left to the caller).  started_us and finished_us of out are moved to where
 * the input says when it was measured, if it does.  format NULL: the one that recognises it.
 *
 * Repetitions of one benchmark are its samples where the format knows repetitions; another name
 * twice, in one file or over several, is a fault.
 *
 * Errors: ERR_SYNTAX for what is broken or in no known format (the text names them), ERR_RANGE a
 *         negative time, an unknown unit, a missing field; ERR_LIMIT; ERR_CONFLICT a name twice;
 *         ERR_STOPPED, ERR_NOMEM.  All begin with the input's name.  After a failure out must be
 * released. Cost:   O(n).
 */
int foreign_read(const struct foreign_text *text, const struct foreign_format *format,
		 struct summary *out, struct err *err);

#endif
