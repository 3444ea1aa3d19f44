/* SPDX-License-Identifier: MIT */
/* hog - a busy neighbour: works until it is killed, its parent dies or two minutes are over. */
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "tests/bench/harness/op.h"

int main(void)
{
	volatile uint64_t x = 1;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)alarm(120);
	for (;;)
		x = op_imul(x);
}
