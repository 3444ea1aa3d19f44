#include "server/others/told.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/jsonw.h"
#include "lib/base/number.h"
#include "lib/base/when.h"
#include "lib/digest/digest.h"
#include "lib/record/summary.h"
#include "lib/record/ulid.h"
#include "lib/stats/describe.h"

#include "lib/base/banned.h"

#define CONFIDENCE 0.95
#define MACHINE_BYTES 64
#define SHA1_DIGITS 40

int told_add(struct told *t, const struct told_metric *m, struct err *err)
{
	struct told_metric *more = realloc(t->metrics, (t->n + 1) * sizeof(*more));

	if (!more)
		return err_nomem(err);
	t->metrics = more;
	more[t->n++] = *m;
	return 0;
}

void told_release(struct told *t)
{
	free(t->metrics);
	free(t->name);
	*t = (struct told){ .n = 0 };
}

/* ---- values ----------------------------------------------------------------------------- */

static int fault(const struct told_metric *m, struct err *err, const char *what)
{
	return err_set(err, ERR_RANGE, "'%.80s', '%.40s': %s", m->benchmark, m->name, what);
}

double told_number(const struct jtree *at)
{
	const char *text = jtree_text(at);
	double x;

	return !text ? jtree_number(at) : number_double(text, &x) ? x : (double)NAN;
}

static int take_values(const struct told_metric *m, double **out, size_t *out_n, struct err *err)
{
	bool is_list = jtree_kind(m->values) == JTREE_ARRAY;
	size_t n = is_list ? jtree_count(m->values) : 1, i = 0;
	const struct jtree *at = is_list ? jtree_first(m->values) : m->values;
	double *x;

	if (!n || n > TOLD_MOST_VALUES)
		return fault(m, err, n ? "more than 4096 values" : "no value");
	x = calloc(n, sizeof(*x));
	if (!x)
		return err_nomem(err);
	for (; at && i < n; i++) {
		x[i] = told_number(at) * m->scale;
		if (!isfinite(x[i])) {
			free(x);
			return fault(m, err, "a value that is no finite number");
		}
		at = is_list ? jtree_after(m->values, at) : NULL;
	}
	*out = x;
	*out_n = n;
	return 0;
}

static void number_or_none(struct jsonw *w, const char *key, double said, double known)
{
	double value = isfinite(said) ? said : known;

	if (isfinite(value))
		jsonw_knumber(w, key, value);
}

/* One value has no spread of its own: what is said of it stands beside it, as it was said. */
static void write_figures(struct jsonw *w, const struct told_metric *m, const double *x, size_t n,
			  const struct description *d)
{
	bool is_one = n == 1;

	if (!is_one)
		jsonw_knumbers(w, "samples", x, n);
	jsonw_knumber(w, "mean", d->mean);
	jsonw_knumber(w, "median", d->median);
	number_or_none(w, "stddev", is_one ? m->stddev : (double)NAN, is_one ? (double)NAN : d->sd);
	number_or_none(w, "min", is_one ? m->min : (double)NAN, is_one ? (double)NAN : d->min);
	number_or_none(w, "max", is_one ? m->max : (double)NAN, is_one ? (double)NAN : d->max);
}

static int write_metric(struct jsonw *w, const struct told_metric *m, struct err *err)
{
	struct description d;
	double *x = NULL;
	size_t n = 0;
	int result = -1;

	if (take_values(m, &x, &n, err) || describe(x, n, CONFIDENCE, &d, err))
		goto out;
	jsonw_object(w);
	jsonw_kstring(w, "name", m->name);
	jsonw_kstring(w, "unit", m->unit);
	jsonw_kstring(w, "better", m->higher ? "higher" : "lower");
	write_figures(w, m, x, n, &d);
	jsonw_object_end(w);
	result = 0;
out:
	free(x);
	return result;
}

/* ---- benchmarks ------------------------------------------------------------------------- */

static int order_metrics(const void *a, const void *b)
{
	const struct told_metric *x = a, *y = b;
	int inner = strcmp(x->inner ? x->inner : "", y->inner ? y->inner : "");

	return inner ? inner : strcmp(x->benchmark, y->benchmark);
}

