/* A suite that several jobs measured is one again in the ledger, and what is missing is told. */
#include "tests/unit/store_fixture.h"
#include "tests/unit/lib/store/ledger/ledger_undo.h"

#include "lib/digest/digest.h"
#include "lib/store/ledger/ledger.h"

static char *dir, *path;
static struct ledger *ledger;

static int set_up(void **state)
{
	char where[256];

	(void)state;
	dir = new_folder();
	path = path_in(dir, "ledger.db");
	snprintf(where, sizeof(where), "sqlite:%s", path);
	return ledger_open(where, LEDGER_WRITE, &ledger, NULL);
}

static int tear_down(void **state)
{
	(void)state;
	ledger_close(ledger);
	file_remove_tree(dir, NULL);
	free(dir);
	free(path);
	return 0;
}

struct part {
	const char *commit, *benchmark;
	int index, count;
	const char *group, *split;
	bool untrusted, dirty;
};

static void post(unsigned n, const struct part *part)
{
	struct buf json = BUF_INIT;
	char sha256[DIGEST_HEX];
	struct post post, *one = &post;
	struct summary s;

	fill_summary(&s, n, part->commit);
	s.commit.commit_time_us = MONDAY_US;
	s.commit.dirty = part->dirty;
	assert_int_equal(str_set(&s.benchmarks[0].name, part->benchmark, NULL), 0);
	if (!strcmp(part->commit, COMMIT_B)) {
		assert_int_equal(str_set(&s.baseline.commit, COMMIT_A, NULL), 0);
		judge(&s.benchmarks[0].metrics[0], 1.034, VERDICT_REGRESSED);
	}
	s.settings.shard = (struct shard){ part->index, part->count, 9, NULL, NULL };
	assert_int_equal(str_set(&s.settings.shard.group, part->group, NULL), 0);
	assert_int_equal(str_set(&s.settings.shard.split, part->split, NULL), 0);
	assert_int_equal(summary_encode(&s, 0, &json, NULL), 0);
	assert_int_equal(digest_of(json.data, json.len, sha256, NULL), 0);
	post = (struct post){ .summary = &s,
			      .json = json.data,
			      .n = json.len,
			      .sha256 = sha256,
			      .untrusted = part->untrusted,
			      .received_us = MONDAY_US };
	assert_int_equal(ledger_post(ledger, &one, 1, NULL), 0);
	assert_int_equal(post.result, POST_CREATED);
	buf_release(&json);
	summary_release(&s);
}

static void has(const struct buf *out, const char *piece)
{
	if (!strstr(buf_str(out), piece))
		fail_msg("no '%s' in '%s'", piece, buf_str(out));
}

static void compare(struct buf *out)
{
	buf_reset(out);
	assert_int_equal(ledger_compare(ledger, "zlib", "aaaa", "bbbb", false, out, NULL), 0);
}

static void history_compare_and_regressions_see_all_parts(void **state)
{
	struct history_query q = { .project = "zlib", .benchmark = "two", .limit = 10 };
	struct buf out = BUF_INIT;

	(void)state;
	post(1, &(struct part){ COMMIT_A, "one", 1, 2, "7", "ab", false, false });
	post(2, &(struct part){ COMMIT_A, "two", 2, 2, "7", "ab", false, false });
	post(3, &(struct part){ COMMIT_B, "two", 2, 2, "8", "cd", false, false });
	post(4, &(struct part){ COMMIT_B, "one", 1, 2, "8", "cd", false, false });
	compare(&out);
	has(&out, "\"name\":\"one\"");
	has(&out, "\"name\":\"two\"");
	has(&out, "\"parts\":[{\"group\":\"7\",\"count\":2,\"have\":[1,2],\"missing\":[],"
		  "\"same_split\":true,\"complete\":true}]");
	has(&out, "\"group\":\"8\"");
	buf_reset(&out);
	assert_int_equal(ledger_history(ledger, &q, &out, NULL), 0);
	has(&out, "\"commit\":[\"" COMMIT_A "\",\"" COMMIT_B "\"]");
	buf_reset(&out);
	assert_int_equal(ledger_regressions(ledger, "zlib", 10, &out, NULL), 0);
	has(&out, "\"benchmark\":\"one\"");
	has(&out, "\"benchmark\":\"two\"");
	buf_release(&out);
}

