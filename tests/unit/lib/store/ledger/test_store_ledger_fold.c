/*
 * Points are folded into chunks, a step at a time: no answer changes with it, at any step, whatever
 * comes meanwhile; damage of a chunk is found, and its history made again.
 */
#include "tests/unit/lib/store/ledger/ledger_fixture.h"
#include "tests/unit/lib/store/ledger/ledger_undo.h"

#include "lib/store/fsck/fsck.h"
#include "lib/store/points/fold.h"

#define SECOND INT64_C(1000000)

/* Number i of a project of many benchmarks, of which most have few points, and one has all. */
static void wrap_number(struct parcel *p, unsigned i)
{
	char sha[41], name[32];

	snprintf(sha, sizeof(sha), "%040x", 0xabc000 + i);
	snprintf(name, sizeof(name), "rare/%u", i / 3 % 120);
	fill_summary(&p->s, i, sha);
	/* Not in the order in which they come. */
	p->s.commit.commit_time_us = MONDAY_US + (int64_t)(i * 7919 % 1000) * SECOND;
	if (i % 3 == 1)
		assert_int_equal(str_set(&p->s.benchmarks[0].name, name, NULL), 0);
	if (i % 7 == 2)
		assert_int_equal(str_set(&p->s.machine.id, "ffff", NULL), 0);
	if (i % 11 == 3)
		assert_int_equal(str_set(&p->s.commit.branch, "topic", NULL), 0);
	p->s.commit.dirty = i % 13 == 4;
	if (i % 17 == 5) {
		snprintf(sha, sizeof(sha), "%040x", 0xabc000 + i - 1);
		assert_int_equal(str_set(&p->s.baseline.commit, sha, NULL), 0);
		assert_int_equal(str_set(&p->s.baseline.how, "rerun", NULL), 0);
		judge(&p->s.benchmarks[0].metrics[0], 1.25,
		      i % 2 ? VERDICT_REGRESSED : VERDICT_UNCHANGED);
	}
	wrap(p, i % 19 == 6);
}

/* In one transaction. */
static void post_numbers(struct ledger *l, unsigned from, unsigned n)
{
	struct parcel *parcels = calloc(n, sizeof(*parcels));
	struct post **posts = calloc(n, sizeof(*posts));
	unsigned i;

	assert_true(parcels && posts);
	for (i = 0; i < n; i++) {
		wrap_number(&parcels[i], from + i);
		posts[i] = &parcels[i].post;
	}
	assert_int_equal(ledger_post(l, posts, n, NULL), 0);
	for (i = 0; i < n; i++) {
		assert_int_equal(posts[i]->result, POST_CREATED);
		buf_release(&parcels[i].json);
		summary_release(&parcels[i].s);
	}
	free(parcels);
	free(posts);
}

/* All pages of a history, one behind the other. */
static void add_pages(struct ledger *l, struct history_query q, struct buf *out)
{
	struct buf page = BUF_INIT, cursor = BUF_INIT;
	const char *at;

	do {
		buf_reset(&page);
		assert_int_equal(ledger_history(l, &q, &page, NULL), 0);
		buf_add(out, page.data, page.len);
		at = strstr(buf_str(&page), "\"next\":\"");
		if (at) {
			buf_reset(&cursor);
			buf_add(&cursor, at + 8, strcspn(at + 8, "\""));
			q.cursor = buf_str(&cursor);
		}
	} while (at);
	buf_release(&page);
	buf_release(&cursor);
}

