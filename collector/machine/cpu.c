/*
 * cpu - the machine's processors: how they are now, and which one to measure on.
 */
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/machine/machine.h"
#include "lib/base/file.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define LOOK_NS 30000000u /* three ticks: what runs all the time shows in each */
#define STAT_BYTES (1u << 22)
#define STAT_FIELDS 8 /* user nice system idle iowait irq softirq steal */
#define EQUAL_TICKS 1

double machine_pressure_ns(void)
{
	char line[256];
	const char *total;

	if (!file_first_line("/proc/pressure/cpu", line, sizeof(line)) ||
	    strncmp(line, "some ", 5) || !(total = strstr(line, "total=")))
		return (double)NAN;
	return 1000 * strtod(total + strlen("total="), NULL); /* it is in us */
}

double machine_frequency_hz(int cpu)
{
	char path[96], line[64], *end;
	double khz;

	if (cpu < 0)
		return (double)NAN;
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", cpu);
	if (!file_first_line(path, line, sizeof(line)))
		return (double)NAN;
	khz = strtod(line, &end);
	return end != line && khz > 0 ? 1000 * khz : (double)NAN;
}

int machine_processors(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	return sched_getaffinity(0, sizeof(set), &set) ? 0 : CPU_COUNT(&set);
}

int machine_mark_list(const char *list, bool *out, int n)
{
	int marked = 0;

	while (*list >= '0' && *list <= '9') {
		char *end;
		long first = strtol(list, &end, 10), last = first, i;

		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		for (i = first; i <= last && i < n; i++, marked++)
			out[i] = true;
		list = *end == ',' ? end + 1 : end;
	}
	return marked;
}

/* Ticks in which "cpuN" was not idle; false: it is not there. */
static bool ticks_of(const char *stat, int cpu, double *out)
{
	char key[32];
	const char *p;
	int i;

	snprintf(key, sizeof(key), "\ncpu%d ", cpu);
	p = strstr(stat, key);
	if (!p)
		return false;
	p += strlen(key);
	*out = 0;
	for (i = 0; i < STAT_FIELDS; i++) {
		char *end;
		double ticks = strtod(p, &end);

		if (end == p)
			return i > 2; /* old kernels tell fewer */
		if (i != 3 && i != 4)
			*out += ticks;
		p = end;
	}
	return true;
}

int machine_quietest(const char *before, const char *after, const bool *may, int n)
{
	double least = (double)INFINITY, start, stop;
	int cpu, best = -1;

	for (cpu = 0; cpu < n; cpu++)
		if (may[cpu] && ticks_of(before, cpu, &start) && ticks_of(after, cpu, &stop))
			least = fmin(least, stop - start);
	for (cpu = 0; cpu < n; cpu++)
		if (may[cpu] && ticks_of(before, cpu, &start) && ticks_of(after, cpu, &stop) &&
		    stop - start <= least + EQUAL_TICKS)
			best = cpu;
	return best;
}

/* Isolated processors are not in our mask, and a container may forbid them: try. */
static bool may_use(int cpu, const cpu_set_t *ours)
{
	cpu_set_t one;
	bool may;

	CPU_ZERO(&one);
	CPU_SET((size_t)cpu, &one);
	may = !sched_setaffinity(0, sizeof(one), &one);
	sched_setaffinity(0, sizeof(*ours), ours);
	return may;
}

static int pick_isolated(const cpu_set_t *ours)
{
	bool isolated[CPU_SETSIZE] = { false };
	char line[256];
	int cpu;

	if (!file_first_line("/sys/devices/system/cpu/isolated", line, sizeof(line)) ||
	    !machine_mark_list(line, isolated, CPU_SETSIZE))
		return -1;
	for (cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--)
		if (isolated[cpu] && may_use(cpu, ours))
			return cpu;
	return -1;
}

/* Processors of two kinds: only the fast ones, where we may use any of them. */
static void keep_fast(bool *may)
{
	bool fast[CPU_SETSIZE] = { false };
	bool any = false;
	char line[256];
	int cpu;

	if (!file_first_line("/sys/devices/cpu_core/cpus", line, sizeof(line)) ||
	    !machine_mark_list(line, fast, CPU_SETSIZE))
		return;
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		any = any || (may[cpu] && fast[cpu]);
	for (cpu = 0; any && cpu < CPU_SETSIZE; cpu++)
		may[cpu] = may[cpu] && fast[cpu];
}

void machine_look_begin(struct machine_look *out)
{
	out->began_ns = when_monotonic_ns();
	buf_reset(&out->stat);
	if (file_read_whole("/proc/stat", STAT_BYTES, &out->stat, NULL))
		buf_reset(&out->stat);
}

void machine_look_release(struct machine_look *look)
{
	buf_release(&look->stat);
}

/* The quietest of those that we may use since the look began, -1 when it cannot be told. */
static int look_again(const struct machine_look *look, const bool *may)
{
	struct buf now = BUF_INIT;
	uint64_t took = when_monotonic_ns() - look->began_ns;
	int best = -1;

	if (took < LOOK_NS)
		poll(NULL, 0, (int)((LOOK_NS - took) / 1000000) + 1);
	if (!file_read_whole("/proc/stat", STAT_BYTES, &now, NULL))
		best = machine_quietest(buf_str(&look->stat), buf_str(&now), may, CPU_SETSIZE);
	buf_release(&now);
	return best;
}

int machine_pick_cpu(struct machine_look *look)
{
	bool may[CPU_SETSIZE];
	cpu_set_t set;
	int cpu, best, last = -1;

	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof(set), &set) || CPU_COUNT(&set) < 2)
		return -1;
	cpu = pick_isolated(&set);
	if (cpu >= 0)
		return cpu;
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		may[cpu] = CPU_ISSET((size_t)cpu, &set);
	keep_fast(may);
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		last = may[cpu] ? cpu : last;
	if (!look->began_ns)
		machine_look_begin(look);
	best = look_again(look, may);
	return best >= 0 ? best : last;
}
