/* SPDX-License-Identifier: MIT */
/*
 * gethrtime, of Solaris and HP-UX: nanoseconds from some instant in the past, never set.
 *
 * Tested by a substitute that -include puts in front: our use of it, not theirs.
 */
#include "harness/clock/rows.h"

#include <errno.h>

#if defined(__sun) || defined(__hpux)

#include <sys/time.h>

static uint64_t read_hrtime(void)
{
	return (uint64_t)gethrtime();
}

static int probe(const char **out_reason)
{
	if (gethrtime() > 0)
		return 0;
	*out_reason = "gethrtime says nothing";
	return -ENOTSUP;
}

const struct clock_row pawl_clock_hrtime[] = {
	{ .name = "gethrtime",
	  .kind = KIND_WALL,
	  .probe = probe,
	  .begin = read_hrtime,
	  .end = read_hrtime,
	  .hz = 1e9,
	  .serialise = "the kernel's" },
	{ .name = NULL },
};

#else

static int probe(const char **out_reason)
{
	*out_reason = "gethrtime is of Solaris and HP-UX";
	return -ENOTSUP;
}

const struct clock_row pawl_clock_hrtime[] = {
	{ .name = "gethrtime", .kind = KIND_WALL, .probe = probe },
	{ .name = NULL },
};

#endif
