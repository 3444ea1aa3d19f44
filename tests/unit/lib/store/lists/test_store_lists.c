/* Lists of what is rare among much: what they cost, and that pages lead to the end of them. */
#include "tests/unit/lib/store/ledger/ledger_cost.h"

#include "lib/store/lists/lists.h"

#define MANY 600

typedef int list(struct ledger *l, const struct list_query *q, struct buf *out, struct err *err);

static int64_t cost_of(struct place *p, list *of, const struct list_query *q)
{
	struct buf out = BUF_INIT;

	steps(p->reader);
	assert_int_equal(of(p->reader, q, &out, NULL), 0);
	buf_release(&out);
	return steps(p->reader);
}

static void what_is_not_there_costs_the_same_however_much_is_there(void **state)
{
	struct place *p = *state;
	const struct list_query machine = { .project = "zlib", .machine = "nosuch", .limit = 100 };
	const struct list_query branch = { .project = "zlib", .branch = "nosuch", .limit = 100 };
	int64_t summaries, commits;

	post_many(p, 0, 2);
	summaries = cost_of(p, lists_summaries, &machine);
	commits = cost_of(p, lists_commits, &branch);
	post_many(p, 2, MANY);
	assert_in_range(cost_of(p, lists_summaries, &machine), 1, summaries + summaries / 2);
	assert_in_range(cost_of(p, lists_commits, &branch), 1, commits + commits / 2);
}

/* What a project's page shows of each benchmark. */
static void newest_of_a_branch_are_the_last_that_it_has(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct parcel one;
	struct buf out = BUF_INIT;
	unsigned i;

	/* Every fourth of them without the benchmark, and other results between. */
	for (i = 0; i < 40; i++) {
		fill_summary(&one.s, i, COMMIT_A);
		one.s.commit.id[0] = "0123456789abcdef"[i / 16];
		one.s.commit.id[1] = "0123456789abcdef"[i % 16];
		one.s.commit.commit_time_us = MONDAY_US + i;
		if (i % 4 == 3)
			assert_int_equal(str_set(&one.s.benchmarks[0].name, "other", NULL), 0);
		if (i % 2)
			assert_int_equal(str_set(&one.s.commit.branch, "topic", NULL), 0);
		assert_int_equal(post(p->writer, &one, false), POST_CREATED);
		summary_release(&one.s);
	}
	q.branch = "topic";
	q.newest = true;
	q.limit = 4;
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1025,1029,1033,1037]"));
	buf_reset(&out);
	q.limit = 100;
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1001,1005,1009,1013,1017,1021,1025,1029,1033,1037]"));
	buf_release(&out);
}

/* The next page of it into out, within a time that grows until it comes further.  at: its cursor.
 */
static bool page_within(struct place *p, list *of, struct list_query *q, char at[LEDGER_CURSOR],
			uint64_t *io_ns, struct buf *out)
{
	char next[LEDGER_CURSOR];
	struct err err = ERR_INIT;

	q->next = next;
	q->cursor = *at ? at : NULL;
	buf_reset(out);
	ledger_budget(p->reader, *io_ns);
	if (of(p->reader, q, out, &err)) {
		assert_int_equal(err.code, ERR_TIMEOUT);
		buf_reset(out);
		*io_ns += *io_ns / 2;
		return true;
	}
	memcpy(at, next, sizeof(next));
	return *next;
}

static unsigned pages_to(struct place *p, list *of, struct list_query *q, const char *wanted)
{
	char at[LEDGER_CURSOR] = "";
	struct buf out = BUF_INIT;
	uint64_t within_ns = 1000;
	unsigned n_seen = 0, n_empty = 0;
	bool more = true;

	while (more) {
		more = page_within(p, of, q, at, &within_ns, &out);
		n_seen += has(&out, wanted);
		n_empty += out.len && !has(&out, wanted);
	}
	ledger_budget(p->reader, 0);
	assert_int_equal(n_seen, 1);
	buf_release(&out);
	return n_empty;
}

static void pages_lead_past_what_is_not_wanted(void **state)
{
	struct place *p = *state;
	struct list_query machine = { .project = "zlib", .machine = "rare", .limit = 100 };
	struct parcel one;

	fill_summary(&one.s, 1, COMMIT_A);
	assert_int_equal(str_set(&one.s.machine.id, "rare", NULL), 0);
	assert_int_equal(post(p->writer, &one, false), POST_CREATED);
	summary_release(&one.s);
	post_many(p, 2, MANY);
	/* The rare one is the last of the list. */
	assert_true(pages_to(p, lists_summaries, &machine, "01JD0000000000000000000001") > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(what_is_not_there_costs_the_same_however_much_is_there),
		ONE(newest_of_a_branch_are_the_last_that_it_has),
		ONE(pages_lead_past_what_is_not_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
