/* SPDX-License-Identifier: MIT */
/* Goes for speed before plainness: the clock is read last in start, first in stop. */
#include "harness/engine/run.h"

#include <stddef.h>
#include <string.h>

#include "harness/counter/passes.h"

/* pawl.h makes macros of the names; these are the calls. */
#undef pawl_start
#undef pawl_stop

_Static_assert(offsetof(struct pawl_run, region) == 0, "the shared part is the beginning");

void pawl_run_init(struct pawl_run *r, const struct pawl_bench *bench, unsigned i)
{
	memset(r, 0, sizeof(*r));
	r->arg = bench->args.n ? *bench->args.list : 0;
	r->thread = i;
}

void pawl_run_use(struct pawl_run *r, const struct clock_row *wall)
{
	r->begin = wall->begin;
	r->end = wall->end;
	r->region.form = wall->form;
}

void pawl_run_close(struct pawl_run *r, uint64_t now)
{
	if (!r->region.open)
		return;
	r->region.ticks += now > r->region.begun ? now - r->region.begun : 0;
	r->region.pairs++;
	r->region.open = false;
	r->called++;
}

double pawl_run_net_ticks(const struct pawl_run *r, double called_ticks, double inlined_ticks)
{
	double inlined = (double)(r->region.pairs - r->called);
	return (double)r->region.ticks - (double)r->called * called_ticks - inlined * inlined_ticks;
}

void pawl_run_clear(struct pawl_run *r)
{
	r->region.started = false;
	r->region.open = false;
	r->spoiled = false;
	r->region.ticks = 0;
	r->region.pairs = 0;
	r->called = 0;
	r->failed = 0;
	r->thrown = 0;
}

void pawl_run_end(struct pawl_run *r)
{
	r->skipped = r->skipped || (!r->region.started && !r->failed);
}

bool pawl_run_is_mixed(const struct pawl_run *r)
{
	return r->region.manual && r->skipped;
}

bool pawl_run_is_spoiled(const struct pawl_run *r, uint64_t n)
{
	return r->spoiled || r->thrown >= n || (r->thrown && r->region.pairs + r->thrown != n);
}

void pawl_start(struct pawl_run *r)
{
	r->region.manual = true;
	r->region.started = true;
	r->region.open = true;
	if (r->group)
		pawl_group_begin(r->group);
	else
		r->region.begun = r->begin();
}

void pawl_stop(struct pawl_run *r)
{
	if (!r->group) {
		pawl_run_close(r, r->end());
		return;
	}
	if (r->region.open) {
		pawl_group_end(r->group);
		r->region.pairs++;
	}
	r->region.open = false;
}

int64_t pawl_arg(const struct pawl_run *r)
{
	return r->arg;
}

unsigned pawl_thread(const struct pawl_run *r)
{
	return r->thread;
}

void pawl_fail(struct pawl_run *r)
{
	r->failed++;
	if (r->region.open)
		r->thrown++;
	else
		r->spoiled = true;
	r->region.open = false;
}
