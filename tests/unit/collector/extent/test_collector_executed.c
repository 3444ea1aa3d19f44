/* What a benchmark executes, kept: what is damaged is recorded anew, and never taken for less. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "collector/extent/executed.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define N 4

static char folder[] = "/tmp/test_executed.XXXXXX";
static unsigned n_recorded;

/* It enters all but the last one. */
static int enter(void *ctx, bool again, struct record_request *rq, bool *hit, struct err *err)
{
	size_t i;

	(void)ctx;
	(void)err;
	n_recorded += !again;
	for (i = 0; i + 1 < rq->n; i++)
		hit[i] = true;
	return 0;
}

static int open_one(void *ctx, struct strv *out, struct err *err)
{
	(void)ctx;
	return strv_add(out, "data/input", err);
}

static void find(const char *path)
{
	static const struct executed_way way = { enter, open_one, NULL };
	struct part v[N];
	const struct parts p = { v, N, N, "", 0x1000 };
	struct strv files = STRV_INIT;
	struct err err = ERR_INIT;
	bool runs[N] = { false };
	size_t i;

	memset(v, 0, sizeof(v));
	for (i = 0; i < N; i++) {
		v[i].kind = PART_FUNCTION;
		v[i].address = 0x1000 + 0x11 * i;
	}
	assert_int_equal(executed_find(path, &way, &p, runs, &files, &err), 0);
	for (i = 0; i < N; i++)
		assert_int_equal(runs[i], i + 1 < N);
	assert_int_equal(files.n, 1);
	assert_string_equal(files.v[0], "data/input");
	strv_release(&files);
}

static void whole_record_is_used(void **state)
{
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/whole", folder);
	n_recorded = 0;
	find(path);
	find(path);
	assert_int_equal(n_recorded, 1);
}

/* Cut after each byte, another bit in each, a NUL for each. */
static void damaged_record_is_made_anew(void **state)
{
	struct buf text = BUF_INIT;
	char path[64];
	size_t at, n;
	int how;

	(void)state;
	snprintf(path, sizeof(path), "%s/damaged", folder);
	find(path);
	assert_int_equal(file_read_whole(path, 1 << 16, &text, NULL), 0);
	for (at = 0; at < text.len; at++)
		for (how = 0; how < 3; how++) {
			char was = text.data[at];

			n = how ? text.len : at;
			text.data[at] = (char)(how == 1 ? was ^ 1 : how == 2 ? 0 : was);
			assert_int_equal(file_write_whole(path, text.data, n, 0600, NULL), 0);
			text.data[at] = was;
			n_recorded = 0;
			find(path);
			if (n_recorded != 1)
				fail_msg("byte %zu, way %d: it was taken", at, how);
		}
	buf_release(&text);
}

static int begin(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	return file_remove_tree(folder, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_record_is_used),
		cmocka_unit_test(damaged_record_is_made_anew),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
