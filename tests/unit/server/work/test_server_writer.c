/* The writer thread: every job is answered once. */
#include "tests/unit/store_fixture.h"

#include <sched.h>

#include "lib/digest/digest.h"
#include "server/work/writer.h"

#define N_JOBS 600

struct parcel {
	struct job job; /* first, as in a request */
	struct summary s;
	struct buf json;
	char sha256[DIGEST_HEX];
};

static atomic_int n_done;

static void on_done(struct job *job)
{
	(void)job;
	atomic_fetch_add(&n_done, 1);
}

static void wrap(struct parcel *p, unsigned n)
{
	memset(p, 0, sizeof(*p));
	fill_summary(&p->s, n, COMMIT_A);
	assert_int_equal(summary_encode(&p->s, 0, &p->json, NULL), 0);
	assert_int_equal(digest_of(p->json.data, p->json.len, p->sha256, NULL), 0);
	p->job.done = on_done;
	p->job.post.summary = &p->s;
	p->job.post.json = p->json.data;
	p->job.post.n = p->json.len;
	p->job.post.sha256 = p->sha256;
}

static void release(struct parcel *p)
{
	summary_release(&p->s);
	buf_release(&p->json);
}

static void every_job_is_answered_and_stored_before_the_writer_ends(void **state)
{
	char *dir = new_folder(), where[256];
	struct parcel *parcels = calloc(N_JOBS, sizeof(*parcels));
	struct talk silent = { .warn = NULL };
	struct writer w;
	int i, n_created = 0, n_same = 0;

	(void)state;
	assert_non_null(parcels);
	snprintf(where, sizeof(where), "sqlite:%s/ledger.db", dir);
	assert_int_equal(writer_start(&w, where, &silent, NULL), 0);
	atomic_store(&n_done, 0);
	for (i = 0; i < N_JOBS; i++) {
		/* Each id twice: one of the two is created. */
		wrap(&parcels[i], (unsigned)i / 2);
		assert_true(writer_submit(&w, &parcels[i].job));
	}
	assert_false(writer_refuses(&w));
	writer_stop(&w);
	assert_int_equal(atomic_load(&n_done), N_JOBS);
	for (i = 0; i < N_JOBS; i++) {
		assert_int_equal(parcels[i].job.err.code, ERR_NONE);
		n_created += parcels[i].job.post.result == POST_CREATED;
		n_same += parcels[i].job.post.result == POST_SAME;
		release(&parcels[i]);
	}
	assert_int_equal(n_created, N_JOBS / 2);
	assert_int_equal(n_same, N_JOBS / 2);
	free(parcels);
	file_remove_tree(dir, NULL);
	free(dir);
}

static void change_nothing(struct job *job, struct ledger *l)
{
	(void)job;
	(void)l;
}

static void trial_tells_whether_something_could_be_stored(void **state)
{
	char *dir = new_folder(), where[256];
	struct talk silent = { .warn = NULL };
	struct job trial = { .trial = true, .done = on_done };
	struct job change = { .change = change_nothing, .done = on_done };
	struct writer w;

	(void)state;
	snprintf(where, sizeof(where), "sqlite:%s/ledger.db", dir);
	assert_int_equal(writer_start(&w, where, &silent, NULL), 0);
	atomic_store(&n_done, 0);
	assert_true(writer_submit(&w, &change));
	while (!atomic_load(&n_done))
		sched_yield();
	assert_false(writer_worked_lately(&w)); /* it wrote nothing, and would have fit anywhere */
	atomic_store(&n_done, 0);
	assert_true(writer_submit(&w, &trial));
	while (!atomic_load(&n_done))
		sched_yield();
	assert_int_equal(trial.err.code, ERR_NONE);
	assert_int_not_equal(atomic_load(&w.worked_ns), 0);
	writer_stop(&w);
	file_remove_tree(dir, NULL);
	free(dir);
}

static void writer_without_a_store_does_not_start(void **state)
{
	struct talk silent = { .warn = NULL };
	struct err err = ERR_INIT;
	struct writer w;

	(void)state;
	assert_int_equal(writer_start(&w, "sqlite:/nonexistent/x", &silent, &err), -1);
	assert_int_equal(err.code, ERR_IO);
	writer_stop(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_job_is_answered_and_stored_before_the_writer_ends),
		cmocka_unit_test(trial_tells_whether_something_could_be_stored),
		cmocka_unit_test(writer_without_a_store_does_not_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
