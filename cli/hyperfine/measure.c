#include "cli/hyperfine/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/hyperfine/aside.h"
#include "collector/compare.h"
#include "lib/base/number.h"
#include "lib/base/utf8.h"
#include "lib/stats/describe.h"

#include "lib/base/banned.h"

#define S_PER_NS 1e-9
#define CONFIDENCE 0.95 /* of an interval that nobody looks at */
#define SUFFIX_ROOM 12	/* " (#65536)" */

void hyperfine_results_release(struct hyperfine_results *r)
{
	size_t i;

	for (i = 0; i < r->n; i++) {
		free(r->v[i].times);
		free(r->v[i].statuses);
	}
	free(r->v);
	*r = (struct hyperfine_results)HYPERFINE_RESULTS_INIT;
}

/* ---- what the runs gave --------------------------------------------------------------------- */

/* Of one side of a benchmark: samples of a metric, values of a track. */
struct side_of {
	const struct bench *bench;
	bool is_base;
};

static const double *samples_of(const struct side_of *s, const char *name, size_t *out_n)
{
	const struct metric *m = bench_find_metric(s->bench, name);

	*out_n = !m ? 0 : s->is_base ? m->n_baseline : m->n;
	return !*out_n ? NULL : s->is_base ? m->baseline_samples : m->samples;
}

static const double *track_of(const struct side_of *s, const char *name, size_t *out_n)
{
	const struct track *t = NULL;
	size_t i;

	for (i = 0; i < s->bench->n_tracks && !t; i++)
		if (!strcmp(s->bench->tracks[i].name, name))
			t = &s->bench->tracks[i];
	*out_n = !t ? 0 : s->is_base ? t->n_base : t->n_head;
	return !*out_n ? NULL : s->is_base ? t->base : t->head;
}

static double mean_of(const double *x, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += x[i];
	return n ? sum / (double)n : (double)NAN;
}

static int describe_times(struct hyperfine_result *r, struct err *err)
{
	struct description d;

	if (describe(r->times, r->n, CONFIDENCE, &d, err))
		return -1;
	r->mean = d.mean;
	r->sd = d.sd;
	r->median = d.median;
	r->min = d.min;
	r->max = d.max;
	return 0;
}

static int take_result(const struct side_of *s, struct hyperfine_result *r, struct err *err)
{
	size_t n_cpu, n_system, n_statuses, i;
	const double *wall = samples_of(s, "wall", &r->n);
	const double *cpu = samples_of(s, "cpu", &n_cpu);
	const double *in_kernel = track_of(s, "system_ns", &n_system);
	const double *statuses = track_of(s, "exit_status", &n_statuses);

	if (!wall)
		return err_set(err, ERR_CHILD, "the time of '%s' could not be measured",
			       r->command->name);
	r->times = calloc(r->n, sizeof(*r->times));
	r->statuses = calloc(r->n, sizeof(*r->statuses));
	if (!r->times || !r->statuses)
		return err_nomem(err);
	for (i = 0; i < r->n; i++) {
		r->times[i] = wall[i] * S_PER_NS;
		r->statuses[i] = statuses && i < n_statuses ? (int)statuses[i] : 0;
	}
	r->in_kernel = mean_of(in_kernel, n_system) * S_PER_NS;
	r->user = mean_of(cpu, n_cpu) * S_PER_NS - r->in_kernel;
	return describe_times(r, err);
}

/* ---- measuring -------------------------------------------------------------------------- */

/* Whether a command but the i-th is called so. */
static bool is_another(const struct hyperfine_commands *list, size_t i, const char *name)
{
	size_t k;

	for (k = 0; k < list->n && (k == i || strcmp(list->v[k].name, name) != 0); k++)
		;
	return k < list->n;
}

/*
 * In a summary each has a name of its own; progress and warnings call it so, too.  The numbers of
 * two never meet: they are counted on by how many there are.
 */
static int name_bench(const struct hyperfine_commands *list, size_t i, struct config *config,
		      struct err *err)
{
	const char *name = list->v[i].name;
	size_t n = utf8_fitting(name, SUMMARY_MAX_NAME - SUFFIX_ROOM), number = i + 1;
	struct buf text = BUF_INIT;
	int result;

	buf_addf(&text, "%.*s", (int)n, name);
	for (; !text.failed && (number > i + 1 || name[n] || is_another(list, i, name));
	     number += list->n) {
		buf_truncate(&text, n);
		buf_addf(&text, " (#%zu)", number);
		if (!text.failed && !is_another(list, i, buf_str(&text)))
			break;
	}
	result = buf_check(&text, err) || str_set(&config->benchmarks[0].name, buf_str(&text), err);
	buf_release(&text);
	return result ? -1 : 0;
}

