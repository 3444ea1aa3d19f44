#include "lib/process/stop.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/banned.h"

volatile sig_atomic_t stop_signal;

static void on_signal(int number)
{
	if (stop_signal)
		_exit(128 + number);
	stop_signal = number;
}

void stop_install(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action;
	size_t i;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_signal;
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaction(numbers[i], &action, NULL);
}
