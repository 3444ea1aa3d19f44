/* A record line of a benchmark executable. */
#include "tests/fuzz/fuzz.h"

#include <math.h>

#include "lib/record/line.h"

#include "lib/base/banned.h"

static bool has_stretch(enum line_type type)
{
	return type == LINE_CALIBRATION || type == LINE_SLICE || type == LINE_RESULT;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct err err = ERR_INIT;
	struct line line;
	size_t i;

	if (line_parse((const char *)data, n, &line, &err)) {
		must(err.code != ERR_NONE && fuzz_is_line(err.text));
		must(!line.name && !line.text && !line.counters && !line.n_counters);
		return 0;
	}
	fuzz_accept();
	if (has_stretch(line.type))
		must(line.iterations >= 1 && line.wall_ns >= 0 && isfinite(line.wall_ns));
	must(line.n_counters <= LINE_MAX_COUNTERS);
	for (i = 0; i < line.n_counters; i++) {
		must(line.counters[i].name);
		must(line.counters[i].state > METRIC_SCALED || isfinite(line.counters[i].value));
	}
	line_release(&line);
	return 0;
}
