/* Unit tests of lib/base/talk.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/talk.h"

#include "lib/base/banned.h"

struct heard {
	char line[2048];
	const char *cure;
	double done, total;
};

static void hear_warning(void *ctx, const char *text, const char *cure)
{
	struct heard *heard = ctx;

	snprintf(heard->line, sizeof(heard->line), "warn: %s", text);
	heard->cure = cure;
}

static void hear_note(void *ctx, const char *text)
{
	struct heard *heard = ctx;

	snprintf(heard->line, sizeof(heard->line), "note: %s", text);
}

static void hear_progress(void *ctx, double done, double total, const char *text)
{
	struct heard *heard = ctx;

	snprintf(heard->line, sizeof(heard->line), "progress: %s", text);
	heard->done = done;
	heard->total = total;
}

static void what_is_said_is_heard(void **state)
{
	struct heard heard = { "", NULL, 0, 0 };
	const struct talk talk = { hear_warning, hear_note, hear_progress, &heard };

	(void)state;
	talk_warn(&talk, "cure", "%d left", 3);
	assert_string_equal(heard.line, "warn: 3 left");
	assert_string_equal(heard.cure, "cure");
	talk_note(&talk, "%s", "100% done");
	assert_string_equal(heard.line, "note: 100% done");
	talk_progress(&talk, 2, 5, "run %d", 7);
	assert_string_equal(heard.line, "progress: run 7");
	assert_true(heard.done == 2 && heard.total == 5);
}

static void nobody_need_listen(void **state)
{
	const struct talk silent = { NULL, NULL, NULL, NULL };

	(void)state;
	talk_warn(NULL, NULL, "x");
	talk_note(NULL, "x");
	talk_progress(NULL, 1, 2, "x");
	talk_warn(&silent, NULL, "x");
	talk_note(&silent, "x");
	talk_progress(&silent, 1, 2, "x");
}

static void a_long_line_is_cut(void **state)
{
	struct heard heard = { "", NULL, 0, 0 };
	const struct talk talk = { hear_warning, hear_note, hear_progress, &heard };
	char big[5000];

	(void)state;
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	talk_note(&talk, "%s", big);
	assert_true(strlen(heard.line) < 1100 && strlen(heard.line) > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_said_is_heard),
		cmocka_unit_test(nobody_need_listen),
		cmocka_unit_test(a_long_line_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
