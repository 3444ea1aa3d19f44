/* SPDX-License-Identifier: MIT */
/* On Windows a benchmark that wants threads fails, and says that they are not supported. */
#include "harness/team_os.h"

#ifdef _WIN32

#include <errno.h>
#include <stddef.h>

int pawl_crew_open(unsigned n, const struct crew_work *work, struct crew **out)
{
	(void)n, (void)work, (void)out;
	return -ENOTSUP;
}

/* No crew can be open. */
void pawl_crew_run(struct crew *c)
{
	(void)c;
}

void pawl_crew_close(struct crew *c)
{
	(void)c;
}

unsigned pawl_crew_processors(const struct crew *c)
{
	(void)c;
	return 0;
}

bool pawl_crew_is_pinned(const struct crew *c)
{
	(void)c;
	return false;
}

#endif
