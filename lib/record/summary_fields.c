/* The fields that many objects of a summary have. */
/*
 * summary_decode - reads what summary_encode writes, from anybody, and trusts nothing.
 */
#include <math.h>
#include <string.h>

#include "lib/record/names.h"
#include "lib/record/reader.h"
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

/* A pair [low, high]; null entries are infinite ends, a missing pair gives NaN. */
void summary_read_interval(struct reader *r, const struct jtree *o, const char *key, double *low,
			   double *high)
{
	const struct jtree *pair = reader_array(r, o, key, MAY, 2), *a, *b;

	*low = *high = (double)NAN;
	if (!pair)
		return;
	a = jtree_item(pair, 0);
	b = jtree_item(pair, 1);
	if (jtree_count(pair) != 2 ||
	    !(jtree_kind(a) == JTREE_NUMBER || jtree_kind(a) == JTREE_NULL) ||
	    !(jtree_kind(b) == JTREE_NUMBER || jtree_kind(b) == JTREE_NULL)) {
		reader_fault(r, ERR_RANGE, key, "must be two numbers");
		return;
	}
	*low = jtree_kind(a) == JTREE_NULL ? -HUGE_VAL : jtree_number(a);
	*high = jtree_kind(b) == JTREE_NULL ? HUGE_VAL : jtree_number(b);
	if (*low > *high)
		reader_fault(r, ERR_RANGE, key, "has its low end above its high end");
}

void summary_read_facts(struct reader *r, const struct jtree *o, struct facts *facts)
{
	const struct jtree *all = reader_object(r, o, "facts", MAY);
	struct jtree_field field = { NULL, NULL, NULL };
	size_t outer = reader_enter(r, "facts");

	if (jtree_count(all) > SUMMARY_MAX_FACTS)
		reader_beyond(r, NULL, "has more than", SUMMARY_MAX_FACTS, "entries");
	while (jtree_next(all, &field)) {
		const char *key = field.key;
		const char *text = reader_text(r, all, key, MAY, SUMMARY_MAX_TEXT);

		if (text && facts_add(facts, key, text, r->err))
			r->failed = true;
	}
	reader_leave(r, outer);
}

const char *summary_read_name(struct reader *r, const struct jtree *o)
{
	const char *name;

	if (!reader_failed(r) && jtree_kind(o) != JTREE_OBJECT)
		reader_fault(r, ERR_RANGE, NULL, "must be an object");
	name = reader_text(r, o, "name", NEED, SUMMARY_MAX_NAME);
	summary_check_not_empty(r, name, "name");
	return reader_failed(r) ? NULL : name;
}
