#include "collector/machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/digest/digest.h"

#include "lib/base/banned.h"

#define UNKNOWN "unknown"

/* The value behind "key" and a separator on a line of a small text file. */
static bool value_of(const char *path, const char *key, const char *separators, char *out,
		     size_t size)
{
	struct buf text = BUF_INIT;
	const char *line;
	size_t n = strlen(key);
	bool found = false;

	if (file_read_whole(path, 1 << 22, &text, NULL))
		goto out;
	for (line = buf_str(&text); *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *p = line + n;

		if (strncmp(line, key, n))
			continue;
		p += strspn(p, separators);
		snprintf(out, size, "%.*s", (int)strcspn(p, "\"\n"), p);
		found = true;
		break;
	}
out:
	buf_release(&text);
	return found;
}

static void line_or_unknown(const char *path, char *out, size_t size)
{
	if (!file_first_line(path, out, size) || !*out)
		snprintf(out, size, UNKNOWN);
}

struct source {
	const char *fact, *path;
};

/* Facts that one small file tells. */
static const struct source sources[] = {
	{ "scaling_driver", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver" },
	{ "intel_no_turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo" },
	{ "boost", "/sys/devices/system/cpu/cpufreq/boost" },
	{ "smt", "/sys/devices/system/cpu/smt/active" },
	{ "isolated", "/sys/devices/system/cpu/isolated" },
	{ "clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource" },
	{ "transparent_hugepage", "/sys/kernel/mm/transparent_hugepage/enabled" },
	{ "aslr", "/proc/sys/kernel/randomize_va_space" },
	{ "numa_balancing", "/proc/sys/kernel/numa_balancing" },
	{ "perf_event_paranoid", "/proc/sys/kernel/perf_event_paranoid" },
	{ "cgroup_cpu_max", "/sys/fs/cgroup/cpu.max" },
	{ "on_mains", "/sys/class/power_supply/AC/online" },
};

/* The pool of like machines that this one is said to be of; NULL. */
static const char *pool_of(void)
{
	const char *pool = getenv("PAWL_POOL");

	return pool && *pool ? pool : NULL;
}

static int add_facts(struct machine *m, struct err *err)
{
	char text[512];
	size_t i;

	for (i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		line_or_unknown(sources[i].path, text, sizeof(text));
		if (facts_add(&m->more, sources[i].fact, text, err))
			return -1;
	}
	if (!value_of("/proc/cpuinfo", "microcode", " \t:", text, sizeof(text)))
		snprintf(text, sizeof(text), UNKNOWN);
	if (facts_add(&m->more, "microcode", text, err))
		return -1;
	snprintf(text, sizeof(text), UNKNOWN);
	if (value_of("/proc/cpuinfo", "flags", " \t:", text, sizeof(text)))
		snprintf(text, sizeof(text), "%s", strstr(text, " hypervisor") ? "yes" : "no");
	if (facts_add(&m->more, "virtual", text, err))
		return -1;
	return pool_of() ? facts_add(&m->more, "pool", pool_of(), err) : 0;
}

static int set_id(struct machine *m, const char *arch, struct err *err)
{
	struct digest d = DIGEST_INIT;
	char hex[DIGEST_HEX], own[128], cores[16];

	if (pool_of())
		snprintf(own, sizeof(own), "pool %.100s",
			 pool_of()); /* no machine's own id is like it */
	else if (!file_first_line("/etc/machine-id", own, sizeof(own)))
		own[0] = '\0';
	snprintf(cores, sizeof(cores), "%d", m->cores);
	if (digest_begin(&d, err))
		return -1;
	digest_adds(&d, own);
	digest_adds(&d, m->cpu);
	digest_adds(&d, arch);
	digest_adds(&d, cores);
	if (digest_end(&d, hex, err))
		return -1;
	hex[16] = '\0';
	return str_set(&m->id, hex, err);
}

int machine_describe(struct machine *out, struct err *err)
{
	struct utsname u;
	char text[512];

	if (uname(&u))
		return err_sys(err, ERR_IO, "cannot ask for the system's name");
	out->cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
	if (!value_of("/proc/cpuinfo", "model name", " \t:", text, sizeof(text)) &&
	    !value_of("/proc/cpuinfo", "Hardware", " \t:", text, sizeof(text)))
		snprintf(text, sizeof(text), "%s", u.machine);
	if (str_set(&out->cpu, text, err))
		return -1;
	if (!value_of("/etc/os-release", "PRETTY_NAME=", "\"", text, sizeof(text)))
		snprintf(text, sizeof(text), "%s", u.sysname);
	if (str_set(&out->os, text, err) || str_set(&out->kernel, u.release, err))
		return -1;
	line_or_unknown("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", text,
			sizeof(text));
	if (str_set(&out->governor, text, err) || facts_add(&out->more, "arch", u.machine, err))
		return -1;
	return add_facts(out, err) ? -1 : set_id(out, u.machine, err);
}

/* Fields of the "cpu" line of /proc/stat: steal is the eighth. */
static void stat_ticks(double *out_steal, double *out_total)
{
	char line[256], *p = line + 4, *end;
	int i;

	*out_steal = *out_total = 0;
	if (!file_first_line("/proc/stat", line, sizeof(line)) || strncmp(line, "cpu ", 4))
		return;
	for (i = 0; i < 8; i++, p = end) {
		double ticks = strtod(p, &end);

		if (end == p)
			break;
		*out_total += ticks;
		if (i == 7)
			*out_steal = ticks;
	}
}

double machine_steal_ticks(void)
{
	double steal, total;

	stat_ticks(&steal, &total);
	return steal;
}

uint64_t machine_sleep_skew_ns(void)
{
	struct timespec boot, mono;

	clock_gettime(CLOCK_MONOTONIC, &mono);
	clock_gettime(CLOCK_BOOTTIME, &boot);
	return (uint64_t)(boot.tv_sec - mono.tv_sec) * 1000000000u +
	       (uint64_t)(boot.tv_nsec - mono.tv_nsec);
}

void environment_begin(struct environment *env, struct environment_mark *out)
{
	char line[256];

	/* Not getloadavg(): it asks for the machine's, and a container may have one of its own. */
	env->load = (double)NAN;
	if (file_first_line("/proc/loadavg", line, sizeof(line)) && *line)
		env->load = strtod(line, NULL);
	env->pressure = (double)NAN;
	if (value_of("/proc/pressure/cpu", "some avg10=", "", line, sizeof(line)))
		env->pressure = strtod(line, NULL);
	env->steal = (double)NAN;
	stat_ticks(&out->steal_ticks, &out->total_ticks);
}

/* ---- every warning about measuring, each with its cure -------------------------------- */

struct facts_now {
	const struct environment *env;
	const struct machine *machine;
};

static bool is_fact(const struct facts_now *f, const char *name, const char *value)
{
	const char *have = facts_find(&f->machine->more, name);

	return have && !strcmp(have, value);
}

static bool bad_governor(const struct facts_now *f)
{
	return strcmp(f->machine->governor, UNKNOWN) && strcmp(f->machine->governor, "performance");
}

static bool bad_turbo(const struct facts_now *f)
{
	return is_fact(f, "intel_no_turbo", "0") || is_fact(f, "boost", "1");
}

static bool bad_smt(const struct facts_now *f)
{
	return is_fact(f, "smt", "1");
}

static bool bad_aslr(const struct facts_now *f)
{
	return is_fact(f, "aslr", "0");
}

static bool bad_load(const struct facts_now *f)
{
	return f->env->load > 0.5 * f->machine->cores;
}

static bool bad_pressure(const struct facts_now *f)
{
	return f->env->pressure > 10;
}

static bool bad_steal(const struct facts_now *f)
{
	return f->env->steal > 0.01;
}

static bool bad_clock(const struct facts_now *f)
{
	return is_fact(f, "clocksource", "hpet") || is_fact(f, "clocksource", "acpi_pm");
}

static bool bad_quota(const struct facts_now *f)
{
	const char *quota = facts_find(&f->machine->more, "cgroup_cpu_max");

	return quota && strcmp(quota, UNKNOWN) && strncmp(quota, "max", 3);
}

/* As it is now, against what it was when the machine was described. */
static bool new_quota(const struct facts_now *f)
{
	const char *quota = facts_find(&f->machine->more, "cgroup_cpu_max");
	char now[512];

	line_or_unknown("/sys/fs/cgroup/cpu.max", now, sizeof(now));
	return quota && strcmp(quota, now) != 0;
}

static bool bad_power(const struct facts_now *f)
{
	return is_fact(f, "on_mains", "0");
}

static const struct {
	bool (*holds)(const struct facts_now *f);
	const char *text;
} warnings[] = {
	{ bad_governor, "the processor's frequency follows the load: "
			"set the governor with `cpupower frequency-set -g performance`" },
	{ bad_turbo, "turbo is on, the frequency depends on temperature and neighbours: "
		     "switch it off in the firmware or under /sys/devices/system/cpu" },
	{ bad_smt, "two hardware threads share each core, a neighbour on the other one slows a "
		   "benchmark: keep the sibling idle, or `echo off` into "
		   "/sys/devices/system/cpu/smt/control" },
	{ bad_aslr,
	  "every process gets the same addresses, so that one layout's luck is in all runs: "
	  "`sysctl kernel.randomize_va_space=2`" },
	{ bad_load, "other programs keep the processors busy: stop them or wait; "
		    "verdicts stay valid but need more runs" },
	{ bad_pressure, "processes wait for a processor (pressure over 10 %): "
			"stop other work on this machine" },
	{ bad_steal, "the hypervisor took processor time away (steal over 1 %): "
		     "use a dedicated machine for small effects" },
	{ bad_clock, "the kernel's clock source is slow to read: "
		     "use tsc (see current_clocksource)" },
	{ bad_quota, "a cgroup limits processor time: run without a CPU quota" },
	{ new_quota, "the limit on processor time changed while measuring: measure again" },
	{ bad_power, "running on battery: plug in" },
};

int environment_end(struct environment *env, const struct environment_mark *mark,
		    const struct machine *machine, bool measured, struct err *err)
{
	struct facts_now now = { env, machine };
	double steal, total;
	size_t i;

	stat_ticks(&steal, &total);
	if (total > mark->total_ticks)
		env->steal = (steal - mark->steal_ticks) / (total - mark->total_ticks);
	for (i = 0; measured && i < sizeof(warnings) / sizeof(warnings[0]); i++)
		if (warnings[i].holds(&now) && strv_add(&env->warnings, warnings[i].text, err))
			return -1;
	return 0;
}
