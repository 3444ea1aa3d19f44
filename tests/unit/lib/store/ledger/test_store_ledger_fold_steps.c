/* Many points of many series are folded in several steps, each of some series, whole. */
#include "tests/unit/lib/store/ledger/ledger_fixture.h"

#include "lib/store/ledger/local.h"
#include "lib/store/points/fold.h"

#define SERIES 40
#define RUNS 300

static void wrap_wide(struct parcel *p, unsigned i)
{
	char sha[41], name[32];
	unsigned k;

	snprintf(sha, sizeof(sha), "%040x", 0xabc000 + i);
	fill_summary(&p->s, i, sha);
	p->s.commit.commit_time_us = MONDAY_US + (int64_t)i * 1000000;
	for (k = 0; k < SERIES; k++) {
		struct bench *b;
		struct metric *m;

		snprintf(name, sizeof(name), "wide/%u", k);
		b = summary_add_bench(&p->s, name, NULL);
		assert_non_null(b);
		m = bench_add_metric(b, "wall", "ns", BETTER_LOWER, NULL);
		assert_non_null(m);
		m->described = true;
		m->mean = m->median = m->min = m->max = m->p99 = 1000 * k + i;
		m->ci_low = m->ci_high = m->median;
	}
	wrap(p, false);
}

static void post_wide(struct ledger *l)
{
	static struct parcel parcels[RUNS];
	static struct post *posts[RUNS];
	unsigned i;

	for (i = 0; i < RUNS; i++) {
		wrap_wide(&parcels[i], i);
		posts[i] = &parcels[i].post;
	}
	assert_int_equal(ledger_post(l, posts, RUNS, NULL), 0);
	for (i = 0; i < RUNS; i++) {
		assert_int_equal(posts[i]->result, POST_CREATED);
		buf_release(&parcels[i].json);
		summary_release(&parcels[i].s);
	}
}

static int64_t number(struct place *p, const char *sql)
{
	int64_t n = -1;

	assert_int_equal(db_get(&p->reader->db, &n, NULL, sql, ""), 0);
	return n;
}

static void add_histories(struct place *p, struct buf *out)
{
	struct history_query q = ask();
	char name[32];
	unsigned k;

	q.limit = RUNS;
	buf_reset(out);
	for (k = 0; k < SERIES; k++) {
		snprintf(name, sizeof(name), "wide/%u", k);
		q.benchmark = name;
		assert_int_equal(ledger_history(p->reader, &q, out, NULL), 0);
	}
}

static void many_points_are_folded_some_series_at_a_time(void **state)
{
	struct place *p = *state;
	struct buf before = BUF_INIT, now = BUF_INIT;
	int64_t n, n_points = 0;
	unsigned n_steps = 0;
	bool more = true;

	post_wide(p->writer);
	add_histories(p, &before);
	while (more) {
		assert_int_equal(ledger_fold(p->writer, &more, NULL), 0);
		n_steps += more;
		add_histories(p, &now);
		assert_string_equal(buf_str(&now), buf_str(&before));
		n = number(p, "SELECT coalesce(sum(n), 0) FROM chunk");
		assert_in_range(n - n_points, 0, 8192);
		assert_int_equal(n % RUNS, 0);
		n_points = n;
	}
	assert_true(n_steps > 1);
	assert_int_equal(n_points, number(p, "SELECT sum(n) FROM sheet"));
	assert_int_equal(number(p, "SELECT n_tail FROM project"), 0);
	buf_release(&before);
	buf_release(&now);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(many_points_are_folded_some_series_at_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
