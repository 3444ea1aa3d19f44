/* SPDX-License-Identifier: MIT */
#include "harness/session/options.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/session/glob.h"
#include "harness/os/os.h"
#include "harness/session/shuffle.h"
#include "harness/base/text.h"
#include "harness/session/twice.h"

#define LONGEST_NS 3600e9
#define LONGEST_NAME 255

const char pawl_help[] =
	"  --list            print the names and end\n"
	"  --filter PATTERN  only names that PATTERN takes: a glob over the whole name;\n"
	"                    without any of * ? [ it is a part of the name\n"
	"  --strategy NAME   gmpbench (the default): double the iterations until they last\n"
	"                    --min-time; batches: batches of about 1 ms until they agree\n"
	"                    within 1 %, for --min-time at most\n"
	"  --min-time TIME   250ms\n"
	"  --iterations N    exactly so many; of this and --strategy the last one holds\n"
	"  --clock NAME      time with this clock; --clocks shows them\n"
	"  --clocks          print the clocks of this machine and end\n"
	"  --counters[=WHAT] count instructions, faults, ... as well: perf (the default),\n"
	"                    self (read from user space, for regions below 10 us),\n"
	"                    valgrind (simulated, the same in every run), none\n"
	"  --no-counters     do not\n"
	"  --details, -v     all there is to say, a block a benchmark\n"
	"  --shuffle[=SEED]  measure in random order; the seed is told, and repeats it\n"
	"  --json            one JSON document instead of the table\n"
	"  --help            print this and end\n"
	"  --version         print the version and end\n";

bool pawl_refuse(char *fault, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	(void)vsnprintf(fault, OPTIONS_FAULT, format, args);
	va_end(args);
	return false;
}

bool pawl_count_read(const char *s, uint64_t *out)
{
	uint64_t value = 0;
	if (!*s)
		return false;
	for (; *s; s++) {
		unsigned digit = (unsigned)(unsigned char)*s - '0';
		if (digit > 9 || value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*out = value;
	return true;
}

/* Not strtod, whose decimal point depends on the program's locale. */
bool pawl_duration_read(const char *s, double *out_ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	double value = 0, place = 1;
	size_t digits = strspn(s, "0123456789"), i;
	for (i = 0; i < digits; i++)
		value = value * 10 + (s[i] - '0');
	if (s[i] == '.') {
		size_t more = strspn(s + i + 1, "0123456789");
		for (size_t end = ++i + more; i < end; i++)
			value += (s[i] - '0') * (place /= 10);
		digits = digits && more ? digits + more : 0;
	}
	for (size_t u = 0; digits && u < sizeof(units) / sizeof(units[0]); u++) {
		double ns = value * units[u].ns;
		if (strcmp(s + i, units[u].name) || !(ns > 0) || ns > LONGEST_NS)
			continue;
		*out_ns = ns;
		return true;
	}
	return false;
}

/* The value of `--name VALUE` or `--name=VALUE` at argv[*i]; NULL: another option. */
static const char *value_of(const char *name, int argc, char **argv, int *i)
{
	size_t n = strlen(name);
	if (strncmp(argv[*i], name, n))
		return NULL;
	if (argv[*i][n] == '=')
		return argv[*i] + n + 1;
	if (argv[*i][n])
		return NULL;
	if (*i + 1 >= argc || !argv[*i + 1])
		return "";
	return argv[++*i];
}

static bool read_iterations(const char *value, struct options *o, char *fault)
{
	if (pawl_count_read(value, &o->iterations) && o->iterations >= 1 &&
	    o->iterations <= ENGINE_MOST) {
		o->strategy = STRATEGY_ITERATIONS;
		return true;
	}
	return pawl_refuse(fault, "'%.100s' is no number of iterations between 1 and 2^48", value);
}

static bool read_strategy(const char *value, struct options *o, char *fault)
{
	o->strategy = STRATEGY_GMPBENCH;
	if (strcmp(value, "batches") == 0)
		o->strategy = STRATEGY_BATCHES;
	else if (strcmp(value, "gmpbench"))
		return pawl_refuse(fault, "'%.100s' is no strategy: gmpbench or batches", value);
	return true;
}

static bool read_counting(const char *value, struct options *o, char *fault)
{
	static const char *const names[] = { "none", "perf", "self", "valgrind" };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(value, names[i]) == 0) {
			o->counters = (enum counting)i;
			return true;
		}
	}
	return pawl_refuse(fault, "'%.100s' does not count: perf, self, valgrind or none", value);
}

