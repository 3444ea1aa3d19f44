#include "collector/run/foreign_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/run/foreign_process.h"
#include "collector/run/launch.h"
#include "lib/base/file.h"
#include "lib/foreign/ask.h"
#include "lib/foreign/foreign.h"

#include "lib/base/banned.h"

#define FIRST_SAMPLES 10 /* of Catch2, to find out how long one takes */
#define CUT_SHARE 0.25	 /* of the time that was asked for: less is no measurement of that length */
#define CUT_TRIES 4
#define CUT_LONGER 4

static const struct foreign_asker *asker_of(enum bench_format format)
{
	return foreign_asker_of(bench_format_name(format));
}

/* What a format names after its file is named after the one that was configured. */
static struct foreign_text text_of(const struct bench_config *config,
				   const struct foreign_answer *a)
{
	return (struct foreign_text){ config->output ? config->output : config->name,
				      buf_str(&a->text), a->text.len, NULL };
}

/* ---- its benchmarks ---------------------------------------------------------------------- */

static int read_names(const struct foreign_asker *asker, enum bench_format format,
		      const struct foreign_text text, struct strv *names, struct strv *selectors,
		      struct err *err)
{
	struct summary s;
	int result = -1;
	size_t i;

	if (asker)
		return asker->names(text.data, text.n, names, selectors, err);
	summary_init(&s);
	if (foreign_read(&text, foreign_find(bench_format_name(format)), &s, err))
		goto out;
	for (i = 0; i < s.n_benchmarks; i++)
		if (strv_add(names, s.benchmarks[i].name, err))
			goto out;
	result = 0;
out:
	summary_release(&s);
	return result;
}

int foreign_run_list(const struct process_runner *r, const struct bench_config *config,
		     enum bench_format format, const struct side *side, struct strv *out_names,
		     struct strv *out_selectors, struct err *err)
{
	const struct foreign_asker *asker = asker_of(format);
	struct strv words = STRV_INIT;
	struct foreign_answer a = FOREIGN_ANSWER_INIT;
	struct foreign_order o = { .r = r,
				   .config = config,
				   .side = side,
				   .words = &words,
				   .cpu = -1,
				   .timeout_ns = launch_list_limit_ns(r, config) };
	int result = -1;

	if ((asker && asker->list(&words, err)) || foreign_process(&o, &a, err))
		goto out;
	if (a.failure.len) {
		err_set(err, a.res.timed_out ? ERR_TIMEOUT : ERR_CHILD, "%s", buf_str(&a.failure));
		goto out;
	}
	result = read_names(asker, format, text_of(config, &a), out_names, out_selectors, err);
	if (result && err->code != ERR_NOMEM) {
		err->code = ERR_CHILD;
		err_in(err, "not what a program of format %s answers", bench_format_name(format));
	}
out:
	strv_release(&words);
	foreign_answer_release(&a);
	return result;
}

/* ---- one benchmark of an answer ---------------------------------------------------------- */

/* One number of a metric: the mean of what this run told. */
static double value_of(const struct metric *m)
{
	double sum = 0;
	size_t i;

	if (!m)
		return (double)NAN;
	if (!m->n)
		return !m->described ? (double)NAN : isfinite(m->median) ? m->median : m->mean;
	for (i = 0; i < m->n; i++)
		sum += m->samples[i];
	return sum / (double)m->n;
}

static int take_counters(const struct bench *b, struct run *run, struct err *err)
{
	size_t i;

	run->counters = calloc(b->n_metrics ? b->n_metrics : 1, sizeof(*run->counters));
	if (!run->counters)
		return err_nomem(err);
	for (i = 0; i < b->n_metrics && run->n_counters < LINE_MAX_COUNTERS; i++) {
		const struct metric *m = &b->metrics[i];
		struct counter_value *c = &run->counters[run->n_counters];

		if (!strcmp(m->name, "wall") || !strcmp(m->name, "cpu") ||
		    !strcmp(m->name, "peak-rss"))
			continue;
		c->state = m->state;
		c->value = value_of(m);
		c->better = m->better;
		if (c->state <= METRIC_SCALED && !isfinite(c->value))
			c->state = METRIC_STARVED;
		run->n_counters++;
		if (str_set(&c->name, m->name, err) || str_set(&c->unit, m->unit, err) ||
		    str_set(&c->reason, m->reason, err))
			return -1;
	}
	return 0;
}

