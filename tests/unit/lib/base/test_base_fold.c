#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/buf.h"
#include "lib/base/fold.h"

#include "lib/base/banned.h"

static void on_warn(void *ctx, const char *text, const char *cure)
{
	buf_addf(ctx, "W %s|%s\n", text, cure ? cure : "");
}

static void on_note(void *ctx, const char *text)
{
	buf_addf(ctx, "N %s\n", text);
}

static void on_progress(void *ctx, double done, double total, const char *text)
{
	buf_addf(ctx, "P %g/%g %s\n", done, total, text);
}

static void a_warning_of_each_benchmark_is_one_line_with_a_count(void **state)
{
	struct buf said = BUF_INIT;
	const struct talk talk = { on_warn, on_note, on_progress, &said };
	struct fold fold;
	int i;

	(void)state;
	fold_begin(&fold, &talk);
	for (i = 1; i <= 1000; i++) {
		talk_warn(&fold.talk, "do more", "'c%d' is short", i);
		if (i == 500)
			talk_warn(&fold.talk, "end it", "'c%d' left one behind", i);
	}
	assert_string_equal(buf_str(&said), "");
	talk_warn(&fold.talk, NULL, "by itself");
	talk_note(&fold.talk, "a %s", "note");
	talk_progress(&fold.talk, 1, 2, "running");
	fold_end(&fold);
	assert_string_equal(buf_str(&said), "W by itself|\nN a note\nP 1/2 running\n"
					    "W 'c1' is short (and 999 more like it)|do more\n"
					    "W 'c500' left one behind|end it\n");
	fold_end(&fold);
	buf_release(&said);
}

static void more_kinds_than_there_is_room_for_are_not_lost(void **state)
{
	struct buf said = BUF_INIT, wanted = BUF_INIT;
	const struct talk talk = { on_warn, NULL, NULL, &said };
	struct fold fold;
	char cure[20];
	int i;

	(void)state;
	fold_begin(&fold, &talk);
	for (i = 0; i <= FOLD_KINDS; i++) {
		snprintf(cure, sizeof(cure), "cure %d", i);
		talk_warn(&fold.talk, cure, "fault %d", i);
	}
	fold_end(&fold);
	buf_addf(&wanted, "W fault %d|cure %d\n", FOLD_KINDS, FOLD_KINDS);
	for (i = 0; i < FOLD_KINDS; i++)
		buf_addf(&wanted, "W fault %d|cure %d\n", i, i);
	assert_string_equal(buf_str(&said), buf_str(&wanted));
	buf_release(&said);
	buf_release(&wanted);
}

static void silence_stays_silence(void **state)
{
	struct fold fold;

	(void)state;
	fold_begin(&fold, NULL);
	talk_warn(&fold.talk, "cure", "fault");
	talk_note(&fold.talk, "note");
	fold_end(&fold);
	assert_int_equal(fold.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_warning_of_each_benchmark_is_one_line_with_a_count),
		cmocka_unit_test(more_kinds_than_there_is_room_for_are_not_lost),
		cmocka_unit_test(silence_stays_silence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
