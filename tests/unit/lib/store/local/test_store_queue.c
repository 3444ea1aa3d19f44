/* The queue of the local store: order, waiting, refusal, limits. */
#include "tests/unit/lib/store/local/results_fixture.h"

static bool queue(struct store *store, unsigned n)
{
	struct summary s;
	bool queued = false;

	fill_summary(&s, n, COMMIT_A);
	assert_int_equal(store_add(store, &s, true, &queued, NULL), 0);
	summary_release(&s);
	return queued;
}

/* The number in the next entry's id, or -1 when nothing is due. */
static int next(struct store *store, int64_t now_us, const struct strv *skip)
{
	struct queue_entry e = { 0 };
	struct err err = ERR_INIT;
	int n;

	if (store_queue_next(store, now_us, skip, &e, &err)) {
		assert_int_equal(err.code, ERR_ABSENT);
		return -1;
	}
	assert_int_equal(strlen(e.json), e.n);
	n = (int)strtol(e.id + 20, NULL, 10);
	queue_entry_release(&e);
	return n;
}

static void counts(struct store *store, size_t waiting, size_t rejected)
{
	size_t a = 99, b = 99;

	assert_int_equal(store_queue_count(store, &a, &b, NULL), 0);
	assert_int_equal(a, waiting);
	assert_int_equal(b, rejected);
}

static void entries_leave_in_the_order_they_came(void **state)
{
	struct store *store = ((struct place *)*state)->store;
	struct strv skip = STRV_INIT;
	char id[27];

	assert_int_equal(next(store, 0, NULL), -1);
	assert_true(queue(store, 7));
	assert_true(queue(store, 3));
	assert_true(queue(store, 5));
	assert_int_equal(next(store, 0, NULL), 7);
	assert_int_equal(strv_add(&skip, id_of(7, id), NULL), 0);
	assert_int_equal(next(store, 0, &skip), 3);
	assert_int_equal(store_queue_done(store, id_of(7, id), NULL), 0);
	assert_int_equal(next(store, 0, NULL), 3);
	counts(store, 2, 0);
	strv_release(&skip);
}

static void delivered_result_stays_stored_and_is_not_queued_again(void **state)
{
	struct store *store = ((struct place *)*state)->store;
	struct summary s;
	char id[27];

	assert_true(queue(store, 1));
	assert_true(queue(store, 1));
	counts(store, 1, 0);
	assert_int_equal(store_queue_done(store, id_of(1, id), NULL), 0);
	assert_int_equal(store_queue_done(store, id_of(1, id), NULL), 0);
	assert_int_equal(store_get(store, id, &s, NULL), 0);
	summary_release(&s);
	assert_true(queue(store, 1));
	counts(store, 0, 0);
}

static void failed_entry_waits_for_its_time_and_lets_others_pass(void **state)
{
	struct store *store = ((struct place *)*state)->store;
	struct queue_entry e = { 0 };
	char id[27];

	assert_true(queue(store, 1));
	assert_true(queue(store, 2));
	assert_int_equal(store_queue_retry(store, id_of(1, id), 1000, "connection refused", NULL),
			 0);
	assert_int_equal(next(store, 999, NULL), 2);
	assert_int_equal(next(store, 1000, NULL), 1);
	assert_int_equal(store_queue_next(store, 1000, NULL, &e, NULL), 0);
	assert_int_equal(e.attempts, 1);
	assert_int_equal(e.next_try_us, 1000);
	assert_string_equal(e.last_error, "connection refused");
	queue_entry_release(&e);
	counts(store, 2, 0);
}

static void refused_entry_blocks_nobody_and_is_counted(void **state)
{
	struct store *store = ((struct place *)*state)->store;
	struct summary s;
	char id[27];

	assert_true(queue(store, 1));
	assert_true(queue(store, 2));
	assert_int_equal(store_queue_reject(store, id_of(1, id), "422: no unit", NULL), 0);
	assert_int_equal(next(store, INT64_MAX, NULL), 2);
	counts(store, 1, 1);
	assert_int_equal(store_get(store, id_of(1, id), &s, NULL), 0);
	summary_release(&s);
}

static void damaged_result_is_rejected_instead_of_posted(void **state)
{
	struct place *p = *state;

	assert_true(queue(p->store, 1));
	assert_true(queue(p->store, 2));
	meddle(p->path, "UPDATE result SET packed=x'7b7d' WHERE id LIKE '%1'");
	assert_int_equal(next(p->store, 0, NULL), 2);
	counts(p->store, 1, 1);
}

