#include "server/http/loop.h"

#include <errno.h>
#include <limits.h>
#include <microhttpd.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "lib/base/banned.h"

/* Until something is ready or asked, or as long as the library says. */
static void wait_for_work(struct loop *l, int epoll_fd)
{
	struct pollfd fds[] = { { epoll_fd, POLLIN, 0 }, { l->wake, POLLIN, 0 } };
	MHD_UNSIGNED_LONG_LONG ms = 0;
	int wait = -1;
	uint64_t n;

	if (MHD_get_timeout(l->daemon, &ms) == MHD_YES)
		wait = ms < INT_MAX ? (int)ms : INT_MAX;
	if (poll(fds, 2, wait) <= 0 || !fds[1].revents)
		return;
	/* In this order: whoever comes now wakes it again. */
	if (read(l->wake, &n, sizeof(n)) == sizeof(n))
		atomic_store(&l->is_woken, false);
}

static void close_listening(struct loop *l)
{
	MHD_socket fd = MHD_quiesce_daemon(l->daemon);

	if (fd != MHD_INVALID_SOCKET)
		close(fd);
}

/* What is asked; whether to go on. */
static bool take_orders(struct loop *l)
{
	bool stop;

	pthread_mutex_lock(&l->lock);
	if (l->quiet && !l->is_quiet) {
		close_listening(l);
		l->is_quiet = true;
		pthread_cond_signal(&l->done);
	}
	stop = l->stop;
	pthread_mutex_unlock(&l->lock);
	return !stop;
}

static unsigned count_connections(struct loop *l)
{
	return MHD_get_daemon_info(l->daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS)->num_connections;
}

/* Once more where one has ended: only then does the library, at its limit, listen again. */
static void work(struct loop *l)
{
	unsigned before;

	do {
		before = count_connections(l);
		MHD_run(l->daemon);
	} while (count_connections(l) < before);
}

static void *run(void *arg)
{
	struct loop *l = arg;
	int epoll_fd = MHD_get_daemon_info(l->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;

	do {
		work(l);
		wait_for_work(l, epoll_fd);
	} while (take_orders(l));
	return NULL;
}

static int start_thread(struct loop *l, size_t stack_bytes)
{
	pthread_attr_t attr;
	int fault = pthread_attr_init(&attr);

	if (fault)
		return fault;
	fault = pthread_attr_setstacksize(&attr, stack_bytes);
	if (!fault)
		fault = pthread_create(&l->thread, &attr, run, l);
	pthread_attr_destroy(&attr);
	return fault;
}

int loop_start(struct loop *l, struct MHD_Daemon *daemon, size_t stack_bytes, struct err *err)
{
	memset(l, 0, sizeof(*l));
	atomic_init(&l->is_woken, false);
	l->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (l->wake < 0)
		return err_sys(err, ERR_IO, "cannot start an HTTP thread");
	pthread_mutex_init(&l->lock, NULL);
	pthread_cond_init(&l->done, NULL);
	l->daemon = daemon;
	errno = start_thread(l, stack_bytes);
	if (!errno)
		return 0;
	err_sys(err, ERR_IO, "cannot start an HTTP thread");
	pthread_cond_destroy(&l->done);
	pthread_mutex_destroy(&l->lock);
	close(l->wake);
	return -1;
}

void loop_wake(struct loop *l)
{
	const uint64_t one = 1;
	ssize_t n;

	if (atomic_exchange(&l->is_woken, true))
		return;
	n = write(l->wake, &one, sizeof(one)); /* it never overflows */
	(void)n;
}

void loop_quiesce(struct loop *l)
{
	pthread_mutex_lock(&l->lock);
	l->quiet = true;
	loop_wake(l);
	while (!l->is_quiet)
		pthread_cond_wait(&l->done, &l->lock);
	pthread_mutex_unlock(&l->lock);
}

void loop_stop(struct loop *l)
{
	pthread_mutex_lock(&l->lock);
	l->stop = true;
	loop_wake(l);
	pthread_mutex_unlock(&l->lock);
	pthread_join(l->thread, NULL);
	pthread_cond_destroy(&l->done);
	pthread_mutex_destroy(&l->lock);
	close(l->wake);
}
