#include "reporter/parts/missing.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

#define MOST_NAMES 8 /* of metrics in one line */

struct missing {
	const char *reason, *name;
	size_t at;	       /* place in the document */
	const char *benchmark; /* the first that lacks it */
	size_t n;	       /* benchmarks that lack it for this reason */
	bool elsewhere;	       /* others have it */
};

static int by_reason(const void *a, const void *b)
{
	const struct missing *x = a, *y = b;
	int order = strcmp(x->reason, y->reason);

	if (!order)
		order = strcmp(x->name, y->name);
	return order ? order : (x->at > y->at) - (x->at < y->at);
}

static int by_place(const void *a, const void *b)
{
	const struct missing *x = a, *y = b;
	int order = strcmp(x->reason, y->reason);

	return order ? order : (x->at > y->at) - (x->at < y->at);
}

static const char *reason_of(const struct metric *m)
{
	if (m->reason && *m->reason)
		return m->reason;
	return m->state == METRIC_ABSENT      ? "this machine does not offer it"
	       : m->state == METRIC_FORBIDDEN ? "the system refuses it to this user"
					      : "it was never scheduled";
}

static bool is_measured(const struct metric *m)
{
	return m->state == METRIC_OK || m->state == METRIC_SCALED;
}

static bool is_measured_somewhere(const struct summary *s, const char *name)
{
	size_t i, k;

	for (i = 0; i < s->n_benchmarks; i++)
		for (k = 0; k < s->benchmarks[i].n_metrics; k++)
			if (is_measured(&s->benchmarks[i].metrics[k]) &&
			    !strcmp(s->benchmarks[i].metrics[k].name, name))
				return true;
	return false;
}

/* Joins those of one reason and name, which stand behind each other; how many are left. */
static size_t join_missing(const struct summary *s, struct missing *all, size_t n)
{
	size_t kept = 0, i;

	for (i = 0; i < n; i++) {
		struct missing *last = kept ? &all[kept - 1] : NULL;

		if (last && !strcmp(all[i].reason, last->reason) &&
		    !strcmp(all[i].name, last->name)) {
			last->n++;
			continue;
		}
		all[kept] = all[i];
		all[kept].elsewhere = is_measured_somewhere(s, all[i].name);
		kept++;
	}
	return kept;
}

/*
 * All metrics without a value, each name once per reason, by reason, then as they came; on the
 * heap.  NULL with ERR_NOMEM.
 */
static struct missing *collect_missing(const struct summary *s, size_t *out_n, struct err *err)
{
	struct missing *all;
	size_t n = 0, i, k;

	for (i = 0; i < s->n_benchmarks; i++)
		n += s->benchmarks[i].n_metrics;
	all = calloc(n + 1, sizeof(*all));
	if (!all) {
		err_nomem(err);
		return NULL;
	}
	for (i = n = 0; i < s->n_benchmarks; i++) {
		for (k = 0; k < s->benchmarks[i].n_metrics; k++) {
			const struct metric *m = &s->benchmarks[i].metrics[k];

			if (is_measured(m))
				continue;
			all[n] = (struct missing){ .reason = reason_of(m),
						   .name = m->name,
						   .at = n,
						   .benchmark = s->benchmarks[i].name,
						   .n = 1 };
			n++;
		}
	}
	qsort(all, n, sizeof(*all), by_reason);
	*out_n = join_missing(s, all, n);
	qsort(all, *out_n, sizeof(*all), by_place);
	return all;
}

/* "cycles, allocs in lat, 2 more (REASON)" of m[0..n), which share it. */
static int add_reason(const struct missing *m, size_t n, struct strv *out, struct err *err)
{
	struct buf line = BUF_INIT;
	size_t i, shown = n > MOST_NAMES ? MOST_NAMES : n;
	int rc;

	buf_adds(&line, "not measured: ");
	for (i = 0; i < shown; i++) {
		buf_addf(&line, "%s%s", i ? ", " : "", m[i].name);
		if (m[i].elsewhere && m[i].n == 1)
			buf_addf(&line, " in %s", m[i].benchmark);
		else if (m[i].elsewhere)
			buf_addf(&line, " in %zu benchmarks", m[i].n);
	}
	if (shown < n)
		buf_addf(&line, ", %zu more", n - shown);
	buf_addf(&line, " (%s)", m[0].reason);
	rc = buf_check(&line, err);
	if (!rc)
		rc = strv_add(out, buf_str(&line), err);
	buf_release(&line);
	return rc;
}

int missing_add(const struct summary *s, struct strv *out, struct err *err)
{
	size_t n = 0, from, to;
	struct missing *all = collect_missing(s, &n, err);
	int rc = all ? 0 : -1;

	for (from = 0; from < n && !rc; from = to) {
		for (to = from + 1; to < n && !strcmp(all[to].reason, all[from].reason); to++)
			;
		rc = add_reason(&all[from], to - from, out, err);
	}
	free(all);
	return rc;
}