/* What the ledger says of all of it. */
static void add_answers(struct ledger *l, struct buf *out)
{
	struct history_query all = ask(), pages = ask(), topic = ask(), some = ask(), rare = ask();
	struct history_query last = ask(), last_topic = ask();

	all.limit = pages.limit = LEDGER_MAX_POINTS;
	all.untrusted = true;
	pages.limit = 37;
	topic.branch = "topic";
	topic.limit = 10;
	some.machine = "ffff";
	some.metric = "wall";
	some.since_us = MONDAY_US + 100 * SECOND;
	some.until_us = MONDAY_US + 400 * SECOND;
	rare.benchmark = "rare/7";
	add_pages(l, all, out);
	add_pages(l, pages, out);
	add_pages(l, topic, out);
	add_pages(l, some, out);
	add_pages(l, rare, out);
	last.newest = last_topic.newest = last.untrusted = true;
	last.limit = last_topic.limit = 30;
	last_topic.branch = "topic";
	add_pages(l, last, out);
	add_pages(l, last_topic, out);
	assert_int_equal(ledger_regressions(l, "zlib", 100, out, NULL), 0);
	assert_int_equal(ledger_compare(l, "zlib", "0000000000000000000000000000000000abc000",
					"0000000000000000000000000000000000abc00f", false, out,
					NULL),
			 0);
}

/* Says where two long answers part. */
static void is_same(const struct buf *is, const struct buf *wanted)
{
	const char *a = buf_str(is), *b = buf_str(wanted);
	size_t i = 0, from;

	while (a[i] && a[i] == b[i])
		i++;
	from = i < 80 ? 0 : i - 80;
	if (a[i] || b[i])
		fail_msg("at %zu:\n%.200s\ninstead of\n%.200s", i, a + from, b + from);
}

/* Until nothing is due; how many steps. */
static unsigned fold_all(struct ledger *l)
{
	unsigned n = 0;
	bool more = true;

	for (; more; n++)
		assert_int_equal(ledger_fold(l, &more, NULL), 0);
	return n - 1;
}

static int64_t ask_number(struct place *p, const char *sql)
{
	struct db db = DB_INIT;
	int64_t n = -1;

	assert_int_equal(db_open(&db, p->path, DB_READ, "", NULL), 0);
	assert_int_equal(db_get(&db, &n, NULL, sql, ""), 0);
	db_close(&db);
	return n;
}

static struct ledger_health fsck(struct place *p, bool repair, struct buf *report)
{
	struct ledger_health h;

	buf_reset(report);
	assert_int_equal(ledger_fsck(p->writer, repair, &h, report, NULL), 0);
	return h;
}

/* The other one is never folded, so that all of it is read from sheets. */
static void no_answer_changes_at_any_step(void **state)
{
	struct place *p = *state, *other = NULL;
	struct buf folded = BUF_INIT, plain = BUF_INIT;
	unsigned n = 300, n_steps = 0;
	bool more = true;

	set_up((void **)&other);
	post_numbers(p->writer, 0, n);
	post_numbers(other->writer, 0, n);
	while (more) {
		assert_int_equal(ledger_fold(p->writer, &more, NULL), 0);
		buf_reset(&folded);
		buf_reset(&plain);
		add_answers(p->reader, &folded);
		add_answers(other->reader, &plain);
		is_same(&folded, &plain);
		n_steps += more;
		/* What comes while it is half done, also before what is folded already. */
		if (n < 900) {
			post_numbers(p->writer, n, 60);
			post_numbers(other->writer, n, 60);
			n += 60;
			more = true;
		}
	}
	assert_true(n_steps > 3);
	assert_true(ask_number(p, "SELECT count(*) FROM chunk") > 200);
	assert_in_range(ask_number(p, "SELECT n_tail FROM project"), 0, FOLD_RUNS - 1);
	assert_in_range(ask_number(p, "SELECT max(n) FROM chunk"), 100, 1024);
	assert_int_equal(ask_number(other, "SELECT count(*) FROM chunk"), 0);
	buf_release(&folded);
	buf_release(&plain);
	tear_down((void **)&other);
}

