/* The threads that ask the ledger: every question comes back once, also at the end. */
#include "tests/unit/store_fixture.h"

#include <stdatomic.h>
#include <time.h>

#include "server/work/readers.h"

#define HOUR_NS 3600000000000u
#define MANY 100

static atomic_int n_asked, n_refused, n_done;
static atomic_bool held;

static void pause_a_moment(void)
{
	struct timespec moment = { 0, 1000000 };

	nanosleep(&moment, NULL);
}

static void on_ask(struct question *q, struct ledger *l)
{
	(void)q;
	assert_non_null(l);
	atomic_fetch_add(&n_asked, 1);
	while (atomic_load(&held))
		pause_a_moment();
}

static void on_refuse(struct question *q)
{
	(void)q;
	atomic_fetch_add(&n_refused, 1);
}

static void on_done(struct question *q)
{
	(void)q;
	atomic_fetch_add(&n_done, 1);
}

/* A folder with an empty ledger, and readers of it. */
static char *start(struct readers *p, uint64_t budget_ns)
{
	char *dir = new_folder(), where[256];
	struct ledger *l = NULL;

	snprintf(where, sizeof(where), "sqlite:%s/ledger.db", dir);
	assert_int_equal(ledger_open(where, LEDGER_WRITE, &l, NULL), 0);
	assert_int_equal(readers_start(p, where, READERS_N, budget_ns, NULL), 0);
	ledger_close(l);
	n_asked = n_refused = n_done = 0;
	held = false;
	return dir;
}

static void end(char *dir)
{
	file_remove_tree(dir, NULL);
	free(dir);
}

static void submit(struct readers *p, struct question *q)
{
	*q = (struct question){ .ask = on_ask, .refuse = on_refuse, .done = on_done };
	assert_true(readers_submit(p, q));
}

static void every_question_is_asked_and_comes_back_once(void **state)
{
	struct question q[MANY];
	struct readers p;
	char *dir = start(&p, HOUR_NS);
	int i;

	(void)state;
	for (i = 0; i < MANY; i++)
		submit(&p, &q[i]);
	while (atomic_load(&n_done) < MANY)
		pause_a_moment();
	readers_stop(&p);
	assert_int_equal(n_asked, MANY);
	assert_int_equal(n_refused, 0);
	assert_int_equal(n_done, MANY);
	end(dir);
}

static void what_waits_too_long_and_what_is_too_much_is_refused(void **state)
{
	static struct question q[READERS_N + READERS_MAX_QUEUE + 1];
	struct readers p;
	char *dir = start(&p, HOUR_NS);
	int i;

	(void)state;
	atomic_store(&held, true);
	for (i = 0; i < READERS_N; i++)
		submit(&p, &q[i]);
	while (atomic_load(&n_asked) < READERS_N)
		pause_a_moment();
	for (; i < READERS_N + READERS_MAX_QUEUE; i++)
		submit(&p, &q[i]);
	q[i] = q[0];
	assert_false(readers_submit(&p, &q[i]));
	/* From now on any wait is too long. */
	pthread_mutex_lock(&p.lock);
	p.budget_ns = 0;
	pthread_mutex_unlock(&p.lock);
	atomic_store(&held, false);
	while (atomic_load(&n_done) < READERS_N + READERS_MAX_QUEUE)
		pause_a_moment();
	assert_int_equal(n_asked, READERS_N);
	assert_int_equal(n_refused, READERS_MAX_QUEUE);
	readers_stop(&p);
	end(dir);
}

static void *let_go(void *arg)
{
	struct readers *p = arg;

	/* What waits may not be asked any more once the end was asked for. */
	for (;;) {
		bool stopping;

		pthread_mutex_lock(&p->lock);
		stopping = p->stopping;
		pthread_mutex_unlock(&p->lock);
		if (stopping)
			break;
		pause_a_moment();
	}
	atomic_store(&held, false);
	return NULL;
}

static void end_refuses_what_still_waits(void **state)
{
	struct question q[READERS_N + 3];
	struct readers p;
	char *dir = start(&p, HOUR_NS);
	pthread_t thread;
	int i;

	(void)state;
	atomic_store(&held, true);
	for (i = 0; i < READERS_N; i++)
		submit(&p, &q[i]);
	while (atomic_load(&n_asked) < READERS_N)
		pause_a_moment();
	for (; i < READERS_N + 3; i++)
		submit(&p, &q[i]);
	assert_int_equal(pthread_create(&thread, NULL, let_go, &p), 0);
	readers_stop(&p);
	pthread_join(thread, NULL);
	assert_int_equal(n_asked, READERS_N);
	assert_int_equal(n_refused, 3);
	assert_int_equal(n_done, READERS_N + 3);
	end(dir);
}

static void readers_without_a_store_do_not_start(void **state)
{
	struct readers p;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(readers_start(&p, "sqlite:/nonexistent/x", READERS_N, HOUR_NS, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	readers_stop(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_question_is_asked_and_comes_back_once),
		cmocka_unit_test(what_waits_too_long_and_what_is_too_much_is_refused),
		cmocka_unit_test(end_refuses_what_still_waits),
		cmocka_unit_test(readers_without_a_store_do_not_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
