/* SPDX-License-Identifier: MIT */
#include "harness/os/os.h"

#ifdef _WIN32

#include <errno.h>
#include <string.h>
#include <windows.h>

#include "harness/os/usage.h"

#define UNKNOWN __builtin_nan("")
#define GROUP 64 /* most processors of one group */

int pawl_os_processor(void)
{
	PROCESSOR_NUMBER number;
	GetCurrentProcessorNumberEx(&number);
	return number.Group * GROUP + number.Number;
}

/* Windows counts switches of no thread, and page faults of the whole process only. */
void pawl_usage_read(struct usage *out)
{
	*out = (struct usage){ UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN };
}

void pawl_usage_close(void)
{
	/* Nothing was opened. */
}

const char *pawl_os_file_name(const char *path)
{
	const char *name = path;
	for (; *path; path++)
		if (strchr("/\\:", *path))
			name = path + 1;
	return name;
}

bool pawl_os_has_wire(const char **out_reason)
{
	*out_reason = "PAWL_FD is set, but the collector is not supported on Windows";
	return false;
}

void pawl_os_wire_keep(int fd)
{
	(void)fd;
}

int pawl_os_wire_write(int fd, const char *at, size_t n, int patience_ms)
{
	(void)fd, (void)at, (void)n, (void)patience_ms;
	return -ENOTSUP;
}

int pawl_os_wire_take(int fd, char *out, size_t size)
{
	(void)fd, (void)out, (void)size;
	return -ENOTSUP;
}

#endif
