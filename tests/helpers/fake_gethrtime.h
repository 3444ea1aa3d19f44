/*
 * fake_gethrtime - what Solaris and HP-UX declare, for `cc -D__hpux -include` of our own clock.
 */
#ifndef TEST_FAKE_GETHRTIME_H
#define TEST_FAKE_GETHRTIME_H

#include <time.h>

typedef long long hrtime_t;

static hrtime_t gethrtime(void)
{
	struct timespec t = { 0, 0 };
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (hrtime_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#endif
