/* Keys, which mostly are those that an object before had: the same, whether they are guessed or
 * read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/buf.h"
#include "lib/json/pull.h"
#include "tests/unit/lib/json/test_json_chance.h"

#include "lib/base/banned.h"

#define ROUNDS 40000

/* Some begin as others do, or are written in another way. */
static const char *const names[] = { "a",
				     "b",
				     "ab",
				     "abcdefg",
				     "abcdefgh",
				     "abcdefghi",
				     "bbcdefghi",
				     "abcdefghijklmno",
				     "abcdefghijklmnop",
				     "abcdefghijklmnopq",
				     "",
				     "\\u0061b",
				     "abcdefg\\u0068i",
				     "\xc3\xa4",
				     "abcdefghijklmnox",
				     "a\\\\b",
				     "x\\\"",
				     "abcdefghijklmnopr" };

static void add_object(struct buf *out, unsigned depth)
{
	unsigned i, n = chance(40) ? chance(5) : 38 + chance(8), at = chance(16);

	buf_addc(out, '{');
	for (i = 0; i < n; i++) {
		/* In the order of the table, as documents have it, or in any. */
		at = chance(6) ? (at + 1) % 18 : chance(18);
		buf_addf(out, "%s\"%s", i ? "," : "", names[at]);
		if (n > 18 && chance(80)) /* mostly no key is there twice */
			buf_addf(out, "%u", i);
		buf_addf(out, "\"%s:", chance(30) ? "" : " ");
		if (depth && !chance(6))
			add_object(out, depth - 1);
		else
			buf_adds(out, chance(60) ? "1" : "\"s\"");
	}
	buf_addc(out, '}');
}

/* To the end of the object, and back: later objects were seen then. */
static void look_ahead(struct pull *s)
{
	struct pull_text key;
	struct pull_mark mark;

	pull_mark(s, &mark);
	while (pull_key(s, &key))
		;
	if (!s->failed)
		pull_back(s, &mark);
}

/* The keys of the array's objects, and of those within. */
static void collect(const struct buf *json, bool keeps, struct buf *out, struct err *fault)
{
	struct pull_text key;
	unsigned objects = 0;
	struct pull s;

	buf_reset(out);
	*fault = (struct err)ERR_INIT;
	pull_open(&s, buf_str(json), json->len, 10000, 8, fault);
	s.keeps = keeps;
	assert_true(pull_enter(&s));
	while (!s.failed && s.depth) {
		if (!s.frames[s.depth - 1].is_object ? !pull_item(&s) : !pull_key(&s, &key))
			continue;
		if (s.frames[s.depth - 1].is_object) {
			buf_addf(out, "%zu ", key.n);
			buf_add(out, key.text, key.n);
		}
		if (pull_kind(&s) != PULL_OBJECT)
			pull_skip(&s);
		else if (pull_enter(&s) && ++objects % 3 == 0)
			look_ahead(&s);
	}
	pull_finish(&s);
	pull_release(&s);
}

static void guessed_keys_are_those_that_are_there(void **state)
{
	struct buf json = BUF_INIT, guessed = BUF_INIT, read = BUF_INIT;
	struct err of_guessed, of_read;
	unsigned round, i, faults = 0;

	(void)state;
	for (round = 0; round < ROUNDS; round++) {
		unsigned n = 1 + chance(8);

		buf_reset(&json);
		buf_addc(&json, '[');
		for (i = 0; i < n; i++) {
			buf_adds(&json, i ? "," : "");
			add_object(&json, 3);
		}
		buf_adds(&json, "]");
		if (!chance(20)) /* broken off */
			buf_truncate(&json, json.len - chance((unsigned)json.len));
		buf_adds(&json, "");
		if (json.len < 2)
			continue;
		/* Keys that are kept are never guessed. */
		collect(&json, true, &read, &of_read);
		collect(&json, false, &guessed, &of_guessed);
		if (strcmp(of_read.text, of_guessed.text) != 0)
			fail_msg("round %u: '%s', '%s'", round, of_read.text, of_guessed.text);
		/* Of many members a key that is there twice is told ahead. */
		if ((of_read.code ? guessed.len > read.len : guessed.len != read.len) ||
		    memcmp(buf_str(&read), buf_str(&guessed), guessed.len) != 0)
			fail_msg("round %u: %.1000s", round, buf_str(&json));
		faults += of_read.code != ERR_NONE;
	}
	assert_true(faults > ROUNDS / 20 && faults < ROUNDS / 2);
	buf_release(&json);
	buf_release(&guessed);
	buf_release(&read);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(guessed_keys_are_those_that_are_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
