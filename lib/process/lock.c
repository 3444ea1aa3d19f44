#include "lib/process/lock.h"

#include <errno.h>
#include <poll.h>
#include <sys/file.h>

#include "lib/process/stop.h"

#include "lib/base/banned.h"

#define ASK_AGAIN_MS 20

int lock_wait(int fd, const char *name, struct err *err)
{
	while (flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return err_sys(err, ERR_IO, "cannot lock '%s'", name);
		if (stop_signal)
			return err_set(err, ERR_STOPPED,
				       "stopped by a signal: another process holds '%s'", name);
		poll(NULL, 0, ASK_AGAIN_MS);
	}
	return 0;
}
