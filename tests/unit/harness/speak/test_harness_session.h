/*
 * test_harness_session - one made-up benchmark behind a real socket, and what it said there.
 */
#ifndef TEST_HARNESS_SESSION_H
#define TEST_HARNESS_SESSION_H

#include "tests/unit/harness/test_harness_fake.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/counter/perf.h"
#include "harness/session/session.h"
#include "harness/speak/ask.h"

#define MS 1000000u

static struct session *s;
static int peer; /* the collector's end */
static char said[65536];

static inline int no_event(struct perf_event_attr *attr, int group_fd)
{
	(void)attr, (void)group_fd;
	return -ENOENT;
}

static inline int no_paranoid(void)
{
	return 2;
}

static const struct counter_calls no_counters = { .open = no_event,
						  .paranoid = no_paranoid,
						  .devices = "/nonexistent" };

static inline int close_session(void **state)
{
	(void)state;
	if (s) {
		(void)close(s->orders.fd);
		(void)close(peer);
	}
	free(s);
	s = NULL;
	return 0;
}

/* A new session in place of the one before. */
static inline int open_session(void **state)
{
	int fd[2];
	close_session(state);
	s = calloc(1, sizeof(*s));
	if (!s || socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		return -1;
	peer = fd[1];
	s->program = "test";
	s->list = &fake_bench;
	s->count = 1;
	s->in = fake_instruments(1 * MS);
	s->calls = &no_counters;
	s->options = (struct options){ .counters = true, .min_ns = 10e6 };
	s->orders = (struct orders){ .fd = fd[0], .slices = 1, .counters = true };
	s->orders.benchmark = "fake";
	pawl_text_init(&s->text, s->memory, sizeof(s->memory));
	return 0;
}

/* Runs the session and collects what it said. */
static inline int run_session(void)
{
	size_t used = 0;
	ssize_t n;
	int status = pawl_ask(s);
	(void)shutdown(s->orders.fd, SHUT_WR);
	while ((n = read(peer, said + used, sizeof(said) - 1 - used)) > 0)
		used += (size_t)n;
	said[used] = '\0';
	return status;
}

static inline int lines(void)
{
	int n = 0;
	for (const char *c = said; *c; c++)
		n += *c == '\n';
	return n;
}

/* Line i, without its newline. */
static inline const char *line(int i)
{
	static char out[SESSION_MEMORY];
	const char *at = said, *end;
	for (; i > 0; i--) {
		at = strchr(at, '\n');
		assert_non_null(at);
		at++;
	}
	end = strchr(at, '\n');
	assert_non_null(end);
	memcpy(out, at, (size_t)(end - at));
	out[end - at] = '\0';
	return out;
}

static inline void says(int i, const char *part)
{
	if (!strstr(line(i), part))
		fail_msg("line %d is %s, without %s", i, line(i), part);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_session, close_session)

#endif