/* Moves the answer's figures of this unit to the run, or says why there are none. */
static int take_answer(const struct unit *u, const struct foreign_answer *a, struct run *run,
		       uint64_t *out_iterations, struct err *err)
{
	const struct foreign_text text = text_of(u->config, a);
	struct buf failure = BUF_INIT;
	struct err fault = ERR_INIT;
	const struct bench *b = NULL;
	struct summary s;
	int result = -1;

	summary_init(&s);
	run->wall_ns = run->cpu_ns = run->process_cpu_ns = (double)NAN;
	if (a->failure.len) {
		buf_adds(&failure, buf_str(&a->failure));
		goto tell;
	}
	if (foreign_read(&text, foreign_find(bench_format_name(u->format)), &s, &fault)) {
		buf_adds(&failure, fault.text);
		goto tell;
	}
	b = foreign_bench_of(&s, u->inner);
	if (!b)
		buf_addf(&failure, "its answer does not hold '%s'", u->inner);
	else if (b->status != BENCH_OK)
		buf_addf(&failure, "%s", b->detail ? b->detail : "it failed");
	else if (take_counters(b, run, err))
		goto out;
	if (b && !failure.len) {
		run->wall_ns = value_of(bench_find_metric(b, "wall"));
		run->cpu_ns = run->process_cpu_ns = value_of(bench_find_metric(b, "cpu"));
		if (isfinite(value_of(bench_find_metric(b, "peak-rss"))))
			run->peak_rss_bytes = value_of(bench_find_metric(b, "peak-rss"));
		*out_iterations = b->iterations;
		run->wants_wall = u->format == FORMAT_GOOGLE && b->gate && !strcmp(b->gate, "wall");
		if (!isfinite(run->wall_ns) && !u->config->metric)
			buf_addf(&failure,
				 "it reports no time; name what decides: benchmark.%s.metric",
				 u->config->name);
	}
tell:
	result = launch_fail(run, &failure, a->res.timed_out, err);
out:
	buf_release(&failure);
	summary_release(&s);
	return result;
}

static int run_wish(const struct process_runner *r, const struct unit *u, const struct side *side,
		    const struct stage_pair *placed, const struct foreign_wish *wish,
		    struct run *run, uint64_t *out_iterations, struct err *err)
{
	const struct foreign_asker *asker = u->selector ? asker_of(u->format) : NULL;
	struct strv words = STRV_INIT;
	struct foreign_answer a = FOREIGN_ANSWER_INIT;
	struct foreign_order o = { .r = r,
				   .config = u->config,
				   .side = side,
				   .words = &words,
				   .cpu = u->pinned ? r->cpu : -1,
				   .padding = placed ? placed->padding : 0,
				   .timeout_ns = launch_run_limit_ns(r, u, placed != NULL),
				   .run = run };
	int result = -1;

	*out_iterations = 0;
	if ((asker && asker->run(wish, &words, err)) || foreign_process(&o, &a, err))
		goto out;
	result = take_answer(u, &a, run, out_iterations, err);
	/* A whole run is told apart by its own length: what is left is that of its process. */
	if (!result && !asker)
		*out_iterations = a.res.wall_ns;
out:
	strv_release(&words);
	foreign_answer_release(&a);
	return result;
}

/* Whether the benchmark's source fixes its iterations. */
static bool has_own_number(const char *selector)
{
	return strstr(selector, "/iterations:") != NULL;
}

/*
 * google-benchmark also ends when five times the time it was given has passed by the wall clock:
 * where others have the processor, with the very first iteration, that is 30 times as slow.
 */
static bool is_cut_short(const struct unit *u, const struct foreign_wish *wish,
			 const struct run *run, uint64_t n)
{
	double each_ns = run->wants_wall ? run->wall_ns : run->cpu_ns;

	return u->format == FORMAT_GOOGLE && u->selector && !wish->n && !run->failure &&
	       !has_own_number(u->selector) &&
	       each_ns * (double)n < CUT_SHARE * (double)wish->time_ns;
}

/* run_wish(), and again with more time while it is cut short; the last one counts whatever it is.
 */
static int run_whole(const struct process_runner *r, const struct unit *u, const struct side *side,
		     const struct stage_pair *placed, const struct foreign_wish *wish,
		     struct run *run, uint64_t *out_iterations, struct err *err)
{
	struct foreign_wish longer = *wish;
	int tries;

	for (tries = 1;; tries++) {
		if (run_wish(r, u, side, placed, &longer, run, out_iterations, err))
			return -1;
		if (tries == CUT_TRIES || !is_cut_short(u, wish, run, *out_iterations))
			return 0;
		run_release(run);
		memset(run, 0, sizeof(*run));
		longer.time_ns *= CUT_LONGER;
	}
}

/* ---- calibration and pairs --------------------------------------------------------------- */

static int keep_failure(struct unit *u, struct run *run, struct err *err)
{
	u->timed_out = run->timed_out;
	return str_set(&u->failure, run->failure, err);
}