static void entry_without_its_result_does_not_block(void **state)
{
	struct place *p = *state;

	assert_true(queue(p->store, 1));
	assert_true(queue(p->store, 2));
	meddle(p->path, "PRAGMA foreign_keys=OFF; DELETE FROM result WHERE id LIKE '%1'");
	assert_int_equal(next(p->store, 0, NULL), 2);
	counts(p->store, 1, 1);
}

static void full_queue_keeps_the_result_and_refuses_the_entry(void **state)
{
	struct place *p = *state;
	struct summary s;
	char id[27];

	assert_true(queue(p->store, 1));
	/* As if there were 998 more of one byte. */
	meddle(p->path, "PRAGMA foreign_keys=OFF; WITH RECURSIVE k(x) AS"
			" (SELECT 1 UNION ALL SELECT x+1 FROM k WHERE x<998)"
			" INSERT INTO queue (id, size, next_try_us) SELECT 'x' || x, 1, 5 FROM k");
	assert_true(queue(p->store, 2));
	assert_false(queue(p->store, 3));
	counts(p->store, STORE_QUEUE_MAX_ENTRIES, 0);
	assert_int_equal(store_get(p->store, id_of(3, id), &s, NULL), 0);
	summary_release(&s);
	meddle(p->path, "DELETE FROM queue WHERE id LIKE 'x%'; UPDATE queue SET size=67108864");
	assert_false(queue(p->store, 4));
	/* Refused ones hold no room. */
	assert_int_equal(store_queue_reject(p->store, id_of(1, id), "no", NULL), 0);
	assert_int_equal(store_queue_reject(p->store, id_of(2, id), "no", NULL), 0);
	assert_true(queue(p->store, 4));
}

static void rejected_ones_wait_again_when_asked(void **state)
{
	struct store *store = ((struct place *)*state)->store;
	size_t n = 99;
	char id[27];

	assert_true(queue(store, 1));
	assert_true(queue(store, 2));
	assert_int_equal(store_queue_reject(store, id_of(1, id), "because", NULL), 0);
	counts(store, 1, 1);
	assert_int_equal(store_queue_again(store, &n, NULL), 0);
	assert_int_equal(n, 1);
	counts(store, 2, 0);
	assert_int_equal(next(store, 0, NULL), 1);
	assert_int_equal(store_queue_again(store, &n, NULL), 0);
	assert_int_equal(n, 0);
}

static void what_was_never_queued_is_counted_and_queued_when_asked(void **state)
{
	struct store *store = ((struct place *)*state)->store;
	struct summary s;
	size_t n = 99;
	unsigned i;
	char id[27];

	for (i = 1; i <= 3; i++) {
		fill_summary(&s, i, COMMIT_A);
		assert_int_equal(store_add(store, &s, false, NULL, NULL), 0);
		summary_release(&s);
	}
	assert_true(queue(store, 4));
	assert_true(queue(store, 5));
	assert_int_equal(store_queue_done(store, id_of(4, id), NULL), 0);
	assert_int_equal(store_queue_reject(store, id_of(5, id), "because", NULL), 0);
	assert_int_equal(store_queue_missed(store, &n, NULL), 0);
	assert_int_equal(n, 3);
	assert_int_equal(store_queue_all(store, &n, NULL), 0);
	assert_int_equal(n, 3);
	/* Neither what was delivered nor what was refused. */
	counts(store, 3, 1);
	assert_int_equal(next(store, 0, NULL), 1);
	assert_int_equal(store_queue_missed(store, &n, NULL), 0);
	assert_int_equal(n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(entries_leave_in_the_order_they_came),
		ONE(rejected_ones_wait_again_when_asked),
		ONE(what_was_never_queued_is_counted_and_queued_when_asked),
		ONE(delivered_result_stays_stored_and_is_not_queued_again),
		ONE(failed_entry_waits_for_its_time_and_lets_others_pass),
		ONE(refused_entry_blocks_nobody_and_is_counted),
		ONE(damaged_result_is_rejected_instead_of_posted),
		ONE(entry_without_its_result_does_not_block),
		ONE(full_queue_keeps_the_result_and_refuses_the_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
