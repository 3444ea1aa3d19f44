/* SPDX-License-Identifier: MIT */
#include "harness/os/usage.h"

#define HANDOVER_NS 5e3 /* of run delay, which a switch between two threads may take */

void pawl_usage_add(struct usage *sum, const struct usage *from, const struct usage *to)
{
	sum->voluntary_switches += to->voluntary_switches - from->voluntary_switches;
	sum->involuntary_switches += to->involuntary_switches - from->involuntary_switches;
	sum->minor_faults += to->minor_faults - from->minor_faults;
	sum->major_faults += to->major_faults - from->major_faults;
	sum->run_delay_ns += to->run_delay_ns - from->run_delay_ns;
}

double pawl_usage_delay_ns(const struct usage *u)
{
	double switches = u->voluntary_switches + u->involuntary_switches;
	return u->run_delay_ns - HANDOVER_NS * switches;
}