/* i: of the head; the base is the first command. */
static int check_ran(const struct hyperfine_commands *list, size_t i, const struct summary *s,
		     struct err *err)
{
	static const char base[] = "the base: ", head[] = "the head: ";
	const struct bench *b = s->n_benchmarks ? &s->benchmarks[0] : NULL;
	const char *why = b && b->detail ? b->detail : "nothing was measured";
	bool of_base = str_starts(why, base);

	if (b && b->status == BENCH_OK)
		return 0;
	err_set(err, ERR_CHILD, "'%s': %s", list->v[of_base ? 0 : i].name,
		why + (of_base || str_starts(why, head) ? sizeof(head) - 1 : 0));
	return strstr(why, "exited with status")
		       ? err_hint(err, "to measure it all the same: -i, --ignore-failure")
		       : -1;
}

static void set_way(const struct hyperfine_command *c, struct compare_way *way)
{
	way->command = &c->words;
	way->text = c->name;
	way->prepare = c->prepare;
	way->cleanup = c->conclude;
}

/* Moves what one comparison measured behind the others. */
static int append(struct summary *from, struct summary *to, struct err *err)
{
	if (!summary_add_bench(to, from->benchmarks[0].name, err))
		return -1;
	summary_replace(to, &from->benchmarks[0]);
	to->finished_us = from->finished_us;
	return 0;
}

/* i: of the command that is compared with the first, or 0 of one alone. */
static int measure_one(const struct hyperfine_commands *list, size_t i, struct compare_request *rq,
		       struct summary *out, struct hyperfine_results *results, struct err *err)
{
	struct summary s;
	int result = -1;

	set_way(&list->v[i], &rq->head_way);
	rq->measure_identical = i && !strcmp(list->v[0].line, list->v[i].line);
	if (list->n > 2)
		talk_note(rq->talk, "%zu of %zu: %s", i, list->n - 1, list->v[i].name);
	if (compare(rq, &s, err))
		return -1;
	if (check_ran(list, i, &s, err) ||
	    take_result(&(struct side_of){ &s.benchmarks[0], false }, &results->v[i], err) ||
	    (i == 1 &&
	     take_result(&(struct side_of){ &s.benchmarks[0], true }, &results->v[0], err)))
		goto out;
	if (i > 1) {
		result = append(&s, out, err);
		goto out;
	}
	summary_release(out);
	*out = s;
	summary_init(&s);
	result = 0;
out:
	summary_release(&s);
	return result;
}

static int measure_all(const struct hyperfine_line *line, const struct hyperfine_commands *list,
		       struct context *c, struct summary *summary, struct hyperfine_results *out,
		       struct err *err)
{
	struct compare_request rq = {
		.config = &c->config, .state_dir = c->state_dir, .partial = true, .talk = c->talk
	};
	uint64_t runs = 0;
	size_t i;

	if (line->runs && (!number_u64(line->runs, &runs) || !runs || runs > SUMMARY_MAX_SAMPLES))
		return err_set(err, ERR_USAGE, "--runs takes a number from 1 to %d, not '%s'",
			       SUMMARY_MAX_SAMPLES, line->runs);
	rq.pairs = (unsigned)runs;
	rq.comparisons = (unsigned)(list->n - 1);
	if (list->n > 1)
		set_way(&list->v[0], &rq.base_way);
	for (i = list->n > 1; i < list->n; i++)
		if (name_bench(list, i, &c->config, err) ||
		    measure_one(list, i, &rq, summary, out, err))
			return -1;
	/* Each head has another name. */
	return list->n > 2 ? str_set(&summary->sides.head, "the others", err) : 0;
}

int hyperfine_measure(const struct hyperfine_line *line, const struct hyperfine_commands *list,
		      struct context *c, struct summary *summary, struct hyperfine_results *out,
		      struct err *err)
{
	size_t i;
	int result;

	summary_init(summary);
	out->v = calloc(list->n, sizeof(*out->v));
	if (!out->v)
		return err_nomem(err);
	out->n = list->n;
	for (i = 0; i < list->n; i++)
		out->v[i].command = &list->v[i];
	result = hyperfine_set_up(list, err);
	if (!result) {
		result = measure_all(line, list, c, summary, out, err);
		result = hyperfine_clean_up(list, result, err);
	}
	if (result)
		summary_release(summary);
	return result;
}
