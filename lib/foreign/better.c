#include "lib/foreign/better.h"

#include <stdbool.h>
#include <string.h>

#include "lib/base/banned.h"

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcasecmp(text + n - m, end);
}

/* Whether it ends in that word, and not only in its letters: "ops" and "read_ops", not "drops". */
static bool ends_in_word(const char *text, const char *word)
{
	size_t n = strlen(text), m = strlen(word);

	return ends_with(text, word) && (n == m || strchr("_-./ :", text[n - m - 1]));
}

enum better foreign_better(const char *metric)
{
	static const char *const ends[] = { "per_second", "per_sec",	"/s",
					    "/sec",	  "/second",	"bps",
					    "flops",	  "throughput", "bandwidth" };
	static const char *const words[] = { "ops", "iops", "fps", "qps", "rps", "tps", "score" };
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (ends_with(metric, ends[i]))
			return BETTER_HIGHER;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (ends_in_word(metric, words[i]))
			return BETTER_HIGHER;
	return BETTER_LOWER;
}
