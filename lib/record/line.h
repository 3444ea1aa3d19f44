/*
 * line - one record line of a benchmark executable (docs/RECORD-LINES.md), parsed.
 */
#ifndef PAWL_RECORD_LINE_H
#define PAWL_RECORD_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/record/summary.h"

#define LINE_MAX_BYTES (1u << 20)
#define LINE_MAX_COUNTERS 48

enum line_type {
	LINE_OTHER, /* a type that we do not know: ignored */
	LINE_HELLO,
	LINE_BENCHMARK,
	LINE_CALIBRATION,
	LINE_READY,
	LINE_SLICE,
	LINE_RESULT,
	LINE_NEXT, /* it waits for another order */
	LINE_ERROR,
	LINE_END
};

struct counter_value {
	char *name;
	enum metric_state state;
	double value; /* per iteration; NaN unless ok or scaled */
	char *reason; /* NULL when there is a value */
	char *unit;   /* NULL: a plain count */
	enum better better;
};

/* Only the fields of its type are filled; an absent number is NaN. */
struct line {
	enum line_type type;
	char *name; /* benchmark, calibration, result, error */
	char *text; /* error: message; hello: clock */
	double protocol;
	double slice, iterations;
	double wall_ns, cpu_ns, process_cpu_ns, run_delay_ns, first_ns;
	double voluntary_switches, involuntary_switches;
	double minor_faults, major_faults, migrations, errors;
	double threads; /* that ran the operation at once; absent: one */
	struct counter_value *counters;
	size_t n_counters;
};

/*
 * Parses one line without its end.  *out is initialised here and released on failure.
 * Errors: ERR_SYNTAX, ERR_RANGE (with the place), ERR_LIMIT, ERR_NOMEM.
 */
int line_parse(const char *json, size_t n, struct line *out, struct err *err);
void line_release(struct line *line);

#endif
