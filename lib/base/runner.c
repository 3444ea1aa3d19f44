#include "lib/base/runner.h"

#include "lib/base/banned.h"

bool runner_is_hash(const char *start, const char *p)
{
	return p > start && p[0] == '#' && p[-1] == '#';
}

bool runner_is_command(const char *start, const char *p)
{
	if (p[0] == ':' && p[1] == ':')
		return p == start || p[-1] == ' ' || (unsigned char)p[-1] < 0x20;
	return runner_is_hash(start, p);
}
