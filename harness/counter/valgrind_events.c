/* SPDX-License-Identifier: MIT */
#include "harness/counter/valgrind_events.h"

static const char *const events[VALGRIND_EVENTS] = { "Ir",   "Dr",   "Dw",   "I1mr", "D1mr",
						     "D1mw", "ILmr", "DLmr", "DLmw", "Bc",
						     "Bcm",  "Bi",   "Bim" };

const char *pawl_valgrind_event(int i)
{
	return events[i];
}