/* Options with a value.  1: taken, 0: not one of them, -1: refused. */
static int read_valued(int argc, char **argv, int *i, struct options *o, char *fault)
{
	const char *value;
	if ((value = value_of("--filter", argc, argv, i))) {
		o->filter = value;
		return *value ? 1 : pawl_refuse(fault, "option '--filter' needs a pattern") - 1;
	}
	if ((value = value_of("--min-time", argc, argv, i))) {
		if (pawl_duration_read(value, &o->min_ns))
			return 1;
		return pawl_refuse(fault, "'%.100s' is not a time such as 250ms", value) - 1;
	}
	if ((value = value_of("--iterations", argc, argv, i)))
		return read_iterations(value, o, fault) ? 1 : -1;
	if ((value = value_of("--strategy", argc, argv, i)))
		return read_strategy(value, o, fault) ? 1 : -1;
	if (strncmp(argv[*i], "--counters=", strlen("--counters=")) == 0)
		return read_counting(argv[*i] + strlen("--counters="), o, fault) ? 1 : -1;
	if ((value = value_of("--clock", argc, argv, i))) {
		o->clock = pawl_clock_find(value);
		if (o->clock && o->clock->kind <= KIND_TICKS)
			return 1;
		return pawl_refuse(fault, "'%.100s' is no wall clock: see --clocks", value) - 1;
	}
	return 0;
}

/* 1: taken, 0: not this option, -1: refused. */
static int read_shuffle(const char *word, struct options *o, char *fault)
{
	static const char name[] = "--shuffle";
	const char *rest = word + sizeof(name) - 1;
	if (strncmp(word, name, sizeof(name) - 1) || (*rest && *rest != '='))
		return 0;
	if (!*rest)
		o->seed = pawl_shuffle_seed();
	else if (!pawl_count_read(rest + 1, &o->seed) || o->seed >> 53)
		return pawl_refuse(fault, "'%.100s' is not a seed: give a whole number below 2^53",
				   rest + 1) -
		       1;
	o->shuffle = true;
	return 1;
}

static bool read_flag(const char *word, struct options *o)
{
	static const struct {
		const char *name;
		enum action action;
	} actions[] = { { "--list", ACTION_LIST },
			{ "--clocks", ACTION_CLOCKS },
			{ "--help", ACTION_HELP },
			{ "-h", ACTION_HELP },
			{ "--version", ACTION_VERSION } };
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (strcmp(word, actions[i].name) == 0) {
			o->action = actions[i].action;
			return true;
		}
	}
	if (strcmp(word, "--json") == 0)
		o->json = true;
	else if (strcmp(word, "--details") == 0 || strcmp(word, "-v") == 0)
		o->details = true;
	else if (strcmp(word, "--counters") == 0)
		o->counters = COUNTING_PERF;
	else if (strcmp(word, "--no-counters") == 0)
		o->counters = COUNTING_NONE;
	else
		return false;
	return true;
}

bool pawl_options_read(int argc, char **argv, struct options *out, char *fault)
{
	struct options o = { .counters = COUNTING_PERF, .min_ns = OPTIONS_MIN_NS };
	for (int i = 1; i < argc; i++) {
		int taken = read_valued(argc, argv, &i, &o, fault);
		if (!taken)
			taken = read_shuffle(argv[i], &o, fault);
		if (taken < 0)
			return false;
		if (!taken && !read_flag(argv[i], &o))
			return pawl_refuse(fault, "unknown option '%.100s': see --help", argv[i]);
	}
	*out = o;
	return true;
}

/* A count in the environment; *out stays as it is when the variable is not set. */
static bool read_variable(const char *name, uint64_t *out, char *fault)
{
	const char *value = getenv(name);
	if (!value || pawl_count_read(value, out))
		return true;
	return pawl_refuse(fault, "%s is '%.100s', not a number", name, value);
}

static bool read_ask(struct orders *o, char *fault)
{
	static const char *const names[] = { "", "list", "calibrate", "run" };
	const char *ask = getenv("PAWL_ASK");
	if (!ask)
		return true;
	for (int i = ASK_LIST; i <= ASK_RUN; i++) {
		if (strcmp(ask, names[i]) == 0) {
			o->ask = (enum ask)i;
			return true;
		}
	}
	return pawl_refuse(fault, "PAWL_ASK is '%.100s', not list, calibrate or run", ask);
}

