/* The fields that many objects of a summary have. */
/*
 * summary_decode - reads what summary_encode writes, from anybody, and trusts nothing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/record/names.h"
#include "lib/record/reader/reader.h"
#include "lib/record/summary_local.h"

#include "lib/base/banned.h"

static bool is_hex_id(const char *text)
{
	size_t n = strlen(text);

	return (n == 40 || n == 64) && strspn(text, "0123456789abcdef") == n;
}

void summary_check_hex(struct reader *r, const char *text, const char *key)
{
	if (text && !is_hex_id(text))
		reader_fault(r, ERR_RANGE, key, "must be 40 or 64 hex digits");
}

void summary_check_not_empty(struct reader *r, const char *text, const char *key)
{
	if (text && !*text)
		reader_fault(r, ERR_RANGE, key, "is empty");
}

/* An end of a pair: a number, or null for an infinite one. */
static bool read_end(struct reader *r, double infinite, double *out)
{
	enum pull_kind kind = reader_kind(r);

	if (kind == PULL_NUMBER)
		return reader_number(r, out);
	if (kind == PULL_NULL)
		*out = infinite;
	return kind == PULL_NULL;
}

/* A pair [low, high]; null entries are infinite ends, a missing pair gives NaN. */
bool summary_read_interval(struct reader *r, double *low, double *high)
{
	size_t n = 0, n_ends = 0;

	*low = *high = (double)NAN;
	if (!reader_array(r, 2))
		return false;
	while (reader_item(r)) {
		n_ends += n ? read_end(r, HUGE_VAL, high) : read_end(r, -HUGE_VAL, low);
		n++;
	}
	if (n != 2 || n_ends != 2)
		reader_fault(r, ERR_RANGE, NULL, "must be two numbers");
	else if (*low > *high)
		reader_fault(r, ERR_RANGE, NULL, "has its low end above its high end");
	reader_leave(r);
	return !reader_failed(r);
}

void summary_read_facts(struct reader *r, struct facts *facts)
{
	size_t n = 0;

	if (!reader_object(r))
		return;
	while (reader_next(r)) {
		const char *text;
		char *key;

		if (n++ >= SUMMARY_MAX_FACTS)
			reader_beyond(r, NULL, "has more than", SUMMARY_MAX_FACTS, "entries");
		if (r->here.n_key > SUMMARY_MAX_NAME)
			reader_beyond(r, NULL, "has a name longer than", SUMMARY_MAX_NAME, "bytes");
		text = reader_text(r, SUMMARY_MAX_TEXT);
		key = text ? reader_key(r) : NULL;
		if (key && facts_add(facts, key, text, r->err))
			r->failed = true;
		free(key);
	}
	reader_leave(r);
}

bool summary_read_name(struct reader *r, char **out)
{
	const char *text = reader_text(r, SUMMARY_MAX_NAME);

	if (!text)
		return false;
	if (!*text)
		reader_fault_here(r, ERR_RANGE, "is empty");
	return reader_keep(r, text, out);
}

bool summary_read_item(struct reader *r)
{
	if (reader_kind(r) == PULL_NULL)
		reader_fault_here(r, ERR_RANGE, "must be an object");
	return reader_object(r);
}

bool summary_read_hex(struct reader *r, const char *key, char **out)
{
	bool is_there = reader_string(r, 64, out);

	summary_check_hex(r, *out, key);
	return is_there;
}
