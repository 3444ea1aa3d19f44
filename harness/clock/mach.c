/* SPDX-License-Identifier: MIT */
/*
 * The clock of Mach, that is of macOS.  CPU time there is clock/posix.c's: clock_gettime() has
 * told it since macOS 10.12.  Goes for speed before plainness where it reads a clock.
 */
#include "harness/clock/rows.h"

#include <errno.h>

#define NS_PER_S 1e9

#ifdef __APPLE__

#include <mach/mach_time.h>

#include "harness/clock/scale.h"

static struct clock_scale scale = { 1, 1 };

static uint64_t absolute_time(void)
{
	return pawl_clock_scaled(&scale, mach_absolute_time());
}

static int probe(const char **out_reason)
{
	mach_timebase_info_data_t base;
	if (mach_timebase_info(&base) != 0 || base.numer == 0 || base.denom == 0) {
		*out_reason = "the system does not tell how long a tick is";
		return -EIO;
	}
	scale = pawl_clock_scale(base.numer, base.denom);
	return 0;
}

#else

#define absolute_time NULL

static int probe(const char **out_reason)
{
	*out_reason = "this system is not macOS";
	return -ENOTSUP;
}

#endif

const struct clock_row pawl_clock_mach[] = {
	{
		.name = "mach_absolute",
		.kind = KIND_WALL,
		.probe = probe,
		.begin = absolute_time,
		.end = absolute_time,
		.hz = NS_PER_S,
		.serialise = "the system's",
	},
	{ .name = NULL },
};