static bool is_same_benchmark(const struct told_metric *a, const struct told_metric *b)
{
	return !order_metrics(a, b);
}

static int write_name(struct jsonw *w, const struct told_metric *m, struct err *err)
{
	struct buf name = BUF_INIT;
	int result;

	if (m->inner && *m->inner)
		buf_addf(&name, "%s/", m->inner);
	buf_adds(&name, m->benchmark);
	result = buf_check(&name, err);
	if (!result)
		jsonw_kstring(w, "name", buf_str(&name));
	buf_release(&name);
	return result;
}

/* What decides: how long it runs, where that is said; else what is said first. */
static const char *gate_of(const struct told_metric *m, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!strcmp(m[i].name, "execution_time"))
			return m[i].name;
	return m->name;
}

/* The metrics of one benchmark, which stand next to each other. */
static int write_benchmark(struct jsonw *w, const struct told_metric *m, size_t n, struct err *err)
{
	size_t i;

	jsonw_object(w);
	if (write_name(w, m, err))
		return -1;
	jsonw_kstring(w, "status", "ok");
	jsonw_kstring(w, "gate", gate_of(m, n));
	jsonw_key(w, "metrics");
	jsonw_array(w);
	for (i = 0; i < n; i++)
		if (write_metric(w, &m[i], err))
			return -1;
	jsonw_array_end(w);
	jsonw_object_end(w);
	return 0;
}

/* Behind those of the benchmark of metric i, which stand next to each other. */
static size_t next_benchmark(const struct told *t, size_t i)
{
	size_t k = i + 1;

	while (k < t->n && is_same_benchmark(&t->metrics[i], &t->metrics[k]))
		k++;
	return k;
}

/* Whoever reads the document would refuse it, when all of it was written. */
static int check_limits(const struct told *t, struct err *err)
{
	size_t i, k, n = 0;

	for (i = 0; i < t->n; i = k) {
		k = next_benchmark(t, i);
		if (k - i > SUMMARY_MAX_METRICS)
			return err_set(err, ERR_LIMIT, "'%.80s' has more than %d metrics",
				       t->metrics[i].benchmark, SUMMARY_MAX_METRICS);
		if (++n > SUMMARY_MAX_BENCHMARKS)
			return err_set(err, ERR_LIMIT, "more than %d benchmarks of one revision",
				       SUMMARY_MAX_BENCHMARKS);
	}
	return 0;
}

static int write_benchmarks(struct jsonw *w, const struct told *t, struct err *err)
{
	size_t i, k, before = w->out->len;

	jsonw_key(w, "benchmarks");
	jsonw_array(w);
	for (i = 0; i < t->n; i = k) {
		k = next_benchmark(t, i);
		if (write_benchmark(w, &t->metrics[i], k - i, err))
			return -1;
		if (w->out->len - before > SUMMARY_MAX_BYTES)
			return err_set(err, ERR_LIMIT, "a summary of it has more than %u bytes",
				       SUMMARY_MAX_BYTES);
	}
	jsonw_array_end(w);
	return 0;
}

/* ---- the document ----------------------------------------------------------------------- */

static bool is_git_id(const char *text)
{
	size_t n = strlen(text);

	return (n == 40 || n == 64) && strspn(text, "0123456789abcdef") == n;
}

static int write_commit(struct jsonw *w, const struct told *t, const char *when, struct err *err)
{
	char digest[DIGEST_HEX];

	if (digest_of(t->revision, strlen(t->revision), digest, err))
		return -1;
	digest[SHA1_DIGITS] = '\0';
	jsonw_key(w, "commit");
	jsonw_object(w);
	jsonw_kstring(w, "id", is_git_id(t->revision) ? t->revision : digest);
	jsonw_key(w, "parents");
	jsonw_array(w);
	jsonw_array_end(w);
	jsonw_kstring(w, "branch", t->branch);
	jsonw_kstring(w, "subject", is_git_id(t->revision) ? NULL : t->revision);
	jsonw_kstring(w, "author_time", when);
	jsonw_kstring(w, "commit_time", when);
	jsonw_kbool(w, "dirty", false);
	jsonw_object_end(w);
	return 0;
}

