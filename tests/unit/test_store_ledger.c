/* The server's ledger: what is posted is found again, and trust is never mixed up. */
#include "tests/unit/store_fixture.h"

#include <math.h>
#include <sys/mount.h>

#include "lib/base/digest.h"
#include "lib/store/ledger.h"

struct place {
	char *dir, *path, *where;
	struct ledger *writer, *reader;
};

static int set_up(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	assert_non_null(p);
	p->dir = new_folder();
	p->path = path_in(p->dir, "ledger.db");
	p->where = malloc(strlen(p->path) + 8);
	snprintf(p->where, strlen(p->path) + 8, "sqlite:%s", p->path);
	assert_int_equal(ledger_open(p->where, LEDGER_WRITE, &p->writer, NULL), 0);
	assert_int_equal(ledger_open(p->where, LEDGER_READ, &p->reader, NULL), 0);
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	struct place *p = *state;

	ledger_close(p->reader);
	ledger_close(p->writer);
	file_remove_tree(p->dir, NULL);
	free(p->dir);
	free(p->path);
	free(p->where);
	free(p);
	return 0;
}

/* A summary on its way: what the server holds while it is being stored. */
struct parcel {
	struct summary s;
	struct buf json;
	char sha256[DIGEST_HEX];
	struct post post;
};

static void wrap(struct parcel *p, bool untrusted)
{
	p->json = (struct buf)BUF_INIT;
	assert_int_equal(summary_encode(&p->s, 0, &p->json, NULL), 0);
	assert_int_equal(digest_of(p->json.data, p->json.len, p->sha256, NULL), 0);
	p->post = (struct post){ .summary = &p->s,
				 .json = p->json.data,
				 .n = p->json.len,
				 .sha256 = p->sha256,
				 .untrusted = untrusted,
				 .received_us = MONDAY_US };
}

static enum post_result post(struct ledger *l, struct parcel *p, bool untrusted)
{
	struct post *one = &p->post;
	enum post_result result;

	wrap(p, untrusted);
	assert_int_equal(ledger_post(l, &one, 1, NULL), 0);
	result = p->post.result;
	buf_release(&p->json);
	return result;
}

static enum post_result post_plain(struct ledger *l, unsigned n, const char *commit, bool untrusted)
{
	struct parcel p;
	enum post_result result;

	fill_summary(&p.s, n, commit);
	result = post(l, &p, untrusted);
	summary_release(&p.s);
	return result;
}

/* Posts commit B measured against A, its cpu judged. */
static void post_judged(struct ledger *l, unsigned n, enum verdict verdict, bool suspect)
{
	struct parcel p;

	fill_summary(&p.s, n, COMMIT_B);
	p.s.commit.commit_time_us = MONDAY_US + 50 * 1000000;
	assert_int_equal(strv_add(&p.s.commit.parents, COMMIT_A, NULL), 0);
	assert_int_equal(str_set(&p.s.baseline.commit, COMMIT_A, NULL), 0);
	assert_int_equal(str_set(&p.s.baseline.how, "rerun", NULL), 0);
	judge(&p.s.benchmarks[0].metrics[0], 1.034, verdict);
	p.s.benchmarks[0].metrics[0].delta.suspect = suspect;
	assert_int_equal(post(l, &p, false), POST_CREATED);
	summary_release(&p.s);
}

static bool has(const struct buf *out, const char *piece)
{
	return strstr(buf_str(out), piece) != NULL;
}

static size_t times(const struct buf *out, const char *piece)
{
	const char *at = buf_str(out);
	size_t n = 0;

	while ((at = strstr(at, piece))) {
		n++;
		at++;
	}
	return n;
}

static void history(struct place *p, const struct history_query *q, struct buf *out)
{
	buf_reset(out);
	assert_int_equal(ledger_history(p->reader, q, out, NULL), 0);
}

static struct history_query ask(void)
{
	return (struct history_query){ .project = "zlib", .benchmark = "deflate/6", .limit = 100 };
}