/* What google-benchmark adds up: the iterations of all threads, which the name tells. */
static uint64_t threads_of(const char *selector)
{
	const char *at = strstr(selector, "/threads:");
	unsigned long long n = 0;

	return at && sscanf(at, "/threads:%llu", &n) == 1 && n ? n : 1;
}

/* Whether so many iterations are what one that was asked for gives. */
static bool is_as_asked(const char *selector, uint64_t n)
{
	return n == 1 || n == threads_of(selector) || has_own_number(selector);
}

/*
 * Whether the harness takes a number of iterations: google-benchmark does since 1.8.  An older one
 * refuses it, or goes on without where the program does not look at what it could not read.
 */
static int try_frozen(const struct process_runner *r, struct unit *u, const struct side *side,
		      struct err *err)
{
	const struct foreign_wish one = { u->selector, 1, 0 };
	struct run run;
	uint64_t n;
	int result;

	memset(&run, 0, sizeof(run));
	result = run_wish(r, u, side, NULL, &one, &run, &n, err);
	u->timed = run.failure || !is_as_asked(u->selector, n);
	run_release(&run);
	return result;
}

/* Of Catch2 the samples are frozen: each is as many iterations as its clock needs. */
static double run_length(const struct unit *u, const struct run *run, uint64_t n)
{
	return run->wall_ns * (double)n * (u->format == FORMAT_CATCH2 ? FIRST_SAMPLES : 1);
}

static void choose_n(struct unit *u, double run_ns, uint64_t n, uint64_t min_time_ns)
{
	double per, kept;

	if (u->format == FORMAT_CATCH2)
		n = FIRST_SAMPLES;
	per = run_ns / (double)(n ? n : 1);
	kept = per * (double)u->iterations;
	/* Keep the N of the stored baseline while it still makes a run of a fitting length. */
	if (!u->iterations || kept < 0.5 * (double)min_time_ns || kept > 4 * (double)min_time_ns)
		u->iterations = per > 0 && (double)min_time_ns / per > 1
					? (uint64_t)((double)min_time_ns / per)
					: 1;
	u->run_ns = per * (double)u->iterations;
}

int foreign_run_calibrate(const struct process_runner *r, struct unit *u, const struct side *side,
			  struct err *err)
{
	struct foreign_wish wish = { u->selector, 0, r->min_time_ns };
	struct run run;
	uint64_t n = 0;
	int result = -1;

	memset(&run, 0, sizeof(run));
	u->slices = 1;
	if (run_whole(r, u, side, NULL, &wish, &run, &n, err))
		goto out;
	if (run.failure) {
		result = keep_failure(u, &run, err);
	} else if (!u->selector) {
		u->iterations = 1;
		u->run_ns = (double)n;
		result = 0;
	} else {
		choose_n(u, run_length(u, &run, n), n, r->min_time_ns);
		result = u->format == FORMAT_GOOGLE ? try_frozen(r, u, side, err) : 0;
	}
out:
	run_release(&run);
	return result;
}

static int run_as_wished(const void *ctx, const struct process_runner *r, const struct unit *u,
			 const struct side *side, const struct stage_pair *placed, struct run *run,
			 struct err *err)
{
	uint64_t n;

	return run_whole(r, u, side, placed, ctx, run, &n, err);
}

int foreign_run_pair(const struct process_runner *r, const struct unit *u, struct pair *p,
		     struct err *err)
{
	const struct foreign_wish wish = { u->selector, u->timed ? 0 : u->iterations,
					   r->min_time_ns };

	return launch_pair(r, u, run_as_wished, &wish, p, err);
}

int foreign_run_words(const struct unit *u, uint64_t n, struct strv *argv, struct err *err)
{
	const struct foreign_asker *asker = u->selector ? asker_of(u->format) : NULL;
	const struct foreign_wish wish = { u->selector, n, 0 };

	if (!asker)
		return 0;
	if (u->format == FORMAT_CATCH2)
		return err_set(err, ERR_CHILD, "Catch2 chooses the iterations itself");
	if (u->timed) {
		err_set(err, ERR_CHILD, "this google-benchmark chooses the iterations itself");
		return err_hint(err, "1.8 and later take a number of them");
	}
	return asker->run(&wish, argv, err);
}

int foreign_run_order(const struct unit *u, uint64_t n, uint64_t min_time_ns, struct strv *argv,
		      struct err *err)
{
	const struct foreign_asker *asker = u->selector ? asker_of(u->format) : NULL;
	const struct foreign_wish wish = { u->selector, u->timed ? 0 : n, min_time_ns };

	return asker ? asker->run(&wish, argv, err) : 0;
}
