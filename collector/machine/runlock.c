#include "collector/machine/runlock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/stop.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define LOCK_PATH "/tmp/pawl.lock" /* of the machine, not of a user or a repository */
#define ASK_AGAIN_MS 200
#define WAIT_MOST_NS 3600000000000u

static int open_lock(void)
{
	/* First without O_CREAT: in a sticky folder the kernel may refuse it for another's file. */
	int fd = open(LOCK_PATH, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0 && errno == ENOENT) {
		fd = open(LOCK_PATH, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
		if (fd >= 0)
			fchmod(fd, 0644);
	}
	return fd;
}

int runlock_take(const struct talk *talk, int *out_fd, struct err *err)
{
	int fd = open_lock();
	uint64_t end = when_monotonic_ns() + WAIT_MOST_NS;
	bool told = false;

	*out_fd = fd;
	if (fd < 0) {
		talk_warn(talk, "let nothing else measure meanwhile",
			  "cannot open '" LOCK_PATH "': another pawl may measure at the same time");
		return 0;
	}
	while (flock(fd, LOCK_EX | LOCK_NB)) {
		if (stop_signal || (errno != EWOULDBLOCK && errno != EINTR)) {
			close(fd);
			*out_fd = -1;
			return stop_signal ? err_set(err, ERR_STOPPED, "stopped by a signal") : 0;
		}
		if (!told)
			talk_note(talk,
				  "another pawl is measuring on this machine: waiting for it");
		told = true;
		if (when_monotonic_ns() > end) {
			close(fd);
			*out_fd = -1;
			err_set(err, ERR_BUSY,
				"another process holds '" LOCK_PATH "' since an hour");
			return err_hint(err, "see who it is with 'fuser " LOCK_PATH "'");
		}
		poll(NULL, 0, ASK_AGAIN_MS);
	}
	return 0;
}