static void same_post_again_is_same_other_content_is_a_conflict(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;
	struct parcel other;
	char id[27];

	assert_int_equal(post_plain(p->writer, 1, COMMIT_A, false), POST_CREATED);
	assert_int_equal(post_plain(p->writer, 1, COMMIT_A, false), POST_SAME);
	fill_summary(&other.s, 1, COMMIT_B);
	assert_int_equal(post(p->writer, &other, false), POST_CONFLICT);
	summary_release(&other.s);
	assert_int_equal(ledger_summary(p->reader, "zlib", id_of(1, id), false, &out, NULL), 0);
	assert_true(has(&out, COMMIT_A));
	buf_release(&out);
}

static void document_comes_back_byte_for_byte(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	struct parcel one;
	struct post *posts = &one.post;
	char id[27];

	fill_summary(&one.s, 1, COMMIT_A);
	wrap(&one, false);
	assert_int_equal(ledger_post(p->writer, &posts, 1, NULL), 0);
	assert_int_equal(ledger_summary(p->reader, "zlib", id_of(1, id), false, &out, NULL), 0);
	assert_int_equal(out.len, one.json.len);
	assert_memory_equal(out.data, one.json.data, out.len);
	meddle(p->path, "UPDATE document SET json=x'7b7d'");
	buf_reset(&out);
	assert_int_equal(ledger_summary(p->reader, "zlib", id, false, &out, &err), -1);
	assert_int_equal(err.code, ERR_CORRUPT);
	assert_int_equal(ledger_summary(p->reader, "other", id, false, &out, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	summary_release(&one.s);
	buf_release(&one.json);
	buf_release(&out);
}

static void bad_post_does_not_fail_its_neighbours(void **state)
{
	struct place *p = *state;
	struct parcel parcels[3];
	struct post *posts[3];
	struct buf out = BUF_INIT;
	char id[27];
	size_t i;

	assert_int_equal(post_plain(p->writer, 9, COMMIT_A, true), POST_CREATED);
	meddle(p->path, "UPDATE project SET n_series_apart=20000");
	for (i = 0; i < 3; i++) {
		fill_summary(&parcels[i].s, (unsigned)i, COMMIT_A);
		if (i == 1)
			assert_int_equal(str_set(&parcels[i].s.benchmarks[0].name, "new", NULL), 0);
		wrap(&parcels[i], i == 1);
		posts[i] = &parcels[i].post;
	}
	assert_int_equal(ledger_post(p->writer, posts, 3, NULL), 0);
	assert_int_equal(posts[0]->result, POST_CREATED);
	assert_int_equal(posts[1]->result, POST_FAILED);
	assert_int_equal(posts[1]->err.code, ERR_LIMIT);
	assert_int_equal(posts[2]->result, POST_CREATED);
	assert_int_equal(ledger_summary(p->reader, "zlib", id_of(1, id), false, &out, NULL), -1);
	assert_int_equal(ledger_summary(p->reader, "zlib", id_of(2, id), false, &out, NULL), 0);
	for (i = 0; i < 3; i++) {
		summary_release(&parcels[i].s);
		buf_release(&parcels[i].json);
	}
	buf_release(&out);
}

static void history_is_in_commit_order_whatever_the_order_of_arrival(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;

	post_plain(p->writer, 3, COMMIT_B, false);
	post_plain(p->writer, 1, COMMIT_A, false);
	history(p, &q, &out);
	assert_true(has(&out, "\"commit\":[\"" COMMIT_A "\",\"" COMMIT_B "\"]"));
	assert_true(has(&out, "\"metric\":\"cpu\",\"unit\":\"ns\",\"better\":\"lower\""));
	assert_true(has(&out, "\"value\":[1001,1003],\"low\":[1000,1002],\"high\":[1002,1004]"));
	assert_true(has(&out, "\"n\":[3,3]"));
	assert_true(has(&out, "\"next\":null"));
	q.metric = "wall";
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[2001,2003]"));
	buf_release(&out);
}

static void history_pages_join_without_gap_or_repeat(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT, seen = BUF_INIT;
	char cursor[128];
	unsigned i, pages = 0;

	/* Two runs of each commit time, so that a page ends between equals. */
	for (i = 0; i < 10; i++) {
		struct parcel one;

		fill_summary(&one.s, i, COMMIT_A);
		one.s.commit.commit_time_us = MONDAY_US + i / 2;
		assert_int_equal(post(p->writer, &one, false), POST_CREATED);
		summary_release(&one.s);
	}
	q.limit = 3;
	do {
		const char *at, *next;

		history(p, &q, &out);
		at = strstr(out.data, "\"value\":[");
		assert_non_null(at);
		at += 9;
		buf_add(&seen, at, strcspn(at, "]"));
		buf_addc(&seen, ' ');
		next = strstr(out.data, "\"next\":\"");
		q.cursor = NULL;
		if (next) {
			snprintf(cursor, sizeof(cursor), "%.*s", (int)strcspn(next + 8, "\""),
				 next + 8);
			q.cursor = cursor;
		}
		pages++;
	} while (q.cursor && pages < 10);
	assert_string_equal(seen.data, "1000,1001,1002 1003,1004,1005 1006,1007,1008 1009 ");
	buf_release(&out);
	buf_release(&seen);
}

static void history_filters_by_machine_branch_and_time(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	struct parcel other;

	post_plain(p->writer, 1, COMMIT_A, false);
	fill_summary(&other.s, 2, COMMIT_B);
	assert_int_equal(str_set(&other.s.machine.id, "ffff", NULL), 0);
	assert_int_equal(str_set(&other.s.commit.branch, "topic", NULL), 0);
	assert_int_equal(post(p->writer, &other, false), POST_CREATED);
	summary_release(&other.s);
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1001,1002]"));
	q.machine = "ffff";
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1002]"));
	q.machine = NULL;
	q.branch = "main";
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1001]"));
	q.branch = NULL;
	q.since_us = MONDAY_US + 2000000;
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1002]"));
	q.since_us = 0;
	q.until_us = MONDAY_US + 1000000;
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1001]"));
	q.machine = "none";
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[]"));
	buf_release(&out);
}

