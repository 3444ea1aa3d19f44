#include "collector/machine/runlock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/machine/holder.h"
#include "lib/base/buf.h"
#include "lib/base/file.h"
#include "lib/process/stop.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define ASK_AGAIN_MS 20
#define WAIT_MOST_NS 3600000000000u

/* Anybody may have put something else there, such as a FIFO, whose opening would wait: -1. */
static int open_shared(const char *path, int flags, mode_t mode)
{
	/* First without O_CREAT: in a sticky folder the kernel may refuse it for another's file. */
	int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	if (fd < 0 && errno == ENOENT) {
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode);
		if (fd >= 0)
			fchmod(fd, mode);
	}
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode)))
		file_close(&fd);
	return fd;
}

/* ---- the queue ------------------------------------------------------------------------ */

/* A number in the queue: a byte of its file that is locked.  It goes with who holds it. */
struct ticket {
	int fd;
	off_t number; /* from 1 */
};

/*
 * Whether another has a lock in [from, to); to 0: however far.  False also where it cannot be told.
 * *out_end: the byte behind it; 0: it has all to the end.
 */
static bool find_lock(int fd, off_t from, off_t to, off_t *out_end)
{
	struct flock l = { .l_type = F_WRLCK,
			   .l_whence = SEEK_SET,
			   .l_start = from,
			   .l_len = to ? to - from : 0 };

	if (from == to || fcntl(fd, F_OFD_GETLK, &l) || l.l_type == F_UNLCK)
		return false;
	*out_end = l.l_len ? l.l_start + l.l_len : 0;
	return true;
}

/* Behind all who are there; without a queue there is no ticket, and everybody is first. */
static void take_ticket(const char *queue, struct ticket *out)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 1, .l_len = 1 };

	out->number = 1;
	out->fd = open_shared(queue, O_RDWR, 0666);
	while (out->fd >= 0) {
		while (l.l_start && find_lock(out->fd, l.l_start, 0, &l.l_start))
			;
		if (l.l_start && !fcntl(out->fd, F_OFD_SETLK, &l))
			break;
		/* Whoever holds it to its end leaves no number. */
		if (!l.l_start || (errno != EAGAIN && errno != EACCES))
			file_close(&out->fd);
	}
	out->number = l.l_start;
}

static bool is_first(const struct ticket *t)
{
	off_t ignored;

	return t->fd < 0 || !find_lock(t->fd, 1, t->number, &ignored);
}

/* ---- the lock ------------------------------------------------------------------------- */

/* Whether it is held now; *out_fault: it never will be, and nothing can be done about it. */
static bool try_lock(int fd, const struct ticket *t, bool *out_fault)
{
	*out_fault = false;
	if (!is_first(t))
		return false;
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return true;
	*out_fault = errno != EWOULDBLOCK && errno != EINTR;
	return false;
}

uint64_t runlock_most_ns(uint64_t wait_ns, uint64_t budget_ns)
{
	if (wait_ns)
		return wait_ns;
	return budget_ns ? budget_ns + RUNLOCK_MORE_NS : 0;
}

static int refuse(int fd, const char *file, uint64_t most_ns, struct err *err)
{
	struct buf who = BUF_INIT;

	holder_name(fd, &who);
	if (most_ns) {
		err_set(err, ERR_BUSY,
			"another pawl is measuring on this machine%s: waited for %.3g s",
			buf_str(&who), (double)most_ns / 1e9);
		err_hint(err, "run it again when the other one has ended, or wait longer: "
			      "--wait 10m");
	} else {
		err_set(err, ERR_BUSY, "another process%s has held '%s' for an hour", buf_str(&who),
			file);
		err_hint(err, "see who it is with 'fuser %s'", file);
	}
	buf_release(&who);
	return -1;
}

static void tell(int fd, uint64_t most_ns, const struct talk *talk)
{
	struct buf who = BUF_INIT;

	holder_name(fd, &who);
	if (most_ns)
		buf_addf(&who, ": waiting for it, at most %.3g s", (double)most_ns / 1e9);
	else
		buf_adds(&who, ": waiting for it");
	talk_note(talk, "another pawl is measuring on this machine%s", buf_str(&who));
	buf_release(&who);
}

static int wait_for(int fd, const struct ticket *t, const char *file, uint64_t most_ns,
		    const struct talk *talk, bool *out_fault, struct err *err)
{
	uint64_t start = when_monotonic_ns(), most = most_ns ? most_ns : WAIT_MOST_NS;
	bool told = false;

	while (!try_lock(fd, t, out_fault) && !*out_fault) {
		if (stop_signal)
			return err_set(err, ERR_STOPPED,
				       "stopped by a signal: another pawl was measuring on this "
				       "machine for all of the %.0f s that this one waited",
				       (double)(when_monotonic_ns() - start) / 1e9);
		if (!told)
			tell(fd, most_ns, talk);
		told = true;
		if (when_monotonic_ns() - start > most)
			return refuse(fd, file, most_ns, err);
		poll(NULL, 0, ASK_AGAIN_MS);
	}
	return 0;
}

int runlock_take_of(const char *file, const char *queue, const struct talk *talk, uint64_t most_ns,
		    int *out_fd, struct err *err)
{
	struct ticket ticket;
	bool fault = false;
	int fd = open_shared(file, O_RDONLY, 0644), result;

	*out_fd = -1;
	if (fd < 0) {
		talk_warn(talk, "let nothing else measure meanwhile",
			  "cannot open '%s' as a file: another pawl may measure at the same time",
			  file);
		return 0;
	}
	take_ticket(queue, &ticket);
	result = wait_for(fd, &ticket, file, most_ns, talk, &fault, err);
	file_close(&ticket.fd);
	if (result || fault)
		file_close(&fd);
	*out_fd = fd;
	return result;
}

int runlock_take(const struct talk *talk, uint64_t most_ns, int *out_fd, struct err *err)
{
	const char *file = getenv(RUNLOCK_ENV);
	struct buf queue = BUF_INIT;
	int result = -1;

	*out_fd = -1;
	if (!file || !*file)
		return runlock_take_of(RUNLOCK_FILE, RUNLOCK_QUEUE, talk, most_ns, out_fd, err);
	if (*file != '/') {
		err_set(err, ERR_USAGE, RUNLOCK_ENV " is '%s', not a whole path", file);
		return err_hint(err, "for example: " RUNLOCK_ENV "=/tmp/pawl.lock.0");
	}
	buf_addf(&queue, "%s.queue", file);
	if (!buf_check(&queue, err))
		result = runlock_take_of(file, buf_str(&queue), talk, most_ns, out_fd, err);
	buf_release(&queue);
	return result;
}
