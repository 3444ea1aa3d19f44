#include "collector/child/stolen.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/banned.h"

int stolen_watch(pid_t pid)
{
	static bool is_refused;
	struct perf_event_attr attr;
	int fd;

	if (is_refused)
		return -1;
	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_TASK_CLOCK;
	attr.exclude_kernel =
		1; /* else it may be refused; the clock counts the kernel's all the same */
	attr.exclude_hv = 1;
	fd = (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1, (long)PERF_FLAG_FD_CLOEXEC);
	is_refused = fd < 0 && errno != ESRCH;
	return fd;
}

double stolen_ns(int fd, double cpu_ns)
{
	uint64_t occupied_ns;

	if (fd < 0 || read(fd, &occupied_ns, sizeof(occupied_ns)) != (ssize_t)sizeof(occupied_ns))
		return (double)NAN;
	return isnan(cpu_ns) ? cpu_ns : fmax(0, (double)occupied_ns - cpu_ns);
}
