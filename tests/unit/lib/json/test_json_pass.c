/* Whole numbers that are passed, eight characters at a time: as if each had been read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/buf.h"
#include "lib/json/pull.h"
#include "tests/unit/lib/json/test_json_chance.h"

#include "lib/base/banned.h"

#define ROUNDS 60000

/* Mostly what most arrays hold; now and then what is none, or ends a row of whole numbers. */
static void add_item(struct buf *out, unsigned often)
{
	static const char *const others[] = { "-1", "1.5",  "1e3",   "00",  "01",   "",	    " 2",
					      "3 ", "null", "\"4\"", "[5]", "1x",   "\xff", "0\n1",
					      "1,", ".5",   "{}",    "-",   "true", "1]" };
	unsigned i, n = 1 + chance(chance(12) ? 8 : 21);

	if (!chance(often)) {
		buf_adds(out, others[chance(sizeof(others) / sizeof(others[0]))]);
		return;
	}
	if (!chance(4)) {
		buf_adds(out, "0");
		return;
	}
	buf_addc(out, (char)('1' + chance(9)));
	for (i = 1; i < n; i++)
		buf_addc(out, (char)('0' + chance(10)));
}

struct seen {
	size_t items, values;
	size_t passed; /* of the items */
	bool failed;
	struct err err;
};

/* Goes through the array; most: so many items, at most, are passed at a time; 0: none.  max: so
 * many values are accepted. */
static void go_through(const struct buf *json, size_t most, size_t max, struct seen *out)
{
	struct pull_number number;
	struct pull s;

	*out = (struct seen){ .err = ERR_INIT };
	pull_open(&s, buf_str(json), json->len, max, 4, &out->err);
	assert_true(pull_enter(&s));
	for (;;) {
		size_t n = most ? pull_pass(&s, most) : 0;
		double few[4];

		assert_true(n <= most);
		out->passed += n;
		out->items += n;
		if (most % 2)
			out->items += pull_short(&s, few, 4);
		if (!pull_item(&s))
			break;
		out->items++;
		if (pull_kind(&s) == PULL_NUMBER)
			pull_number(&s, &number);
	}
	out->values = s.n;
	out->failed = pull_finish(&s) != 0;
	pull_release(&s);
}

static void what_is_passed_is_what_would_be_read(void **state)
{
	struct buf json = BUF_INIT;
	struct seen read, passed;
	size_t most_passed = 0, faults = 0, max;
	int round;

	(void)state;
	for (round = 0; round < ROUNDS; round++) {
		unsigned i, n = chance(40), often = round % 2 ? 12 : 200;

		buf_reset(&json);
		buf_addc(&json, '[');
		for (i = 0; i < n; i++) {
			buf_adds(&json, i ? "," : "");
			add_item(&json, often);
		}
		buf_adds(&json, chance(50) ? "]" : "");
		max = chance(4) ? 1000 : 1 + chance(45);
		go_through(&json, 0, max, &read);
		go_through(&json, chance(4) ? 1000 + chance(2) : 8 + chance(20), max, &passed);
		if (read.failed != passed.failed || strcmp(read.err.text, passed.err.text) != 0)
			fail_msg("%s: '%s', '%s'", buf_str(&json), read.err.text, passed.err.text);
		assert_int_equal(read.items, passed.items);
		assert_int_equal(read.values, passed.values);
		most_passed += passed.passed;
		faults += read.failed;
	}
	/* Neither is it for nothing. */
	assert_true(most_passed > ROUNDS * 5);
	assert_true(faults > ROUNDS / 10);
	buf_release(&json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_passed_is_what_would_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
