/* SPDX-License-Identifier: MIT */
#include "harness/speak/ask.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/speak/record.h"
#include "harness/speak/wire.h"

/* Sends the record in s->text and empties it.  Returns an enum status. */
static int send_record(struct session *s)
{
	int error = pawl_wire_send(s->orders.fd, &s->text);
	pawl_text_clear(&s->text);
	if (error == 0)
		return STATUS_OK;
	s->lost = true;
	(void)fprintf(stderr, "%s: error: cannot write to PAWL_FD %d: %s\n", s->program,
		      s->orders.fd, strerror(-error));
	return STATUS_USAGE;
}

/*
 * Leaves the record in s->text, to go with the next one: to send wakes the collector, which costs
 * both more than most records.  What is left of the memory holds the longest record.
 */
static int hold_record(struct session *s)
{
	if (s->text.used >= SESSION_HELD)
		return send_record(s);
	pawl_text_add(&s->text, "\n");
	return STATUS_OK;
}

static int send_error(struct session *s, const char *name, const char *message, int status)
{
	pawl_record_error(&s->text, name, message);
	int failed = send_record(s);
	return failed ? failed : status;
}

static int ask_list(struct session *s)
{
	int status = STATUS_OK;
	for (size_t i = 0; i < s->count && status == STATUS_OK; i++) {
		if (!pawl_filter_takes(s->options.filter, s->list[i].name))
			continue;
		pawl_record_benchmark(&s->text, &s->list[i]);
		status = send_record(s);
	}
	return status;
}

static int send_outcome(struct session *s, const struct pawl_bench *bench)
{
	const struct outcome *o = &s->outcome;
	pawl_record_result(&s->text, bench, &o->measured, s->in.empty_ns,
			   o->counted ? o->counters : NULL);
	int status = s->orders.ask == ASK_ALL ? send_record(s) : hold_record(s);
	return status == STATUS_OK && o->measured.iterations == 0 ? STATUS_FAILED : status;
}

static int ask_all(struct session *s)
{
	int worst = STATUS_OK;
	if (s->options.shuffle) {
		pawl_record_order(&s->text, s->options.seed);
		worst = send_record(s);
	}
	for (size_t i = 0; i < s->count && worst <= STATUS_FAILED; i++) {
		const struct pawl_bench *bench = &s->list[i];
		int status;
		if (!pawl_filter_takes(s->options.filter, bench->name))
			continue;
		if (pawl_session_measure(s, bench, &s->outcome))
			status = send_outcome(s, bench);
		else
			status = send_error(s, bench->name, s->outcome.fault, STATUS_FAILED);
		if (status > worst)
			worst = status;
	}
	return worst;
}

static int ask_calibrate(struct session *s, const struct pawl_bench *bench)
{
	s->options.counters = COUNTING_NONE;
	s->options.strategy = STRATEGY_GMPBENCH;
	if (!pawl_session_measure(s, bench, &s->outcome))
		return send_error(s, bench->name, s->outcome.fault, STATUS_FAILED);
	if (s->outcome.measured.iterations == 0)
		return send_error(s, bench->name, "every operation failed", STATUS_FAILED);
	pawl_record_calibration(&s->text, bench->name, &s->outcome.measured);
	return hold_record(s);
}

/* With turns: says that slice i is ready and waits until the collector lets it run. */
static int wait_turn(struct session *s, uint64_t i)
{
	char message[SESSION_FAULT];
	int status, error;

	if (!s->orders.turns)
		return STATUS_OK;
	pawl_record_ready(&s->text, i);
	status = send_record(s);
	if (status)
		return status;
	error = pawl_wire_wait(s->orders.fd);
	if (error == -EPIPE)
		return STATUS_GONE;
	if (!error)
		return STATUS_OK;
	(void)snprintf(message, sizeof(message), "cannot wait for a turn: %s", strerror(-error));
	return send_error(s, s->orders.benchmark, message, STATUS_USAGE);
}

static unsigned threads_of(const struct session *s)
{
	return s->engine.bench->threads > 1 ? s->engine.bench->threads : 1;
}

/* Iterations of slice i: as many for each thread; what is left over goes to the last. */
static uint64_t slice_size(const struct session *s, uint64_t i)
{
	const struct orders *o = &s->orders;
	unsigned threads = threads_of(s);
	uint64_t each = o->iterations / threads, rest = o->iterations % threads;
	each = each / o->slices + (i < each % o->slices);
	return each * threads + (i + 1 == o->slices ? rest : 0);
}

/* Slice i of s->orders.slices, in its turn. */
static int run_slice(struct session *s, uint64_t i)
{
	uint64_t n = slice_size(s, i);
	struct slice slice;
	int status = wait_turn(s, i);

	if (status)
		return status;
	pawl_clock_settle(&s->in.wall);
	pawl_engine_slice(&s->engine, n, &slice);
	if (s->orders.steady)
		slice = (struct slice){ .iterations = slice.iterations };
	pawl_record_slice(&s->text, i, &slice);
	return hold_record(s);
}