static void chunks_hold_what_sheets_do(void **state)
{
	struct place *p = *state;
	struct buf report = BUF_INIT;
	struct ledger_health h;

	post_numbers(p->writer, 0, 600);
	fold_all(p->writer);
	h = fsck(p, false, &report);
	assert_int_equal(h.n_bad_points + h.n_bad_documents + h.n_bad_chunks + h.n_lost, 0);
	assert_string_equal(buf_str(&report), "");
	assert_int_equal(h.n_points, 1200);
	buf_release(&report);
}

/* Each of these is found, and all histories are what they were behind a repair. */
static void damaged_chunks_are_told_and_made_again(void **state)
{
	static const char *const damages[] = {
		"UPDATE chunk SET points=substr(points, 1, length(points)-1)",
		"UPDATE chunk SET t1=t1+1 WHERE n>100",
		"DELETE FROM chunk WHERE rowid=(SELECT max(rowid) FROM chunk)",
		"UPDATE chunk SET series_id=series_id+1000 WHERE n>100",
		"UPDATE project SET folded=folded-3",
		"UPDATE project SET fold_to=fold_to+100, fold_at=9",
	};
	struct buf before = BUF_INIT, after = BUF_INIT, report = BUF_INIT;
	struct place *p = *state;
	struct ledger_health h;
	size_t i;

	post_numbers(p->writer, 0, 400);
	fold_all(p->writer);
	add_answers(p->reader, &before);
	for (i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		meddle(p->path, damages[i]);
		h = fsck(p, false, &report);
		if (!h.n_bad_chunks)
			fail_msg("%s is not missed", damages[i]);
		h = fsck(p, true, &report);
		assert_int_equal(h.n_mended_chunks, h.n_bad_chunks);
		assert_true(has(&report, "project 'zlib': histories repaired"));
		h = fsck(p, false, &report);
		assert_int_equal(h.n_bad_chunks + h.n_bad_points, 0);
		buf_reset(&after);
		add_answers(p->reader, &after);
		is_same(&after, &before);
	}
	buf_release(&before);
	buf_release(&after);
	buf_release(&report);
}

static void damaged_chunk_is_refused_for_its_series_alone(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT;
	int64_t row;

	post_numbers(p->writer, 0, 300);
	fold_all(p->writer);
	row = ask_number(p, "SELECT c.rowid FROM chunk AS c JOIN series AS s"
			    " ON s.series_id=c.series_id WHERE s.benchmark='deflate/6'"
			    " AND s.metric='wall' AND s.apart=0 ORDER BY c.n DESC LIMIT 1");
	flip(p->path, "chunk", "points", row, 100);
	history(p, &q, &out);
	q.metric = "wall";
	assert_int_equal(ledger_history(p->reader, &q, &out, &err), -1);
	assert_int_equal(err.code, ERR_CORRUPT);
	assert_non_null(strstr(err.hint, "pawld fsck"));
	buf_release(&out);
}

/* As many of another project as make it due. */
static void post_others(struct ledger *l)
{
	struct parcel parcels[FOLD_RUNS];
	struct post *posts[FOLD_RUNS];
	unsigned i;

	for (i = 0; i < FOLD_RUNS; i++) {
		fill_summary(&parcels[i].s, i, COMMIT_A);
		assert_int_equal(str_set(&parcels[i].s.project, "other", NULL), 0);
		wrap(&parcels[i], false);
		posts[i] = &parcels[i].post;
	}
	assert_int_equal(ledger_post(l, posts, FOLD_RUNS, NULL), 0);
	for (i = 0; i < FOLD_RUNS; i++) {
		buf_release(&parcels[i].json);
		summary_release(&parcels[i].s);
	}
}

