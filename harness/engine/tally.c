/* SPDX-License-Identifier: MIT */
#include "harness/engine/tally.h"

#include <string.h>

#include "harness/base/text.h"
#include "harness/counter/counter.h"
#include "harness/counter/derive.h"
#include "harness/engine/run.h"

static bool is_finite(double x)
{
	return x - x == 0;
}

void pawl_tally_clear(struct tally *t)
{
	t->operations = 0;
	t->n = 0;
	t->faults = 0;
	t->fault = NULL;
	t->at_fault[0] = '\0';
}

static void blame(struct tally *t, uint64_t calls, const char *fault, const char *name)
{
	if (t->faults == 0) {
		t->fault = fault;
		memcpy(t->at_fault, name, strlen(name) + 1);
	}
	t->faults += calls;
}

static struct tally_entry *find(struct tally *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (strcmp(t->entry[i].name, name) == 0)
			return &t->entry[i];
	return NULL;
}

/* What the collector measures itself; the rest are counters and what follows from them. */
static bool is_taken(const char *name)
{
	static const char *const metrics[] = { "wall", "cpu", "peak-rss" };
	const char *row;
	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
		if (strcmp(name, metrics[i]) == 0)
			return true;
	for (size_t i = 0; (row = pawl_counter_name(i)); i++)
		if (strcmp(name, row) == 0)
			return true;
	for (int i = 0; i < DERIVE_N; i++)
		if (strcmp(name, pawl_derive_name((enum derive)i)) == 0)
			return true;
	return false;
}

/* A new entry for a name that is one; NULL after blaming the call. */
static struct tally_entry *enter(struct tally *t, const char *name, bool is_set)
{
	struct tally_entry *e = &t->entry[t->n];
	if (is_taken(name)) {
		blame(t, 1, "is the name of a built-in counter or metric", name);
		return NULL;
	}
	if (t->n == TALLY_MOST) {
		blame(t, 1, "is one name more than the 16 that are possible", name);
		return NULL;
	}
	memcpy(e->name, name, strlen(name) + 1);
	e->is_set = is_set;
	e->value = 0;
	t->n++;
	return e;
}

/* Whether a name that is no entry yet can be one. */
static bool is_name(struct tally *t, const char *name)
{
	if (strnlen(name, TALLY_NAME + 1) > TALLY_NAME)
		blame(t, 1, "a name is longer than 63 bytes", "");
	else if (!pawl_text_is_clean(name))
		blame(t, 1, "a name is not UTF-8 or holds control characters", "");
	else
		return true;
	return false;
}

void pawl_tally_count(struct tally *t, const char *name, double value, bool is_set)
{
	struct tally_entry *e;
	if (!name || !*name) {
		blame(t, 1, "a name is missing", "");
		return;
	}
	e = find(t, name);
	if (!e && !is_name(t, name))
		return;
	if (!is_finite(value)) {
		blame(t, 1, "was given a value that is not finite", name);
		return;
	}
	if (!e)
		e = enter(t, name, is_set);
	if (!e)
		return;
	if (e->is_set != is_set)
		blame(t, 1, "is both added to and set", name);
	else
		e->value = is_set ? value : e->value + value;
}

/* Values of the same name: of threads at once, or one chunk after the other. */
static void take(struct tally *to, const struct tally *from, bool at_once)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct tally_entry *f = &from->entry[i];
		struct tally_entry *e = find(to, f->name);
		if (!e)
			e = enter(to, f->name, f->is_set);
		if (!e)
			continue;
		if (e->is_set != f->is_set)
			blame(to, 1, "is both added to and set", f->name);
		else if (f->is_set && !at_once)
			e->value = f->value;
		else
			e->value += f->value;
	}
	if (from->faults)
		blame(to, from->faults, from->fault, from->at_fault);
}

void pawl_tally_join(struct tally *to, const struct tally *from)
{
	take(to, from, true);
}

void pawl_tally_follow(struct tally *to, const struct tally *from)
{
	take(to, from, false);
}

double pawl_tally_value(const struct tally_entry *e, uint64_t operations)
{
	double value = e->is_set ? e->value : e->value / (double)operations;
	return is_finite(value) ? value : __builtin_nan("");
}

void pawl_add(struct pawl_run *r, const char *name, double value)
{
	if (r->tally)
		pawl_tally_count(r->tally, name, value, false);
}

void pawl_set(struct pawl_run *r, const char *name, double value)
{
	if (r->tally)
		pawl_tally_count(r->tally, name, value, true);
}
