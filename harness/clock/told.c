/* SPDX-License-Identifier: MIT */
#include "harness/clock/told.h"

#include <stddef.h>

#ifdef __linux__
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif
#ifndef _WIN32
#include <setjmp.h>
#include <signal.h>
#endif

#define NS_PER_S 1e9

double pawl_told_of_scale(uint32_t mult, uint16_t shift)
{
	if (mult == 0 || shift > 63)
		return 0;
	return NS_PER_S * (double)((uint64_t)1 << shift) / (double)mult;
}

double pawl_told_of_crystal(uint32_t eax, uint32_t ebx, uint32_t ecx)
{
	if (eax == 0 || ebx == 0 || ecx == 0)
		return 0;
	return (double)ecx * (double)ebx / (double)eax;
}

#if defined(__linux__) && defined(SYS_perf_event_open)

static double hz_of_page(const struct perf_event_mmap_page *page)
{
	return page->cap_user_time ? pawl_told_of_scale(page->time_mult, page->time_shift) : 0;
}

double pawl_told_by_kernel(void)
{
	struct perf_event_attr attr;
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	double hz = 0;
	void *page;
	int fd;
	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_TASK_CLOCK;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	attr.disabled = 1;
	fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, (long)PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return 0;
	page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (page != MAP_FAILED) {
		hz = hz_of_page(page);
		(void)munmap(page, size);
	}
	(void)close(fd);
	return hz;
}

#else

double pawl_told_by_kernel(void)
{
	return 0;
}

#endif

#ifndef _WIN32

/* Of the thread that probes; the others have none. */
static _Thread_local sigjmp_buf *way_out;
static struct sigaction before;

static void refused(int signal)
{
	if (way_out)
		siglongjmp(*way_out, 1);
	/* Not ours: the instruction is met again, under the handler it was meant for. */
	(void)sigaction(signal, &before, NULL);
}

bool pawl_clock_survives(uint64_t (*read)(void))
{
	struct sigaction ours = { .sa_handler = refused };
	volatile bool survived = false;
	sigjmp_buf here;
	(void)sigemptyset(&ours.sa_mask);
	if (sigaction(SIGILL, &ours, &before))
		return false;
	if (sigsetjmp(here, 1) == 0) {
		way_out = &here;
		(void)read();
		survived = true;
	}
	way_out = NULL;
	(void)sigaction(SIGILL, &before, NULL);
	return survived;
}

#else

bool pawl_clock_survives(uint64_t (*read)(void))
{
	(void)read;
	return false;
}

#endif
