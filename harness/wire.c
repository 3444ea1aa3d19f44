/* SPDX-License-Identifier: MIT */
#include "harness/wire.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int wait_for(int fd, short event, int patience_ms)
{
	struct pollfd p = { .fd = fd, .events = event };
	int n = poll(&p, 1, patience_ms);
	if (n < 0)
		return errno == EINTR ? 0 : -errno;
	return n == 0 ? -ETIMEDOUT : 0;
}

static int write_all(int fd, const char *at, size_t left)
{
	while (left > 0) {
		ssize_t n = write(fd, at, left);
		if (n > 0) {
			at += n;
			left -= (size_t)n;
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return -errno;
		int error = wait_for(fd, POLLOUT, WIRE_PATIENCE_MS);
		if (error)
			return error;
	}
	return 0;
}

int pawl_wire_send(int fd, struct text *t)
{
	struct sigaction quiet, before;
	int error;
	pawl_text_add(t, "\n");
	if (t->full)
		return -EMSGSIZE;
	memset(&quiet, 0, sizeof(quiet));
	quiet.sa_handler = SIG_IGN;
	/* Only for the moment: the signal is the benchmark's outside of this. */
	int changed = sigaction(SIGPIPE, &quiet, &before) == 0;
	error = write_all(fd, t->at, t->used);
	if (changed)
		(void)sigaction(SIGPIPE, &before, NULL);
	return error;
}

int pawl_wire_wait(int fd)
{
	for (;;) {
		char byte;
		ssize_t n = read(fd, &byte, 1);
		if (n == 1)
			return 0;
		if (n == 0 || errno == ECONNRESET)
			return -EPIPE;
		if (errno == EAGAIN) {
			int error = wait_for(fd, POLLIN, -1);
			if (error)
				return error;
		} else if (errno != EINTR) {
			return -errno;
		}
	}
}
