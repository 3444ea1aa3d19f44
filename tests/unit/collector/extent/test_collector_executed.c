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

#include "collector/child/named.h"
#include "collector/extent/executed.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define N 4

static char folder[] = "/tmp/test_executed.XXXXXX";
static unsigned n_recorded;
static const char *asks_for; /* a file outside of the tree, or NULL */
static bool asks_for_more, asks_for_itself, is_unseen;

/* It enters all but the last one. */
static int enter(void *ctx, bool again, struct record_request *rq, bool *hit, struct err *err)
{
	size_t i;

	(void)ctx;
	n_recorded += !again;
	rq->named->n_told = !is_unseen;
	rq->named->is_of_image = asks_for_itself;
	rq->named->is_more = asks_for_more;
	if (asks_for && !strv_has(&rq->named->paths, asks_for))
		assert_int_equal(strv_add(&rq->named->paths, asks_for, err), 0);
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
	const struct executed_way way = { enter, open_one, NULL, NULL };
	struct part v[N];
	const struct parts p = { v, N, N, "", 0x1000, { 0, 0, 0 } };
	struct err err = ERR_INIT;
	bool runs[N] = { false };
	struct executed known = EXECUTED_INIT;
	size_t i;

	known.runs = runs;
	memset(v, 0, sizeof(v));
	for (i = 0; i < N; i++) {
		v[i].kind = PART_FUNCTION;
		v[i].address = 0x1000 + 0x11 * i;
	}
	assert_int_equal(executed_find(path, &way, &p, &known, &err), 0);
	for (i = 0; i < N; i++)
		assert_int_equal(runs[i], i + 1 < N);
	assert_int_equal(known.files.n, 1);
	assert_string_equal(known.files.v[0], "data/input");
	executed_release(&known);
}

/* Another link changes what it sees, or nobody knows what it sees. */
static void what_looks_at_itself_is_not_told(void **state)
{
	const struct executed_way way = { enter, open_one, NULL, NULL };
	struct part v[N];
	const struct parts p = { v, N, N, "", 0x1000, { 0, 0, 0 } };
	bool runs[N] = { false };
	struct executed known = EXECUTED_INIT;
	char path[64];

	(void)state;
	known.runs = runs;
	memset(v, 0, sizeof(v));
	snprintf(path, sizeof(path), "%s/itself", folder);
	for (int i = 0; i < 2; i++) {
		struct err err = ERR_INIT;

		asks_for_itself = i;
		is_unseen = !i;
		assert_int_equal(executed_find(path, &way, &p, &known, &err), -1);
		assert_int_equal(err.code, ERR_ABSENT);
		assert_non_null(strstr(err.text, i ? "lies in memory" : "is not seen"));
		assert_false(file_exists(path));
	}
	asks_for_itself = is_unseen = false;
	executed_release(&known);
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

static void recorded_anew(const char *path, const char *what, bool is_so)
{
	n_recorded = 0;
	find(path);
	if (n_recorded != is_so)
		fail_msg("%s: recorded %u times", what, n_recorded);
}

/* What it asks for elsewhere may say what it does. */
static void other_files_make_another_record(void **state)
{
	char path[64], file[64], other[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/asks", folder);
	snprintf(file, sizeof(file), "%s/settings", folder);
	snprintf(other, sizeof(other), "%s/other", folder);
	asks_for = file;
	recorded_anew(path, "the first time", true);
	recorded_anew(path, "it is still not there", false);
	assert_int_equal(file_write_whole(file, "a", 1, 0600, NULL), 0);
	recorded_anew(path, "it is there", true);
	recorded_anew(path, "it is as it was", false);
	assert_int_equal(file_write_whole(other, "b", 1, 0600, NULL), 0);
	assert_int_equal(rename(other, file), 0);
	recorded_anew(path, "it is another one", true);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(symlink("nowhere", file), 0);
	recorded_anew(path, "it is a link", true);
	recorded_anew(path, "it is that link", false);
	snprintf(path, sizeof(path), "%s/more", folder);
	asks_for_more = true;
	recorded_anew(path, "it asks for more", true);
	recorded_anew(path, "and does so again", true);
	asks_for = NULL;
	asks_for_more = false;
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
		cmocka_unit_test(what_looks_at_itself_is_not_told),
		cmocka_unit_test(whole_record_is_used),
		cmocka_unit_test(other_files_make_another_record),
		cmocka_unit_test(damaged_record_is_made_anew),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