/*
 * Of a steady run nobody wants the times, and to print them takes a number of instructions that
 * depends on their digits, and on the notes they bring.
 */
static void forget_times(struct measured *m)
{
	*m = (struct measured){ .iterations = m->iterations,
				.errors = m->errors,
				.strategy = m->strategy,
				.threads = m->threads };
}

static int ask_run(struct session *s, const struct pawl_bench *bench)
{
	struct orders *o = &s->orders;
	struct outcome *out = &s->outcome;
	int status = STATUS_OK;
	bool good = false;
	if (!pawl_session_open(s, bench, out))
		return send_error(s, bench->name, out->fault, STATUS_FAILED);
	if (o->slices > o->iterations / threads_of(s))
		o->slices = o->iterations / threads_of(s);
	if (o->slices == 0)
		o->slices = 1;
	if (o->steady)
		pawl_engine_hold_steady(&s->engine);
	pawl_engine_first(&s->engine);
	pawl_engine_clear(&s->engine);
	for (uint64_t i = 0; i < o->slices && status == STATUS_OK; i++)
		status = run_slice(s, i);
	/* The counter passes have a turn of their own: the other side may still be timed. */
	if (status == STATUS_OK)
		status = wait_turn(s, o->slices);
	if (status == STATUS_OK) {
		pawl_clock_settle(&s->in.wall);
		pawl_engine_result(&s->engine, &out->measured);
		good = pawl_session_judge(s, out);
	}
	pawl_session_finish(s, bench, good ? o->iterations : 0, out);
	if (status)
		return status;
	if (o->steady)
		forget_times(&out->measured);
	return good ? send_outcome(s, bench)
		    : send_error(s, bench->name, out->fault, STATUS_FAILED);
}

static const struct pawl_bench *find(const struct session *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->list[i].name, s->orders.benchmark) == 0)
			return &s->list[i];
	return NULL;
}

static int answer_one(struct session *s)
{
	const struct pawl_bench *bench = find(s);
	if (!bench)
		return send_error(s, s->orders.benchmark, "there is no such benchmark",
				  STATUS_USAGE);
	return s->orders.ask == ASK_CALIBRATE ? ask_calibrate(s, bench) : ask_run(s, bench);
}

/* Says that it has answered and waits for the next order.  *out_more false: there is none. */
static int take_order(struct session *s, bool *out_more)
{
	int status, error;

	*out_more = false;
	pawl_record_next(&s->text);
	status = send_record(s);
	if (status)
		return status;
	error = pawl_wire_line(s->orders.fd, s->order, sizeof(s->order));
	if (error == -EPIPE)
		return STATUS_GONE;
	if (error || (strcmp(s->order, "end") && !pawl_orders_next(s->order, &s->orders)))
		return send_error(s, NULL, "cannot read the next order", STATUS_USAGE);
	*out_more = strcmp(s->order, "end") != 0;
	return STATUS_OK;
}

/* One benchmark after the other, each as if it were the only one; one that fails ends nothing. */
static int serve(struct session *s)
{
	int worst = STATUS_OK;
	bool more = true;
	while (more && worst <= STATUS_FAILED) {
		int status = answer_one(s);
		if (status <= STATUS_FAILED) {
			int failed = take_order(s, &more);
			status = failed ? failed : status;
		}
		if (status > worst)
			worst = status;
	}
	return worst;
}

static int answer(struct session *s)
{
	if (s->orders.min_ns > 0)
		s->options.min_ns = s->orders.min_ns;
	if (s->orders.ask == ASK_LIST)
		return ask_list(s);
	if (s->orders.ask == ASK_ALL)
		return ask_all(s);
	return s->orders.serve ? serve(s) : answer_one(s);
}

/* `end` after whatever was said, unless nobody reads it. */
static int finish(struct session *s, int status)
{
	if (status == STATUS_GONE || s->lost)
		return status;
	pawl_record_end(&s->text, &s->in.wall);
	int failed = send_record(s);
	return failed ? failed : status;
}

/*
 * Of the clock in use, where it counts ticks.  To measure the processor's counter beside another
 * clock takes 10 ms, and a suite is thousands of processes.
 */
static double ticks_hz(const struct session *s)
{
	bool counts = s->in.wall.row && s->in.wall.row->kind == KIND_TICKS && !s->orders.steady;
	return counts ? s->in.wall.hz : __builtin_nan("");
}

int pawl_ask(struct session *s)
{
	pawl_record_hello(&s->text, &s->in.wall, ticks_hz(s));
	int status = send_record(s);
	if (status)
		return status;
	return finish(s, answer(s));
}

int pawl_ask_refuse(struct session *s, const char *fault)
{
	if (s->orders.fd < 0) {
		(void)fprintf(stderr, "%s: error: %s\n", s->program, fault);
		return STATUS_USAGE;
	}
	pawl_record_hello(&s->text, &s->in.wall, __builtin_nan(""));
	int status = send_record(s);
	if (status)
		return status;
	return finish(s, send_error(s, NULL, fault, STATUS_USAGE));
}
