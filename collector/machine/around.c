#include "collector/machine/around.h"

#include "collector/machine/machine.h"

#include "lib/base/banned.h"

void around_look(struct around *a, int cpu, uint64_t now_ns)
{
	if (a->is_read && a->cpu == cpu && now_ns - a->read_ns < AROUND_NS)
		return;
	a->is_read = true;
	a->cpu = cpu;
	a->read_ns = now_ns;
	a->steal_ticks = machine_steal_ticks();
	a->pressure_ns = machine_pressure_ns();
	a->frequency_hz = machine_frequency_hz(cpu);
}
