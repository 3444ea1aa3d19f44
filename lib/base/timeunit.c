#include "lib/base/timeunit.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/banned.h"

double time_unit_ns(const char *unit)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
		{ "ps", 1e-3 },		{ "ns", 1 },
		{ "nsec", 1 },		{ "nanosecond", 1 },
		{ "nanoseconds", 1 },	{ "us", 1e3 },
		{ "usec", 1e3 },	{ "\xc2\xb5s", 1e3 }, /* micro sign */
		{ "\xce\xbcs", 1e3 },			      /* Greek letter */
		{ "microsecond", 1e3 }, { "microseconds", 1e3 },
		{ "ms", 1e6 },		{ "msec", 1e6 },
		{ "millisecond", 1e6 }, { "milliseconds", 1e6 },
		{ "s", 1e9 },		{ "sec", 1e9 },
		{ "second", 1e9 },	{ "seconds", 1e9 },
	};
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i].name, unit))
			return units[i].ns;
	return 0;
}

bool time_unit_is(const char *unit)
{
	char name[16];
	size_t n = unit ? strcspn(unit, "/") : 0;

	if (!n || n >= sizeof(name))
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)n, unit);
	return time_unit_ns(name) > 0;
}
