#include "lib/record/names.h"

#include <string.h>

#include "lib/base/banned.h"

const char *const metric_state_words[METRIC_STATE_N] = {
	[METRIC_OK] = "ok",	    [METRIC_SCALED] = "scaled",	      [METRIC_STARVED] = "starved",
	[METRIC_ABSENT] = "absent", [METRIC_FORBIDDEN] = "forbidden",
};

const char *const bench_status_words[BENCH_STATUS_N] = {
	[BENCH_OK] = "ok",	     [BENCH_FAILED] = "failed",	  [BENCH_TIMEOUT] = "timeout",
	[BENCH_SKIPPED] = "skipped", [BENCH_REMOVED] = "removed",
};

const char *const better_words[2] = {
	[BETTER_LOWER] = "lower",
	[BETTER_HIGHER] = "higher",
};

const char *const output_words[OUTPUT_N] = {
	[OUTPUT_UNKNOWN] = "unknown",
	[OUTPUT_SAME] = "same",
	[OUTPUT_DIFFERS] = "differs",
	[OUTPUT_VARIES] = "varies",
};

const char *const pairs_ran_words[PAIRS_RAN_N] = {
	[PAIRS_RAN_UNKNOWN] = "unknown",
	[PAIRS_RAN_IN_TURN] = "in turn",
	[PAIRS_RAN_AT_ONCE] = "at once",
};

static const char *const verdict_words[VERDICT_N] = {
	[VERDICT_NONE] = "",
	[VERDICT_REGRESSED] = "regressed",
	[VERDICT_IMPROVED] = "improved",
	[VERDICT_UNCHANGED] = "unchanged",
	[VERDICT_INCONCLUSIVE] = "inconclusive",
	[VERDICT_IDENTICAL] = "identical",
	[VERDICT_ADDED] = "added",
	[VERDICT_REMOVED] = "removed",
	[VERDICT_FAILED] = "failed",
	[VERDICT_NO_BASELINE] = "no-baseline",
};

const char *verdict_name(enum verdict v)
{
	return (unsigned)v < VERDICT_N ? verdict_words[v] : "";
}

bool verdict_is_decided(enum verdict v)
{
	return v == VERDICT_REGRESSED || v == VERDICT_IMPROVED || v == VERDICT_UNCHANGED ||
	       v == VERDICT_IDENTICAL;
}

enum verdict verdict_parse(const char *word)
{
	int i;

	for (i = 0; i < VERDICT_N; i++)
		if (!strcmp(verdict_words[i], word))
			return (enum verdict)i;
	return VERDICT_N;
}

const char *metric_state_name(enum metric_state state)
{
	return (unsigned)state < METRIC_STATE_N ? metric_state_words[state] : "";
}

const char *bench_status_name(enum bench_status status)
{
	return (unsigned)status < BENCH_STATUS_N ? bench_status_words[status] : "";
}