bool pawl_orders_read(struct orders *out, char *fault)
{
	uint64_t fd = INT_MAX, min_ns = 0, turns = 0, counters = 1, steady = 0, serve = 0;
	struct orders o = { .fd = -1, .slices = 1, .counters = true };
	const char *reason;
	*out = o;
	if (!getenv("PAWL_FD"))
		return true;
	if (!pawl_os_has_wire(&reason))
		return pawl_refuse(fault, "%s", reason);
	if (!read_variable("PAWL_FD", &fd, fault))
		return false;
	if (fd >= INT_MAX)
		return pawl_refuse(fault, "PAWL_FD is not a descriptor");
	o.fd = (int)fd;
	out->fd = o.fd;
	o.benchmark = getenv("PAWL_BENCHMARK");
	if (!read_ask(&o, fault) || !read_variable("PAWL_MIN_TIME_NS", &min_ns, fault) ||
	    !read_variable("PAWL_ITERATIONS", &o.iterations, fault) ||
	    !read_variable("PAWL_SLICES", &o.slices, fault) ||
	    !read_variable("PAWL_TURNS", &turns, fault) ||
	    !read_variable("PAWL_COUNTERS", &counters, fault) ||
	    !read_variable("PAWL_SERVE", &serve, fault) ||
	    !read_variable("PAWL_STEADY", &steady, fault))
		return false;
	if (o.ask >= ASK_CALIBRATE && !o.benchmark)
		return pawl_refuse(fault, "PAWL_BENCHMARK is not set");
	if (o.ask == ASK_RUN && o.iterations == 0)
		return pawl_refuse(fault, "PAWL_ITERATIONS is not set or is 0");
	if (o.iterations > ENGINE_MOST)
		return pawl_refuse(fault, "PAWL_ITERATIONS is above 2^48");
	if (o.slices == 0)
		return pawl_refuse(fault, "PAWL_SLICES is 0");
	if (getenv("PAWL_MIN_TIME_NS") && (min_ns == 0 || (double)min_ns > LONGEST_NS))
		return pawl_refuse(fault, "PAWL_MIN_TIME_NS is not between 1 and an hour");
	o.min_ns = (double)min_ns;
	o.turns = turns != 0;
	o.counters = counters != 0;
	o.steady = steady != 0 && o.ask == ASK_RUN;
	o.serve = serve != 0 && o.ask >= ASK_CALIBRATE && !o.steady;
	*out = o;
	return true;
}

/* A count that a blank ends; *at goes behind it. */
static bool take_count(char **at, uint64_t most, uint64_t *out)
{
	char *blank = strchr(*at, ' ');
	if (!blank)
		return false;
	*blank = '\0';
	if (!pawl_count_read(*at, out) || *out == 0 || *out > most)
		return false;
	*at = blank + 1;
	return true;
}

bool pawl_orders_next(char *line, struct orders *o)
{
	if (!take_count(&line, ENGINE_MOST, &o->iterations) ||
	    !take_count(&line, UINT64_MAX, &o->slices))
		return false;
	o->benchmark = line;
	return *line != '\0';
}

bool pawl_list_check(const struct pawl_bench *list, size_t count, char *fault)
{
	const char *twice;
	if (!list && count)
		return pawl_refuse(fault, "the list of benchmarks is missing");
	for (size_t i = 0; i < count; i++) {
		const char *name = list[i].name;
		if (!name || !*name)
			return pawl_refuse(fault, "benchmark %zu has no name", i + 1);
		if (strlen(name) > LONGEST_NAME)
			return pawl_refuse(fault,
					   "the name of benchmark %zu is longer than %d bytes",
					   i + 1, LONGEST_NAME);
		if (!pawl_text_is_clean(name))
			return pawl_refuse(
				fault,
				"the name of benchmark %zu is not UTF-8 or holds control "
				"characters",
				i + 1);
		if (!list[i].run)
			return pawl_refuse(fault, "benchmark '%s' has no run function", name);
	}
	if (!pawl_twice_find(list, count, &twice))
		return pawl_refuse(fault, "out of memory");
	return !twice || pawl_refuse(fault, "two benchmarks are named '%s'", twice);
}

bool pawl_filter_takes(const char *filter, const char *name)
{
	if (!filter)
		return true;
	if (!strpbrk(filter, "*?["))
		return strstr(name, filter) != NULL;
	return pawl_glob_takes(filter, name);
}