/* What cannot be read is not folded, and nothing is lost by that. */
static void damaged_sheet_ends_a_fold_and_nothing_else(void **state)
{
	struct buf before = BUF_INIT, after = BUF_INIT, report = BUF_INIT;
	struct place *p = *state;
	struct err err = ERR_INIT;
	bool more = true;

	post_numbers(p->writer, 0, 300);
	add_answers(p->reader, &before);
	flip(p->path, "sheet", "points", 100, -1);
	assert_int_equal(ledger_fold(p->writer, &more, &err), -1);
	assert_int_equal(err.code, ERR_CORRUPT);
	assert_true(more);
	/* Another project is folded all the same. */
	post_others(p->writer);
	assert_int_equal(ledger_fold(p->writer, &more, NULL), 0);
	assert_int_equal(ask_number(p, "SELECT count(*) FROM chunk"), 2);
	fsck(p, true, &report);
	while (more)
		assert_int_equal(ledger_fold(p->writer, &more, NULL), 0);
	assert_int_equal(post_plain(p->writer, 9999, COMMIT_A, true), POST_CREATED);
	fold_all(p->writer);
	assert_int_equal(ask_number(p, "SELECT count(*) FROM project WHERE folded>0"), 2);
	add_answers(p->reader, &after);
	assert_int_equal(times(&after, "\"untrusted\":"), times(&before, "\"untrusted\":"));
	buf_release(&before);
	buf_release(&after);
	buf_release(&report);
}

static void reopen(struct place *p)
{
	assert_int_equal(ledger_open(p->where, LEDGER_WRITE, &p->writer, NULL), 0);
	assert_int_equal(ledger_open(p->where, LEDGER_READ, &p->reader, NULL), 0);
}

static void ledger_of_before_is_folded_when_it_is_opened(void **state)
{
	struct buf before = BUF_INIT, after = BUF_INIT, report = BUF_INIT;
	struct place *p = *state;
	struct ledger_health h;

	post_numbers(p->writer, 0, 400);
	add_answers(p->reader, &before);
	ledger_close(p->reader);
	ledger_close(p->writer);
	undo_seventh(p->path);
	reopen(p);
	add_answers(p->reader, &after);
	is_same(&after, &before);
	assert_int_equal(ask_number(p, "SELECT sum(n) FROM chunk"), 800);
	h = fsck(p, false, &report);
	assert_int_equal(h.n_bad_points + h.n_bad_chunks + h.n_lost + h.n_faults, 0);
	post_numbers(p->writer, 400, 1);
	buf_release(&before);
	buf_release(&after);
	buf_release(&report);
}

static void point_that_was_damaged_before_stays_so_until_it_is_repaired(void **state)
{
	struct buf before = BUF_INIT, after = BUF_INIT, report = BUF_INIT;
	struct place *p = *state;
	struct history_query q = ask();
	struct ledger_health h;

	q.limit = LEDGER_MAX_POINTS;
	post_numbers(p->writer, 0, 300);
	history(p, &q, &before);
	ledger_close(p->reader);
	ledger_close(p->writer);
	undo_seventh(p->path);
	meddle(p->path, "UPDATE point SET v=v+1 WHERE v=1010;"
			"DELETE FROM point WHERE v=1020");
	reopen(p);
	assert_int_equal(ledger_history(p->reader, &q, &after, NULL), -1);
	h = fsck(p, false, &report);
	assert_int_equal(h.n_bad_points, 2);
	h = fsck(p, true, &report);
	assert_int_equal(h.n_repaired, 2);
	history(p, &q, &after);
	is_same(&after, &before);
	assert_true(fold_all(p->writer) > 0);
	history(p, &q, &after);
	is_same(&after, &before);
	buf_release(&before);
	buf_release(&after);
	buf_release(&report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(no_answer_changes_at_any_step),
		ONE(chunks_hold_what_sheets_do),
		ONE(damaged_chunks_are_told_and_made_again),
		ONE(damaged_chunk_is_refused_for_its_series_alone),
		ONE(damaged_sheet_ends_a_fold_and_nothing_else),
		ONE(ledger_of_before_is_folded_when_it_is_opened),
		ONE(point_that_was_damaged_before_stays_so_until_it_is_repaired),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