static void wrong_questions_are_refused(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(ledger_history(p->reader, &q, &out, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	post_plain(p->writer, 1, COMMIT_A, false);
	q.cursor = "1.2";
	assert_int_equal(ledger_history(p->reader, &q, &out, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	q.cursor = NULL;
	q.metric = "nosuch";
	assert_int_equal(ledger_history(p->reader, &q, &out, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(ledger_compare(p->reader, "zlib", "zzzz", COMMIT_A, false, &out, &err),
			 -1);
	assert_int_equal(err.code, ERR_RANGE);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaa", COMMIT_A, false, &out, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	assert_int_equal(ledger_compare(p->reader, "zlib", "dddd", COMMIT_A, false, &out, &err),
			 -1);
	assert_int_equal(err.code, ERR_ABSENT);
	buf_release(&out);
}

static void prefix_must_name_one_commit(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_plain(p->writer, 2, "aaaa999999999999999999999999999999999999", false);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", COMMIT_A, false, &out, &err),
			 -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_non_null(strstr(err.text, "more than one"));
	buf_reset(&out);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa9", "aaaa4", false, &out, &err), 0);
	buf_release(&out);
}

static void compare_gives_the_recorded_delta_and_else_no_verdict(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_judged(p->writer, 2, VERDICT_REGRESSED, false);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", "bbbb", false, &out, NULL), 0);
	assert_true(has(&out, "\"delta\":{\"ratio\":1.034,\"ci\":[1.024,1.044],"
			      "\"verdict\":\"regressed\",\"suspect\":false,"));
	/* The wall was not judged: its medians are all there is. */
	assert_true(has(&out, "\"verdict\":null,\"how\":\"stored\""));
	buf_reset(&out);
	/* The other way round nothing was recorded. */
	assert_int_equal(ledger_compare(p->reader, "zlib", "bbbb", "aaaa", false, &out, NULL), 0);
	assert_false(has(&out, "regressed"));
	assert_int_equal(times(&out, "\"how\":\"stored\""), 2);
	buf_release(&out);
}

static void compare_prefers_the_run_that_was_measured_against_that_base(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_judged(p->writer, 2, VERDICT_REGRESSED, false);
	post_plain(p->writer, 3, COMMIT_B, false);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", "bbbb", false, &out, NULL), 0);
	assert_true(has(&out, "\"verdict\":\"regressed\""));
	assert_true(has(&out, "\"median\":1002"));
	buf_release(&out);
}

static void compare_says_what_failed_and_what_is_on_one_side_only(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;
	struct parcel broken;
	struct bench *b;

	post_plain(p->writer, 1, COMMIT_A, false);
	fill_summary(&broken.s, 2, COMMIT_B);
	broken.s.benchmarks[0].status = BENCH_TIMEOUT;
	b = summary_add_bench(&broken.s, "inflate", NULL);
	add_metric(b, "cpu", 5);
	assert_int_equal(post(p->writer, &broken, false), POST_CREATED);
	summary_release(&broken.s);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", "bbbb", false, &out, NULL), 0);
	assert_true(has(&out, "\"head\":{\"status\":\"timeout\"},\"delta\":null"));
	assert_true(has(&out, "\"base\":null,\"head\":{\"status\":\"ok\",\"median\":5"));
	assert_true(has(&out, "\"head_failures\":[{\"name\":\"deflate/6\""));
	assert_true(has(&out, "\"base_failures\":[]"));
	buf_release(&out);
}

static void change_points_and_regressions_come_from_gated_verdicts(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_judged(p->writer, 2, VERDICT_REGRESSED, false);
	history(p, &q, &out);
	assert_true(has(&out, "\"change_points\":[{\"commit\":\"" COMMIT_B "\""));
	assert_true(has(&out, "\"base\":\"" COMMIT_A "\",\"exact\":true"));
	buf_reset(&out);
	assert_int_equal(ledger_regressions(p->reader, "zlib", 10, &out, NULL), 0);
	assert_int_equal(times(&out, "\"verdict\":\"regressed\""), 1);
	/* A later run of the same pair judges otherwise: the entry goes. */
	post_judged(p->writer, 3, VERDICT_UNCHANGED, false);
	buf_reset(&out);
	assert_int_equal(ledger_regressions(p->reader, "zlib", 10, &out, NULL), 0);
	assert_true(has(&out, "\"regressions\":[]"));
	buf_release(&out);
}

static void merely_suspect_change_is_no_change_point(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;

	post_judged(p->writer, 2, VERDICT_REGRESSED, true);
	history(p, &q, &out);
	assert_true(has(&out, "\"change_points\":[]"));
	buf_reset(&out);
	assert_int_equal(ledger_regressions(p->reader, "zlib", 10, &out, NULL), 0);
	assert_true(has(&out, "\"regressions\":[]"));
	buf_release(&out);
}

static void dirty_results_are_kept_and_never_shown_as_the_commit(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	struct parcel dirty;
	char id[27];

	fill_summary(&dirty.s, 1, COMMIT_A);
	dirty.s.commit.dirty = true;
	assert_int_equal(post(p->writer, &dirty, false), POST_CREATED);
	summary_release(&dirty.s);
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[]"));
	buf_reset(&out);
	assert_int_equal(ledger_summary(p->reader, "zlib", id_of(1, id), false, &out, NULL), 0);
	buf_release(&out);
}

static void untrusted_results_touch_nothing_trusted(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	struct parcel forged;
	struct err err = ERR_INIT;
	char id[27];

	fill_summary(&forged.s, 1, COMMIT_A);
	assert_int_equal(str_set(&forged.s.commit.subject, "forged", NULL), 0);
	assert_int_equal(str_set(&forged.s.machine.cpu, "forged cpu", NULL), 0);
	judge(&forged.s.benchmarks[0].metrics[0], 2, VERDICT_REGRESSED);
	forged.s.benchmarks[0].metrics[0].median = 424242;
	assert_int_equal(post(p->writer, &forged, true), POST_CREATED);
	summary_release(&forged.s);
	assert_int_equal(ledger_history(p->reader, &q, &out, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(ledger_summary(p->reader, "zlib", id_of(1, id), false, &out, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(ledger_summary(p->reader, "zlib", id, true, &out, &err), 0);
	/* The same id, trusted: the forged one does not stand in its way. */
	assert_int_equal(post_plain(p->writer, 1, COMMIT_A, false), POST_CREATED);
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1001]"));
	assert_true(has(&out, "\"change_points\":[]"));
	buf_reset(&out);
	assert_int_equal(ledger_project(p->reader, "zlib", &out, NULL), 0);
	assert_false(has(&out, "forged"));
	assert_true(has(&out, "\"summaries\":1"));
	assert_true(has(&out, "\"untrusted\":1"));
	q.untrusted = true;
	history(p, &q, &out);
	assert_int_equal(times(&out, "424242"), 1);
	assert_true(has(&out, "\"untrusted\":[true,false]") ||
		    has(&out, "\"untrusted\":[false,true]"));
	buf_reset(&out);
	assert_int_equal(ledger_regressions(p->reader, "zlib", 10, &out, NULL), 0);
	assert_true(has(&out, "\"regressions\":[]"));
	buf_release(&out);
}

static void untrusted_head_is_compared_only_when_asked_and_is_never_a_base(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;
	struct parcel fork;

	post_plain(p->writer, 1, COMMIT_A, false);
	fill_summary(&fork.s, 2, COMMIT_B);
	assert_int_equal(str_set(&fork.s.baseline.commit, COMMIT_A, NULL), 0);
	judge(&fork.s.benchmarks[0].metrics[0], 1.5, VERDICT_REGRESSED);
	assert_int_equal(post(p->writer, &fork, true), POST_CREATED);
	summary_release(&fork.s);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", "bbbb", false, &out, NULL), -1);
	assert_int_equal(ledger_compare(p->reader, "zlib", "bbbb", "aaaa", true, &out, NULL), -1);
	buf_reset(&out);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", "bbbb", true, &out, NULL), 0);
	assert_true(has(&out, "\"untrusted\":true"));
	assert_true(has(&out, "\"ratio\":1.5"));
	buf_release(&out);
}

static void lists_name_projects_benchmarks_and_machines(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;

	assert_int_equal(ledger_projects(p->reader, NULL, &out, NULL), 0);
	assert_string_equal(buf_str(&out), "{\"projects\":[]}");
	post_plain(p->writer, 1, COMMIT_A, false);
	buf_reset(&out);
	assert_int_equal(ledger_projects(p->reader, NULL, &out, NULL), 0);
	assert_true(has(&out, "\"name\":\"zlib\",\"summaries\":1,\"commits\":1,\"benchmarks\":1"));
	buf_reset(&out);
	assert_int_equal(ledger_projects(p->reader, "other", &out, NULL), 0);
	assert_string_equal(buf_str(&out), "{\"projects\":[]}");
	buf_reset(&out);
	assert_int_equal(ledger_benchmarks(p->reader, "zlib", &out, NULL), 0);
	assert_string_equal(buf_str(&out),
			    "{\"project\":\"zlib\",\"benchmarks\":[{\"name\":\"deflate/6\","
			    "\"metrics\":[{\"name\":\"cpu\",\"series\":[{\"machine\":\"" MACHINE
			    "\",\"unit\":\"ns\",\"better\":\"lower\",\"gate\":true}]},"
			    "{\"name\":\"wall\",\"series\":[{\"machine\":\"" MACHINE
			    "\",\"unit\":\"ns\",\"better\":\"lower\",\"gate\":false}]}]}]}");
	buf_reset(&out);
	assert_int_equal(ledger_project(p->reader, "zlib", &out, NULL), 0);
	assert_true(has(&out, "\"cpu\":\"some cpu\""));
	buf_release(&out);
}

static void one_name_in_two_units_is_never_one_line(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	struct parcel other;

	post_plain(p->writer, 1, COMMIT_A, false);
	fill_summary(&other.s, 2, COMMIT_B);
	assert_int_equal(str_set(&other.s.benchmarks[0].metrics[0].unit, "s", NULL), 0);
	assert_int_equal(post(p->writer, &other, false), POST_CREATED);
	summary_release(&other.s);
	history(p, &q, &out);
	assert_true(has(&out, "\"unit\":\"s\""));
	assert_true(has(&out, "\"value\":[1002]"));
	buf_reset(&out);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", "bbbb", false, &out, NULL), 0);
	assert_int_equal(times(&out, "\"delta\":null"), 2);
	buf_release(&out);
}

static void wrong_store_and_newer_ledger_are_refused(void **state)
{
	struct place *p = *state;
	struct ledger *l = NULL;
	struct err err = ERR_INIT;

	assert_int_equal(ledger_open("postgresql://x", LEDGER_WRITE, &l, &err), -1);
	assert_int_equal(err.code, ERR_USAGE);
	assert_int_equal(ledger_open("sqlite:", LEDGER_WRITE, &l, &err), -1);
	assert_int_equal(err.code, ERR_USAGE);
	assert_int_equal(ledger_open("sqlite:/nonexistent/x", LEDGER_WRITE, &l, &err), -1);
	assert_int_equal(err.code, ERR_IO);
	assert_int_equal(ledger_open("sqlite:/nonexistent/x", LEDGER_READ, &l, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	meddle(p->path, "PRAGMA user_version=99");
	assert_int_equal(ledger_open(p->where, LEDGER_WRITE, &l, &err), -1);
	assert_int_equal(err.code, ERR_NEWER);
}

static void full_disk_stores_nothing_of_the_batch_and_the_probe_tells_when_it_ends(void **state)
{
	struct place *p = *state;
	char *disk = path_in(p->dir, "disk"), *filler = path_in(disk, "filler"), where[512];
	struct err err = ERR_INIT;
	struct ledger *l = NULL;
	struct parcel one;
	struct post *posts = &one.post;
	struct buf big = BUF_INIT, out = BUF_INIT;
	char id[27];

	assert_int_equal(file_make_dirs(disk, 0700, NULL), 0);
	if (geteuid() || mount("none", disk, "tmpfs", 0, "size=1m")) {
		print_message("skipped: only root may mount a small tmpfs\n");
		free(disk);
		free(filler);
		skip();
	}
	snprintf(where, sizeof(where), "sqlite:%s/ledger.db", disk);
	assert_int_equal(ledger_open(where, LEDGER_WRITE, &l, &err), 0);
	assert_int_equal(post_plain(l, 1, COMMIT_A, false), POST_CREATED);
	buf_addn(&big, 'x', 1 << 20);
	file_write_whole(filler, big.data, big.len, 0600, NULL);
	while (big.len > 512 && file_write_whole(filler, big.data, big.len, 0600, NULL))
		buf_truncate(&big, big.len - 512);
	/* 64 KiB of names: more than what may be left in the pages that exist. */
	fill_summary(&one.s, 2, COMMIT_A);
	buf_reset(&big);
	buf_addn(&big, 'y', 200000);
	assert_int_equal(str_set(&one.s.benchmarks[0].detail, big.data, NULL), 0);
	wrap(&one, false);
	assert_int_equal(ledger_post(l, &posts, 1, &err), -1);
	assert_int_equal(err.code, ERR_FULL);
	assert_int_equal(ledger_probe(l, &err), -1);
	assert_int_equal(err.code, ERR_FULL);
	assert_int_equal(ledger_summary(l, "zlib", id_of(2, id), false, &out, NULL), -1);
	assert_int_equal(unlink(filler), 0);
	assert_int_equal(ledger_probe(l, &err), 0);
	assert_int_equal(ledger_post(l, &posts, 1, &err), 0);
	assert_int_equal(one.post.result, POST_CREATED);
	assert_int_equal(ledger_summary(l, "zlib", id_of(1, id), false, &out, NULL), 0);
	ledger_close(l);
	assert_int_equal(umount(disk), 0);
	summary_release(&one.s);
	buf_release(&one.json);
	buf_release(&big);
	buf_release(&out);
	free(disk);
	free(filler);
}

#define ONE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(same_post_again_is_same_other_content_is_a_conflict),
		ONE(document_comes_back_byte_for_byte),
		ONE(bad_post_does_not_fail_its_neighbours),
		ONE(history_is_in_commit_order_whatever_the_order_of_arrival),
		ONE(history_pages_join_without_gap_or_repeat),
		ONE(history_filters_by_machine_branch_and_time),
		ONE(wrong_questions_are_refused),
		ONE(prefix_must_name_one_commit),
		ONE(compare_gives_the_recorded_delta_and_else_no_verdict),
		ONE(compare_prefers_the_run_that_was_measured_against_that_base),
		ONE(compare_says_what_failed_and_what_is_on_one_side_only),
		ONE(change_points_and_regressions_come_from_gated_verdicts),
		ONE(merely_suspect_change_is_no_change_point),
		ONE(dirty_results_are_kept_and_never_shown_as_the_commit),
		ONE(untrusted_results_touch_nothing_trusted),
		ONE(untrusted_head_is_compared_only_when_asked_and_is_never_a_base),
		ONE(lists_name_projects_benchmarks_and_machines),
		ONE(one_name_in_two_units_is_never_one_line),
		ONE(wrong_store_and_newer_ledger_are_refused),
		ONE(full_disk_stores_nothing_of_the_batch_and_the_probe_tells_when_it_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
