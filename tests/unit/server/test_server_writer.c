/* The writer thread and the sweeper: every job is answered once, late connections end. */
#include "tests/unit/store_fixture.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "lib/base/digest.h"
#include "server/sweep.h"
#include "server/writer.h"

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

/* Whether the peer of a socket is shut down, waiting at most so long. */
static bool ends(int fd, int within_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char byte;

	return poll(&p, 1, within_ms) == 1 && recv(fd, &byte, 1, 0) == 0;
}

static void late_connection_is_shut_and_one_without_deadline_stays(void **state)
{
	struct sweep s;
	struct watched *late, *busy, *gone;
	int a[2], b[2], c[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, a), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, b), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, c), 0);
	assert_int_equal(sweep_start(&s, 1000000, NULL), 0);
	late = sweep_add(&s, a[0], 1000000);
	busy = sweep_add(&s, b[0], SWEEP_NEVER);
	gone = sweep_add(&s, c[0], 3600000000000u);
	sweep_remove(&s, gone);
	/* However slow the machine: it ends, sooner or later. */
	assert_true(ends(a[1], 60000));
	assert_false(ends(b[1], 0));
	sweep_all(&s);
	assert_false(ends(b[1], 0));
	assert_false(ends(c[1], 0));
	sweep_set(&s, busy, 0);
	assert_true(ends(b[1], 60000));
	sweep_remove(&s, late);
	sweep_remove(&s, busy);
	sweep_stop(&s);
	close(a[0]);
	close(a[1]);
	close(b[0]);
	close(b[1]);
	close(c[0]);
	close(c[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_job_is_answered_and_stored_before_the_writer_ends),
		cmocka_unit_test(writer_without_a_store_does_not_start),
		cmocka_unit_test(late_connection_is_shut_and_one_without_deadline_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
