/* SPDX-License-Identifier: MIT */
#include "harness/session/expand.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/session/options.h"
#include "harness/session/twice.h"

#define NAME_SIZE 256 /* the longest name with its NUL */
#define MOST_THREADS 1024

static bool has_range(const struct pawl_args *a)
{
	return a->from || a->to || a->factor || a->step;
}

static bool check_range(const char *name, const struct pawl_args *a, char *fault)
{
	if (a->from > a->to)
		return pawl_refuse(fault,
				   "the arguments of '%s' go from %" PRId64 " down to %" PRId64
				   ": swap the two",
				   name, a->from, a->to);
	if (a->factor && a->step)
		return pawl_refuse(
			fault, "the arguments of '%s' have a factor and a step: leave one 0", name);
	if (!a->factor && a->step < 1)
		return pawl_refuse(fault,
				   "the arguments of '%s' never get from %" PRId64 " to %" PRId64
				   ": set step to 1 or more, or factor to 2 or more",
				   name, a->from, a->to);
	if (a->factor && a->factor < 2)
		return pawl_refuse(fault,
				   "the arguments of '%s' have the factor %" PRId64
				   ": it must be 2 or more",
				   name, a->factor);
	if (a->factor && a->from < 1)
		return pawl_refuse(fault,
				   "the arguments of '%s' start from %" PRId64
				   ": with a factor, start from 1 or more",
				   name, a->from);
	return true;
}

static bool check(const struct pawl_bench *bench, char *fault)
{
	const struct pawl_args *a = &bench->args;
	const char *name = bench->name;
	if (bench->threads > MOST_THREADS)
		return pawl_refuse(fault,
				   "benchmark '%s' wants %u threads: at most %d are possible", name,
				   bench->threads, MOST_THREADS);
	if (!a->list && a->n)
		return pawl_refuse(
			fault,
			"the list of arguments of '%s' is missing: set args.list, or args.n "
			"to 0",
			name);
	if (a->list && !a->n)
		return pawl_refuse(
			fault,
			"the list of arguments of '%s' is empty: set args.n, or args.list to "
			"NULL",
			name);
	if (a->list && has_range(a))
		return pawl_refuse(fault, "the arguments of '%s' are a list and a range: use one",
				   name);
	return a->list || !has_range(a) || check_range(name, a, fault);
}

/* The argument behind v.  Returns false when v is the last one. */
static bool next_of(const struct pawl_args *a, int64_t *v)
{
	if (a->factor) {
		if (*v > a->to / a->factor)
			return false;
		*v *= a->factor;
		return true;
	}
	/* The distance of two numbers may be more than the greatest of them. */
	if ((uint64_t)a->to - (uint64_t)*v < (uint64_t)a->step)
		return false;
	*v += a->step;
	return true;
}

/* How many arguments; EXPAND_MOST + 1 when they are more. */
static size_t count_args(const struct pawl_args *a)
{
	int64_t v = a->from;
	size_t n = 1;
	if (a->list)
		return a->n;
	if (!has_range(a))
		return 0;
	while (n <= EXPAND_MOST && next_of(a, &v))
		n++;
	return n;
}

static bool count_all(const struct pawl_bench *list, size_t count, size_t *out_benches,
		      size_t *out_args, char *fault)
{
	for (size_t i = 0; i < count; i++) {
		size_t n;
		if (!check(&list[i], fault))
			return false;
		n = count_args(&list[i].args);
		if (n > EXPAND_MOST)
			return pawl_refuse(
				fault,
				"benchmark '%s' has more than %d arguments: use a greater "
				"step or factor",
				list[i].name, EXPAND_MOST);
		*out_args += n;
		*out_benches += n ? n : 1;
	}
	return true;
}

/* Adds the benchmark with argument v to e, which has room. */
static bool add(struct expansion *e, const struct pawl_bench *bench, size_t at, int64_t v,
		char *fault)
{
	struct pawl_bench *to = &e->list[e->count++];
	char *name = e->names + at * NAME_SIZE;
	int n = snprintf(name, NAME_SIZE, "%s/%" PRId64, bench->name, v);
	if (n < 0 || n >= NAME_SIZE)
		return pawl_refuse(
			fault,
			"the name of '%.100s...' is longer than %d bytes with its argument "
			"/%" PRId64 ": shorten it",
			bench->name, NAME_SIZE - 1, v);
	*to = *bench;
	to->name = name;
	e->values[at] = v;
	memset(&to->args, 0, sizeof(to->args));
	to->args.list = &e->values[at];
	to->args.n = 1;
	return true;
}

static bool fill(struct expansion *e, const struct pawl_bench *list, size_t count, char *fault)
{
	size_t at = 0;
	for (size_t i = 0; i < count; i++) {
		const struct pawl_args *a = &list[i].args;
		size_t n = count_args(a);
		int64_t v = a->from;
		if (n == 0)
			e->list[e->count++] = list[i];
		for (size_t k = 0; k < n; k++) {
			if (!add(e, &list[i], at++, a->list ? a->list[k] : v, fault))
				return false;
			if (!a->list)
				(void)next_of(a, &v);
		}
	}
	return true;
}

static bool names_differ(const struct expansion *e, char *fault)
{
	const char *twice;
	if (!pawl_twice_find(e->list, e->count, &twice))
		return pawl_refuse(fault, "out of memory");
	return !twice ||
	       pawl_refuse(fault, "two benchmarks are named '%s': rename one or drop an argument",
			   twice);
}

bool pawl_expand(const struct pawl_bench *list, size_t count, struct expansion *out, char *fault)
{
	struct expansion e = { 0 };
	size_t benches = 0, args = 0;
	bool good;
	if (!count_all(list, count, &benches, &args, fault))
		return false;
	e.list = calloc(benches ? benches : 1, sizeof(*e.list));
	e.names = calloc(args ? args : 1, NAME_SIZE);
	e.values = calloc(args ? args : 1, sizeof(*e.values));
	good = e.list && e.names && e.values ? fill(&e, list, count, fault)
					     : pawl_refuse(fault, "out of memory");
	if (good && names_differ(&e, fault)) {
		*out = e;
		return true;
	}
	pawl_expand_release(&e);
	return false;
}

void pawl_expand_release(struct expansion *e)
{
	free(e->list);
	free(e->names);
	free(e->values);
	memset(e, 0, sizeof(*e));
}
