/* SPDX-License-Identifier: MIT */
/* Goes for speed before plainness: the clock is read last in start, first in stop. */
#include "harness/engine/run.h"

#include <string.h>

#include "harness/counter/counter.h"

void pawl_run_init(struct pawl_run *r, const struct pawl_bench *bench, unsigned i)
{
	memset(r, 0, sizeof(*r));
	r->arg = bench->args.n ? *bench->args.list : 0;
	r->thread = i;
}

void pawl_run_clear(struct pawl_run *r)
{
	r->started = false;
	r->open = false;
	r->spoiled = false;
	r->ticks = 0;
	r->pairs = 0;
	r->failed = 0;
	r->thrown = 0;
}

void pawl_run_end(struct pawl_run *r)
{
	r->skipped = r->skipped || (!r->started && !r->failed);
}

bool pawl_run_is_mixed(const struct pawl_run *r)
{
	return r->manual && r->skipped;
}

bool pawl_run_is_spoiled(const struct pawl_run *r, uint64_t n)
{
	return r->spoiled || r->thrown >= n || (r->thrown && r->pairs + r->thrown != n);
}

void pawl_start(struct pawl_run *r)
{
	r->manual = true;
	r->started = true;
	r->open = true;
	if (r->group)
		pawl_group_begin(r->group);
	else
		r->begun = r->begin();
}

void pawl_stop(struct pawl_run *r)
{
	if (!r->group) {
		uint64_t now = r->end();
		if (!r->open)
			return;
		r->ticks += now > r->begun ? now - r->begun : 0;
	} else if (r->open) {
		pawl_group_end(r->group);
	}
	if (r->open)
		r->pairs++;
	r->open = false;
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
	if (r->open)
		r->thrown++;
	else
		r->spoiled = true;
	r->open = false;
}
