/* The sweeper: late connections end, and when there are too many, who goes first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "server/http/sweep.h"

#define HOUR_NS 3600000000000u
#define CROWD 4

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
	late = sweep_add(&s, a[0], 0, 10, 1000000);
	busy = sweep_add(&s, b[0], 0, 10, SWEEP_NEVER);
	gone = sweep_add(&s, c[0], 0, 10, HOUR_NS);
	sweep_remove(&s, gone);
	/* However slow the machine: it ends, sooner or later. */
	assert_true(ends(a[1], 60000));
	assert_false(ends(b[1], 0));
	sweep_all(&s);
	assert_false(ends(b[1], 0));
	assert_false(ends(c[1], 0));
	sweep_set(&s, busy, SWEEP_WAITS, 0);
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

/* Connections of one sweeper: near[i] is the server's end, far[i] the client's. */
struct crowd {
	struct sweep s;
	struct watched *w[CROWD + 1];
	int near[CROWD + 1], far[CROWD + 1];
};

static void come(struct crowd *c, int i, unsigned thread)
{
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	c->near[i] = pair[0];
	c->far[i] = pair[1];
	c->w[i] = sweep_add(&c->s, pair[0], thread, CROWD, HOUR_NS);
	assert_non_null(c->w[i]);
}

/* CROWD connections of thread 0, the first one the oldest. */
static void gather(struct crowd *c)
{
	int i;

	assert_int_equal(sweep_start(&c->s, HOUR_NS, NULL), 0);
	for (i = 0; i < CROWD; i++)
		come(c, i, 0);
}

static void part(struct crowd *c)
{
	int i;

	for (i = 0; i <= CROWD; i++) {
		sweep_remove(&c->s, c->w[i]);
		close(c->near[i]);
		close(c->far[i]);
	}
	sweep_stop(&c->s);
}

/* Which one made room for the last; -1: none. */
static int gone(struct crowd *c)
{
	int i, found = -1;

	for (i = 0; i <= CROWD; i++)
		if (ends(c->far[i], 0)) {
			assert_int_equal(found, -1);
			found = i;
		}
	return found;
}

static void oldest_waiting_one_makes_room(void **state)
{
	struct crowd c;

	(void)state;
	gather(&c);
	come(&c, CROWD, 0);
	assert_int_equal(gone(&c), 0);
	part(&c);
}

static void connection_of_another_thread_takes_no_room(void **state)
{
	struct crowd c;

	(void)state;
	gather(&c);
	come(&c, CROWD, 1);
	assert_int_equal(gone(&c), -1);
	part(&c);
}

static void waiting_begins_afresh_behind_a_reply(void **state)
{
	struct crowd c;

	(void)state;
	gather(&c);
	sweep_set(&c.s, c.w[0], SWEEP_WORKS, SWEEP_NEVER);
	sweep_set(&c.s, c.w[0], SWEEP_WAITS, HOUR_NS);
	come(&c, CROWD, 0);
	assert_int_equal(gone(&c), 1);
	part(&c);
}

/* Longer than a client that means well needs for its request. */
static void wait_a_while(void)
{
	struct timespec pause = { 1, 100000000 };

	nanosleep(&pause, NULL);
}

static void who_reads_a_reply_goes_behind_who_is_slow(void **state)
{
	struct crowd c;

	(void)state;
	gather(&c);
	sweep_set(&c.s, c.w[0], SWEEP_ANSWERS, HOUR_NS);
	sweep_set(&c.s, c.w[1], SWEEP_WORKS, SWEEP_NEVER);
	sweep_trust(&c.s, c.w[2]);
	wait_a_while();
	come(&c, CROWD, 0);
	assert_int_equal(gone(&c), 3);
	part(&c);
}

static void who_came_just_now_goes_behind_who_rests(void **state)
{
	struct crowd c;

	(void)state;
	gather(&c);
	sweep_trust(&c.s, c.w[2]);
	sweep_set(&c.s, c.w[2], SWEEP_ANSWERS, HOUR_NS);
	sweep_set(&c.s, c.w[2], SWEEP_WAITS, HOUR_NS);
	come(&c, CROWD, 0);
	assert_int_equal(gone(&c), 2);
	part(&c);
}

static void who_rests_with_a_valid_token_goes_behind_the_others(void **state)
{
	struct crowd c;

	(void)state;
	gather(&c);
	sweep_trust(&c.s, c.w[0]);
	sweep_set(&c.s, c.w[0], SWEEP_ANSWERS, HOUR_NS);
	sweep_set(&c.s, c.w[0], SWEEP_WAITS, HOUR_NS);
	sweep_trust(&c.s, c.w[1]);
	sweep_set(&c.s, c.w[2], SWEEP_WORKS, SWEEP_NEVER);
	sweep_set(&c.s, c.w[3], SWEEP_ANSWERS, HOUR_NS);
	come(&c, CROWD, 0);
	assert_int_equal(gone(&c), 3);
	part(&c);
}

static void who_lingers_goes_first_though_its_token_is_valid(void **state)
{
	struct crowd c;

	(void)state;
	gather(&c);
	sweep_trust(&c.s, c.w[2]);
	sweep_set(&c.s, c.w[2], SWEEP_LINGERS, HOUR_NS);
	wait_a_while();
	come(&c, CROWD, 0);
	assert_int_equal(gone(&c), 2);
	part(&c);
}

static void what_is_under_way_stays(void **state)
{
	struct crowd c;
	int i;

	(void)state;
	gather(&c);
	for (i = 0; i < CROWD; i++)
		if (i % 2)
			sweep_trust(&c.s, c.w[i]);
		else
			sweep_set(&c.s, c.w[i], SWEEP_WORKS, SWEEP_NEVER);
	come(&c, CROWD, 0);
	assert_int_equal(gone(&c), -1);
	part(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(late_connection_is_shut_and_one_without_deadline_stays),
		cmocka_unit_test(oldest_waiting_one_makes_room),
		cmocka_unit_test(connection_of_another_thread_takes_no_room),
		cmocka_unit_test(waiting_begins_afresh_behind_a_reply),
		cmocka_unit_test(who_reads_a_reply_goes_behind_who_is_slow),
		cmocka_unit_test(who_came_just_now_goes_behind_who_rests),
		cmocka_unit_test(who_rests_with_a_valid_token_goes_behind_the_others),
		cmocka_unit_test(who_lingers_goes_first_though_its_token_is_valid),
		cmocka_unit_test(what_is_under_way_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
