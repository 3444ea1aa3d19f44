#include "server/answer/check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/stats/describe.h"
#include "lib/stats/sample.h"

#include "lib/base/banned.h"

/* What two programs may differ in the last digits, as part of the largest value. */
#define ROUNDING 1e-6
#define RATE_ROUNDING 1e-5 /* six digits, as printf() writes them */
#define LARGE 1e100

/* Where the checked metric stands. */
struct place {
	size_t bench, metric;
};

__attribute__((format(printf, 4, 5))) static int fault(const struct place *at, const char *key,
						       struct err *err, const char *fmt, ...)
{
	char what[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return err_set(err, ERR_RANGE, "benchmarks[%zu].metrics[%zu].%s: %s", at->bench, at->metric,
		       key, what);
}

/* Absent figures are NaN, and in order with everything. */
static bool is_beyond(double low, double high, double slack)
{
	return low > high + slack;
}

static int check_mean(const struct metric *m, const struct place *at, double slack, struct err *err)
{
	if (!is_beyond(m->ci_low, m->mean, slack) && !is_beyond(m->mean, m->ci_high, slack))
		return 0;
	return fault(at, "mean", err, "%.9g lies outside its interval, %.9g to %.9g", m->mean,
		     m->ci_low, m->ci_high);
}

static int check_order(const struct metric *m, const struct place *at, double slack,
		       struct err *err)
{
	const struct {
		const char *key;
		double value;
	} inner[] = { { "mean", m->mean }, { "median", m->median }, { "p99", m->p99 } };
	size_t i;

	if (is_beyond(m->min, m->max, slack))
		return fault(at, "min", err, "%.9g is more than the max, %.9g", m->min, m->max);
	for (i = 0; i < sizeof(inner) / sizeof(inner[0]); i++)
		if (is_beyond(m->min, inner[i].value, slack) ||
		    is_beyond(inner[i].value, m->max, slack))
			return fault(at, inner[i].key, err,
				     "%.9g lies outside min and max, %.9g to %.9g", inner[i].value,
				     m->min, m->max);
	return 0;
}

/* What is so large that a square may not fit needs a closer look. */
static int check_size(const struct metric *m, const struct place *at, double most,
		      double confidence, struct err *err)
{
	struct description d;

	if (most < LARGE || !describe(m->samples, m->n, confidence, &d, err))
		return 0;
	return err && err->code == ERR_NOMEM ? -1 : fault(at, "samples", err, "are too large");
}

/*
 * There are as many definitions as programs.  All lie between the values of the ranks n p, rounded
 * down, and (n + 1) p, rounded up (Hyndman and Fan, Amer. Statist. 50 (1996) 361-365).
 */
static int check_p99(const struct metric *m, const struct place *at, double slack, struct err *err)
{
	size_t lowest = m->n * 99 / 100, highest = ((m->n + 1) * 99 + 99) / 100;
	size_t i, above = 0, below = 0;

	for (i = 0; i < m->n; i++) {
		above += is_beyond(m->samples[i], m->p99, slack);
		below += is_beyond(m->p99, m->samples[i], slack);
	}
	if (m->n - above < lowest)
		return fault(at, "p99", err, "%.9g is less than %zu of %zu samples", m->p99, above,
			     m->n);
	if (below >= highest)
		return fault(at, "p99", err, "%.9g is more than %zu of %zu samples", m->p99, below,
			     m->n);
	return 0;
}

/* That of the mean, or a mean of those of the runs: no faster than the fastest, nor slower. */
static int check_rate(const struct metric *m, const struct place *at, const struct middle *d,
		      struct err *err)
{
	double least = 1e9 / d->max, most = 1e9 / d->min, rate = m->throughput_per_s;

	if (strcmp(m->unit, "ns") != 0 || !(d->min > 0) ||
	    (!is_beyond(least, rate, RATE_ROUNDING * rate) &&
	     !is_beyond(rate, most, RATE_ROUNDING * most)))
		return 0;
	return fault(at, "throughput_per_s", err, "is %.9g, but of the samples %.9g to %.9g", rate,
		     least, most);
}

/* One sample has none; of what may be too large for a square it is not known. */
static double spread_of(const struct metric *m, double most)
{
	if (most >= LARGE)
		return (double)NAN;
	return m->n > 1 ? sqrt(sample_squares(m->samples, m->n) / (double)(m->n - 1)) : 0;
}

static int check_samples(const struct metric *m, const struct place *at, double most,
			 double confidence, struct err *err)
{
	double slack = ROUNDING * most;
	struct middle d;
	size_t i;

	if (check_size(m, at, most, confidence, err) || describe_middle(m->samples, m->n, &d, err))
		return -1;
	const struct {
		const char *key;
		double told, is;
	} figures[] = { { "mean", m->mean, d.mean },
			{ "median", m->median, d.median },
			{ "min", m->min, d.min },
			{ "max", m->max, d.max },
			{ "stddev", m->stddev, spread_of(m, most) } };
	for (i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		if (fabs(figures[i].told - figures[i].is) > slack)
			return fault(at, figures[i].key, err, "is %.9g, but of the samples %.9g",
				     figures[i].told, figures[i].is);
	return check_p99(m, at, slack, err) || check_rate(m, at, &d, err) ? -1 : 0;
}

static double largest(const struct metric *m)
{
	double most = fmax(fabs(m->mean), fmax(fabs(m->min), fabs(m->max)));
	size_t i;

	for (i = 0; i < m->n; i++)
		most = fabs(m->samples[i]) > most ? fabs(m->samples[i]) : most;
	return most;
}

static int check_metric(const struct metric *m, const struct place *at, double confidence,
			struct err *err)
{
	double most, slack;

	if (m->n_differs)
		return fault(at, "n", err, "is not the number of samples, %zu", m->n);
	if (!m->described)
		return 0;
	most = largest(m);
	slack = ROUNDING * most;
	if ((m->n && check_samples(m, at, most, confidence, err)) || check_order(m, at, slack, err))
		return -1;
	return check_mean(m, at, slack, err);
}

/* git takes no such name; a key of an index has to hold it, and PostgreSQL's hold 2704 bytes. */
static int check_branch(const char *branch, struct err *err)
{
	if (!branch || strlen(branch) <= CHECK_MOST_BRANCH)
		return 0;
	return err_set(err, ERR_RANGE, "commit.branch: longer than %d bytes", CHECK_MOST_BRANCH);
}

/* Browsers and proxies take it for a step in the path, however it is encoded. */
static int check_project(const char *project, struct err *err)
{
	if (strcmp(project, ".") != 0 && strcmp(project, "..") != 0)
		return 0;
	return err_set(err, ERR_RANGE, "project: '%s' cannot be part of an address", project);
}

int check_figures(const struct summary *s, struct err *err)
{
	double told = s->settings.confidence;
	double confidence = told > 0 && told < 1 ? told : 0.95;
	struct place at;

	if (s->sides.base)
		return err_set(err, ERR_RANGE,
			       "sides: two builds or commands are no result of a commit");
	if (check_project(s->project, err) || check_branch(s->commit.branch, err))
		return -1;
	for (at.bench = 0; at.bench < s->n_benchmarks; at.bench++) {
		const struct bench *b = &s->benchmarks[at.bench];

		for (at.metric = 0; at.metric < b->n_metrics; at.metric++)
			if (check_metric(&b->metrics[at.metric], &at, confidence, err))
				return -1;
	}
	return 0;
}
