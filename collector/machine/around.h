/*
 * around - what surrounds the runs, read at most every AROUND_NS.
 *
 * The kernel counts steal in ticks of some milliseconds, and takes longer to tell it than a short
 * program takes to start and end.  So it is not read twice in every run: a short run gets what
 * happened since the last reading, and none of it is lost or counted twice.
 */
#ifndef PAWL_COLLECTOR_MACHINE_AROUND_H
#define PAWL_COLLECTOR_MACHINE_AROUND_H

#include <stdbool.h>
#include <stdint.h>

#define AROUND_NS 20000000u

struct around {
	bool is_read;
	int cpu;
	uint64_t read_ns;
	double steal_ticks;  /* that the hypervisor took from all processors since boot */
	double pressure_ns;  /* machine_pressure_ns() */
	double frequency_hz; /* of cpu: machine_frequency_hz() */
};

/* Brings *a up to date when it is older than AROUND_NS, or of another processor.  now_ns: when. */
void around_look(struct around *a, int cpu, uint64_t now_ns);

#endif
