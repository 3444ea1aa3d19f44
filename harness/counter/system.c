/* SPDX-License-Identifier: MIT */
#include "harness/counter/counter.h"

#ifdef __linux__ /* else: counter/none.c */

#include "harness/counter/perf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/counter/self.h"

static int open_event(struct perf_event_attr *attr, int group_fd)
{
	long fd = syscall(SYS_perf_event_open, attr, 0, -1, group_fd, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

static ssize_t read_event(int fd, void *out, size_t size)
{
	ssize_t n = read(fd, out, size);
	return n < 0 ? -errno : n;
}

static int control_event(int fd, unsigned long request, unsigned long flags)
{
	return ioctl(fd, request, flags) < 0 ? -errno : 0;
}

static int close_event(int fd)
{
	return close(fd) < 0 ? -errno : 0;
}

static int read_paranoid(void)
{
	char text[32], *end;
	int fd = open("/proc/sys/kernel/perf_event_paranoid", O_RDONLY | O_CLOEXEC);
	ssize_t n;
	long value;
	if (fd < 0)
		return -errno;
	n = read(fd, text, sizeof(text) - 1);
	(void)close(fd);
	if (n <= 0)
		return -EIO;
	text[n] = '\0';
	value = strtol(text, &end, 10);
	return end == text ? -EINVAL : (int)value;
}

static void *map_event(int fd)
{
	void *page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
	return page == MAP_FAILED ? NULL : page;
}

static void unmap_event(void *page)
{
	(void)munmap(page, (size_t)sysconf(_SC_PAGESIZE));
}

const struct counter_calls pawl_counter_system = {
	.open = open_event,
	.read = read_event,
	.control = control_event,
	.close = close_event,
	.paranoid = read_paranoid,
	.map = map_event,
	.unmap = unmap_event,
	.pmc = pawl_self_pmc,
	.devices = "/sys/bus/event_source/devices",
};

#endif