static void an_incomplete_suite_is_told(void **state)
{
	struct buf out = BUF_INIT;

	(void)state;
	post(1, &(struct part){ COMMIT_A, "one", 1, 4, "7", NULL, false, false });
	post(2, &(struct part){ COMMIT_A, "two", 3, 4, "7", NULL, false, false });
	post(3, &(struct part){ COMMIT_A, "dirt", 2, 4, "7", NULL, false, true });
	post(4, &(struct part){ COMMIT_A, "fork", 4, 4, "7", NULL, true, false });
	post(5, &(struct part){ COMMIT_B, "one", 0, 0, NULL, NULL, false, false });
	compare(&out);
	has(&out, "\"parts\":[{\"group\":\"7\",\"count\":4,\"have\":[1,3],\"missing\":[2,4],"
		  "\"same_split\":true,\"complete\":false}]");
	has(&out, "\"parts\":[]"); /* the other side is no part of anything */
	buf_reset(&out);
	assert_int_equal(ledger_project(ledger, "zlib", &out, NULL), 0);
	has(&out, "\"parts\":[");
	buf_release(&out);
}

static void parts_of_other_runs_do_not_fill_the_gap(void **state)
{
	struct buf out = BUF_INIT;

	(void)state;
	post(1, &(struct part){ COMMIT_A, "one", 1, 2, "7", NULL, false, false });
	post(2, &(struct part){ COMMIT_A, "two", 2, 2, NULL, NULL, false, false });
	post(3, &(struct part){ COMMIT_A, "two", 2, 3, "7", NULL, false, false });
	post(4, &(struct part){ COMMIT_B, "one", 0, 0, NULL, NULL, false, false });
	compare(&out);
	/* The newest first. */
	has(&out, "\"parts\":[{\"group\":\"7\",\"count\":3,\"have\":[2],\"missing\":[1,3],"
		  "\"same_split\":true,\"complete\":false},"
		  "{\"group\":null,\"count\":2,\"have\":[2],\"missing\":[1],"
		  "\"same_split\":true,\"complete\":false},"
		  "{\"group\":\"7\",\"count\":2,\"have\":[1],\"missing\":[2],"
		  "\"same_split\":true,\"complete\":false}]");
	buf_release(&out);
}

static void parts_that_were_dealt_out_differently_are_told(void **state)
{
	struct buf out = BUF_INIT;

	(void)state;
	post(1, &(struct part){ COMMIT_A, "one", 1, 2, "7", "ab", false, false });
	post(2, &(struct part){ COMMIT_A, "one", 2, 2, "7", NULL, false, false });
	post(3, &(struct part){ COMMIT_B, "one", 0, 0, NULL, NULL, false, false });
	compare(&out);
	has(&out, "\"have\":[1,2],\"missing\":[],\"same_split\":false,\"complete\":false");
	/* Measured again as the first one was: the newer one counts. */
	post(4, &(struct part){ COMMIT_A, "two", 2, 2, "7", "ab", false, false });
	compare(&out);
	has(&out, "\"have\":[1,2],\"missing\":[],\"same_split\":true,\"complete\":true");
	buf_release(&out);
}

static void a_ledger_of_before_gets_the_columns(void **state)
{
	struct buf out = BUF_INIT;
	char where[256];

	(void)state;
	ledger_close(ledger);
	undo_seventh(path);
	meddle(path, UNDO_SIXTH UNDO_FIFTH UNDO_FOURTH UNDO_THIRD UNDO_SECOND);
	snprintf(where, sizeof(where), "sqlite:%s", path);
	assert_int_equal(ledger_open(where, LEDGER_WRITE, &ledger, NULL), 0);
	post(1, &(struct part){ COMMIT_A, "one", 1, 1, NULL, NULL, false, false });
	assert_int_equal(ledger_project(ledger, "zlib", &out, NULL), 0);
	has(&out, "\"complete\":true");
	buf_release(&out);
}

#define ONE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(history_compare_and_regressions_see_all_parts),
		ONE(an_incomplete_suite_is_told),
		ONE(parts_of_other_runs_do_not_fill_the_gap),
		ONE(parts_that_were_dealt_out_differently_are_told),
		ONE(a_ledger_of_before_gets_the_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
