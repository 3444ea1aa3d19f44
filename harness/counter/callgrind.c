/* SPDX-License-Identifier: MIT */
#include "harness/counter/callgrind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/counter/valgrind.h"

#if defined(__has_include) && !defined(PAWL_NO_VALGRIND)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define HAS_CALLGRIND
#endif
#endif

#ifdef HAS_CALLGRIND

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

bool pawl_callgrind_is_built(char *why, size_t size)
{
	if (!RUNNING_ON_VALGRIND)
		return true;
	(void)snprintf(why, size, "this program runs under valgrind already");
	return false;
}

/* In place of the clock: pawl_start() and pawl_stop() switch the counting on and off. */
static bool is_counting;

static uint64_t count_on(void)
{
	if (!is_counting) {
		is_counting = true;
		CALLGRIND_TOGGLE_COLLECT;
	}
	return 0;
}

static uint64_t count_off(void)
{
	if (is_counting) {
		CALLGRIND_TOGGLE_COLLECT;
		is_counting = false;
	}
	return 0;
}

/* The numbers of `summary:`, which leaves out zeros at its end. */
static void read_summary(const char *line, uint64_t *out)
{
	for (int i = 0; i < VALGRIND_EVENTS; i++) {
		char *end;
		out[i] = strtoull(line, &end, 10);
		line = end;
	}
}

/* Whether the events are those of pawl_valgrind_event(), in that order. */
static bool are_ours(const char *line)
{
	for (int i = 0; i < VALGRIND_EVENTS; i++) {
		size_t n = strlen(pawl_valgrind_event(i));
		line += strspn(line, " ");
		if (strncmp(line, pawl_valgrind_event(i), n) ||
		    (line[n] && !strchr(" \n", line[n])))
			return false;
		line += n;
	}
	return true;
}

/* Writes what was counted since the last time to a file, reads it and begins anew. */
static void take(struct regions *c, uint64_t *out)
{
	char path[PATH_SIZE], line[1024];
	bool ours = false, found = false;
	FILE *file;
	CALLGRIND_DUMP_STATS;
	(void)snprintf(path, sizeof(path), "%s/out.%d", c->folder, ++c->dumps);
	file = fopen(path, "re");
	memset(out, 0, VALGRIND_EVENTS * sizeof(*out));
	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "events:", 7) == 0)
			ours = are_ours(line + 7);
		if (strncmp(line, "summary:", 8) == 0) {
			read_summary(line + 8, out);
			found = true;
		}
	}
	if (file)
		(void)fclose(file);
	if (!file || !found)
		c->fault = "callgrind wrote no counts";
	else if (!ours)
		c->fault = "this callgrind counts other events";
}

static void run(struct regions *c, uint64_t n)
{
	const struct pawl_bench *bench = c->engine->bench;
	struct pawl_run *r = &c->engine->run;
	pawl_run_clear(r);
	if (!r->region.manual)
		(void)count_on();
	bench->run(bench->ctx, n, r);
	(void)count_off();
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
	CALLGRIND_START_INSTRUMENTATION;
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
	CALLGRIND_STOP_INSTRUMENTATION;
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

int pawl_callgrind_answer(struct session *s)
{
	const char *folder = getenv(CALLGRIND_ORDER);
	const struct pawl_bench *bench = find(s, getenv("PAWL_BENCHMARK"));
	struct outcome *out = &s->outcome;
	struct valgrind_counts counts = { .n = 0 };
	if (!bench)
		return answer(folder, "the second start has no such benchmark", &counts);
	if (!RUNNING_ON_VALGRIND)
		return answer(folder, "the second start is not under valgrind", &counts);
	if (pawl_instruments_open_steady(&s->in))
		return answer(folder, s->in.wall.reason, &counts);
	if (!pawl_session_open(s, bench, out))
		return answer(folder, out->fault, &counts);
	s->engine.run.begin = count_on;
	s->engine.run.end = count_off;
	struct regions c = { .folder = folder, .engine = &s->engine };
	count(&c, &counts);
	pawl_engine_close(&s->engine);
	return answer(folder, c.fault ? c.fault : "", &counts);
}

#else

bool pawl_callgrind_is_built(char *why, size_t size)
{
	(void)snprintf(why, size,
		       "libpawl was built without valgrind's headers: install valgrind and "
		       "build it again");
	return false;
}

int pawl_callgrind_answer(struct session *s)
{
	char why[COUNTER_REASON];
	(void)pawl_callgrind_is_built(why, sizeof(why));
	return pawl_session_refuse(s, why);
}

#endif

bool pawl_callgrind_is_wanted(void)
{
	return getenv(CALLGRIND_ORDER) != NULL;
}
