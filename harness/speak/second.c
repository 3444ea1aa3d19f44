/* SPDX-License-Identifier: MIT */
#include "harness/speak/second.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/counter/callgrind.h"
#include "harness/speak/ask.h"

bool pawl_second_is_wanted(void)
{
	return getenv(CALLGRIND_ORDER) != NULL;
}

#ifdef CALLGRIND_IS_KNOWN

#define PATH_SIZE 512
#define ENOUGH_INSTRUCTIONS 1000000
#define LONGEST ((uint64_t)1 << 20)
#define EMPTY_PAIRS 16

struct regions {
	const char *folder;
	int dumps; /* files so far: out.1, out.2, ... */
	struct engine *engine;
	uint64_t pair[VALGRIND_EVENTS]; /* of EMPTY_PAIRS empty stretches */
	const char *fault;		/* NULL while all is well */
};

/* What was counted since the last time. */
static void take(struct regions *c, uint64_t *out)
{
	const char *fault = pawl_callgrind_take(c->folder, ++c->dumps, out);
	c->fault = fault ? fault : c->fault;
}

static void run(struct regions *c, uint64_t n)
{
	const struct pawl_bench *bench = c->engine->bench;
	struct pawl_run *r = &c->engine->run;
	pawl_run_clear(r);
	if (!r->region.manual)
		(void)pawl_callgrind_on();
	bench->run(bench->ctx, n, r);
	(void)pawl_callgrind_off();
	pawl_run_end(r);
	if (r->failed)
		c->fault = "operations failed while it was counted";
	else if (pawl_run_is_mixed(r))
		c->fault = RUN_MIXED;
}

/* Without what pawl_start() and pawl_stop() count of themselves. */
static void region(struct regions *c, uint64_t n, uint64_t *out)
{
	run(c, n);
	take(c, out);
	for (int i = 0; i < VALGRIND_EVENTS && c->engine->run.region.manual; i++) {
		uint64_t own = c->pair[i] * c->engine->run.region.pairs / EMPTY_PAIRS;
		out[i] = out[i] > own ? out[i] - own : 0;
	}
}

static void measure_empty(struct regions *c)
{
	struct pawl_run r = c->engine->run;
	for (int i = 0; i < EMPTY_PAIRS; i++) {
		pawl_start(&r);
		pawl_stop(&r);
	}
	take(c, c->pair);
}

static void count(struct regions *c, struct valgrind_counts *out)
{
	uint64_t rubbish[VALGRIND_EVENTS];
	pawl_callgrind_begin();
	run(c, 1); /* fills the caches, and says whether timing is manual */
	take(c, rubbish);
	measure_empty(c);
	out->n = 1;
	region(c, 1, out->once);
	for (;;) {
		region(c, 2 * out->n, out->twice);
		if (c->fault || out->twice[0] >= ENOUGH_INSTRUCTIONS || out->n >= LONGEST)
			break;
		out->n *= 2;
		memcpy(out->once, out->twice, sizeof(out->once));
	}
	pawl_callgrind_end();
}

static int answer(const char *folder, const char *fault, const struct valgrind_counts *counts)
{
	char path[PATH_SIZE];
	FILE *file;
	int bad;
	(void)snprintf(path, sizeof(path), "%s/counts", folder);
	file = fopen(path, "we");
	if (!file)
		return STATUS_FAILED;
	if (*fault) {
		(void)fprintf(file, "error %s\n", fault);
	} else {
		(void)fprintf(file, "n %llu 0\n", (unsigned long long)counts->n);
		for (int i = 0; i < VALGRIND_EVENTS; i++)
			(void)fprintf(file, "%s %llu %llu\n", pawl_valgrind_event(i),
				      (unsigned long long)counts->once[i],
				      (unsigned long long)counts->twice[i]);
		(void)fputs("end 0 0\n", file);
	}
	bad = ferror(file);
	if (fclose(file) || bad)
		return STATUS_FAILED;
	return STATUS_OK;
}

static const struct pawl_bench *find(const struct session *s, const char *name)
{
	for (size_t i = 0; name && i < s->count; i++)
		if (strcmp(s->list[i].name, name) == 0)
			return &s->list[i];
	return NULL;
}

int pawl_second_answer(struct session *s)
{
	const char *folder = getenv(CALLGRIND_ORDER);
	const struct pawl_bench *bench = find(s, getenv("PAWL_BENCHMARK"));
	struct outcome *out = &s->outcome;
	struct valgrind_counts counts = { .n = 0 };
	if (!bench)
		return answer(folder, "the second start has no such benchmark", &counts);
	if (!pawl_callgrind_is_around())
		return answer(folder, "the second start is not under valgrind", &counts);
	if (pawl_instruments_open_steady(&s->in))
		return answer(folder, s->in.wall.reason, &counts);
	if (!pawl_session_open(s, bench, out))
		return answer(folder, out->fault, &counts);
	const struct clock_row switches = { .begin = pawl_callgrind_on, .end = pawl_callgrind_off };
	pawl_run_use(&s->engine.run, &switches);
	struct regions c = { .folder = folder, .engine = &s->engine };
	count(&c, &counts);
	pawl_engine_close(&s->engine);
	return answer(folder, c.fault ? c.fault : "", &counts);
}

#else

int pawl_second_answer(struct session *s)
{
	char why[COUNTER_REASON];
	(void)pawl_callgrind_is_built(why, sizeof(why));
	return pawl_ask_refuse(s, why);
}

#endif
