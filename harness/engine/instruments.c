/* SPDX-License-Identifier: MIT */
#include "harness/engine/instruments.h"

#include <string.h>

#include "harness/engine/run.h"
#include "harness/os/os.h"

#define CALIBRATION 200
#define CHUNKS 40 /* each is four system calls */

static double step_ns(const struct clock *c)
{
	return c->state ? 0 : c->step_ticks / c->hz * 1e9;
}

/* The empty chunk: the same order of readings as a real one, with nothing in the middle. */
static void calibrate_chunk(struct instruments *in)
{
	double thread[CHUNKS] = { 0 }, process[CHUNKS] = { 0 };
	const struct clock *t = &in->thread, *p = &in->process;
	for (size_t i = 0; i < CHUNKS; i++) {
		uint64_t p0 = p->state ? 0 : p->row->begin();
		uint64_t t0 = t->state ? 0 : t->row->begin();
		(void)in->wall.row->begin();
		(void)in->wall.row->end();
		uint64_t t1 = t->state ? 0 : t->row->end();
		uint64_t p1 = p->state ? 0 : p->row->end();
		thread[i] = t->state ? 0 : (double)(t1 - t0) / t->hz * 1e9;
		process[i] = p->state ? 0 : (double)(p1 - p0) / p->hz * 1e9;
	}
	in->thread_ns = pawl_clock_typical(thread, CHUNKS, step_ns(t));
	in->process_ns = pawl_clock_typical(process, CHUNKS, step_ns(p));
}

/* One pair of calls, or one as pawl.h has it inlined. */
static double empty_stretch(struct pawl_run *r, bool inlined)
{
	pawl_run_clear(r);
	if (inlined) {
		pawl_start(r);
		pawl_stop(r);
	} else {
		(pawl_start)(r);
		(pawl_stop)(r);
	}
	return (double)r->region.ticks;
}

static double empty_ticks(const struct clock *wall, bool inlined)
{
	double stretches[CALIBRATION];
	struct pawl_run r = { .begin = NULL };
	pawl_run_use(&r, wall->row);
	for (size_t i = 0; i < CALIBRATION; i++)
		stretches[i] = empty_stretch(&r, inlined);
	return pawl_clock_typical(stretches, CALIBRATION, wall->step_ticks);
}

/* Of a clock that is not read in place both are calls. */
static void calibrate_region(struct instruments *in)
{
	in->region_ticks = empty_ticks(&in->wall, false);
	in->inlined_ticks = in->wall.row->form ? empty_ticks(&in->wall, true) : in->region_ticks;
}

void pawl_instruments_calibrate(struct instruments *in)
{
	calibrate_chunk(in);
	calibrate_region(in);
}

static void open_kind(enum clock_kind kind, struct clock *out)
{
	const struct clock_row *row;
	*out = (struct clock){ .state = -1, .reason = "there is no such clock" };
	for (size_t i = 0; (row = pawl_clock_row(i)); i++)
		if (row->kind == kind && pawl_clock_open_beside(row, out) == 0)
			return;
}

/* The first clock of the kind that works; nothing about it is measured. */
static int open_unmeasured(enum clock_kind kind, struct clock *out)
{
	const struct clock_row *row;
	*out = (struct clock){ .state = -1, .reason = "there is no such clock" };
	for (size_t i = 0; out->state && (row = pawl_clock_row(i)); i++) {
		if (row->kind != kind)
			continue;
		*out = (struct clock){ .row = row,
				       .hz = pawl_clock_certain_hz(row),
				       .step_ticks = 1 };
		out->state = row->probe(&out->reason);
	}
	return out->state;
}

int pawl_instruments_open_steady(struct instruments *out)
{
	struct instruments in;
	memset(&in, 0, sizeof(in));
	int error = open_unmeasured(KIND_WALL, &in.wall);
	(void)open_unmeasured(KIND_THREAD, &in.thread);
	(void)open_unmeasured(KIND_PROCESS, &in.process);
	in.where = pawl_os_processor;
	in.usage = pawl_usage_read;
	in.empty_ns = __builtin_nan("");
	*out = in;
	return error;
}

static const struct clock_row *reference;

static uint64_t read_reference(void)
{
	return pawl_clock_reference_ns(reference);
}

int pawl_instruments_open(struct instruments *out, const struct clock_row *wall)
{
	struct instruments in;
	memset(&in, 0, sizeof(in));
	int error = wall ? pawl_clock_open(wall, &in.wall) : pawl_clock_open_wall(&in.wall);
	if (error == 0) {
		open_kind(KIND_THREAD, &in.thread);
		open_kind(KIND_PROCESS, &in.process);
		in.where = pawl_os_processor;
		in.usage = pawl_usage_read;
		/* A clock tells nothing about itself. */
		reference = pawl_clock_reference();
		in.witness = reference && reference != in.wall.row ? read_reference : NULL;
		in.empty_ns = __builtin_nan("");
		pawl_instruments_calibrate(&in);
	}
	*out = in;
	return error;
}
