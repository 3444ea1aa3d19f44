#include "lib/process/stop.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/process/guard.h"

#include "lib/base/banned.h"

volatile sig_atomic_t stop_signal;

/* Whether a second has passed since the last time that it had. */
static bool is_another(void)
{
	static struct timespec last; /* signals wait for each other: see sa_mask */
	struct timespec now;
	long ms;

	clock_gettime(CLOCK_MONOTONIC, &now);
	ms = (now.tv_sec - last.tv_sec) * 1000 + (now.tv_nsec - last.tv_nsec) / 1000000;
	if (stop_signal && ms < STOP_ECHO_MS)
		return false;
	last = now;
	return true;
}

static void on_signal(int number)
{
	static bool hurries;
	int saved = errno;

	if (!is_another())
		goto out;
	if (stop_signal)
		guard_kill();
	if (hurries)
		_exit(128 + number);
	hurries = stop_signal != 0;
	if (!stop_signal)
		stop_signal = number;
out:
	errno = saved;
}

void stop_install(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action;
	size_t i;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_signal;
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaddset(&action.sa_mask, numbers[i]);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaction(numbers[i], &action, NULL);
}
