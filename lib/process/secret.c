#include "lib/process/secret.h"

#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "lib/base/banned.h"

/* The leak checker looks at us from a process of its own. */
#if defined(__SANITIZE_ADDRESS__)
#define IS_LOOKED_AT 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_LOOKED_AT 1
#endif
#endif

void secret_hold(void)
{
#if defined(__linux__) && !defined(IS_LOOKED_AT)
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

void secret_hide(const char *const *names)
{
	for (; *names; names++) {
		char *there = getenv(*names), *copy;

		if (!there || !*there)
			continue;
		secret_hold();
		copy = strdup(there);
		if (copy && !setenv(*names, copy, 1))
			explicit_bzero(there, strlen(there));
		if (copy)
			explicit_bzero(copy, strlen(copy));
		free(copy);
	}
}