/* A name that is too long for one is known by its digest. */
static int write_machine(struct jsonw *w, const char *name, struct err *err)
{
	char digest[DIGEST_HEX];

	if (digest_of(name, strlen(name), digest, err))
		return -1;
	jsonw_key(w, "machine");
	jsonw_object(w);
	jsonw_kstring(w, "id", strlen(name) > MACHINE_BYTES ? digest : name);
	jsonw_object_end(w);
	return 0;
}

/* Nothing is known of them. */
static void write_circumstances(struct jsonw *w)
{
	jsonw_key(w, "environment");
	jsonw_object(w);
	jsonw_key(w, "warnings");
	jsonw_array(w);
	jsonw_array_end(w);
	jsonw_object_end(w);
	jsonw_key(w, "settings");
	jsonw_object(w);
	jsonw_key(w, "runs");
	jsonw_array(w);
	jsonw_integer(w, 1);
	jsonw_integer(w, TOLD_MOST_VALUES);
	jsonw_array_end(w);
	jsonw_kinteger(w, "min_time_ns", 0);
	jsonw_knumber(w, "confidence", CONFIDENCE);
	jsonw_knumber(w, "threshold", 0.02);
	jsonw_object_end(w);
	jsonw_key(w, "baseline");
	jsonw_object(w);
	jsonw_kstring(w, "commit", NULL);
	jsonw_kstring(w, "how", NULL);
	jsonw_kstring(w, "why", NULL);
	jsonw_object_end(w);
}

static int write_all(struct jsonw *w, const struct told *t, const char *id, int64_t now_us,
		     struct err *err)
{
	char text[WHEN_ISO];
	const char *when = when_iso(t->when_us ? t->when_us : now_us, false, text);

	jsonw_object(w);
	jsonw_kstring(w, "schema", "pawl.summary/1");
	jsonw_kstring(w, "id", id);
	jsonw_kstring(w, "project", t->project);
	if (write_commit(w, t, when, err) || write_machine(w, t->machine, err))
		return -1;
	write_circumstances(w);
	jsonw_kstring(w, "started", when);
	jsonw_kstring(w, "finished", when);
	jsonw_kstring(w, "pawl", t->by);
	if (write_benchmarks(w, t, err))
		return -1;
	jsonw_object_end(w);
	return 0;
}

/* Of all but the time of receipt. */
static int make_id(const struct told *t, char out[ULID_TEXT], struct err *err)
{
	static const char none[ULID_TEXT] = "00000000000000000000000000";
	unsigned char bits[ULID_RANDOM];
	struct buf text = BUF_INIT;
	char digest[DIGEST_HEX];
	struct jsonw w;
	int result = -1;
	size_t i;

	jsonw_init(&w, &text, 0);
	if (write_all(&w, t, none, 1, err) || buf_check(&text, err) ||
	    digest_of(text.data, text.len, digest, err))
		goto out;
	for (i = 0; i < sizeof(bits); i++) {
		unsigned byte = 0;

		sscanf(digest + 2 * i, "%2x", &byte);
		bits[i] = (unsigned char)byte;
	}
	ulid_of((uint64_t)(t->when_us > 0 ? t->when_us : 0) / 1000, bits, out);
	result = 0;
out:
	buf_release(&text);
	return result;
}

int told_write(const struct told *t, int64_t now_us, struct buf *out, struct err *err)
{
	char id[ULID_TEXT];
	struct jsonw w;

	if (!t->n)
		return err_set(err, ERR_RANGE, "there is no result in it");
	qsort(t->metrics, t->n, sizeof(*t->metrics), order_metrics);
	if (check_limits(t, err) || make_id(t, id, err))
		return -1;
	jsonw_init(&w, out, 0);
	return write_all(&w, t, id, now_us, err) ? -1 : buf_check(out, err);
}
