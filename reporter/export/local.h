/*
 * export_local - what the forms share.
 */
#ifndef PAWL_REPORTER_EXPORT_LOCAL_H
#define PAWL_REPORTER_EXPORT_LOCAL_H

#include "lib/base/jsonw.h"
#include "lib/stats/describe.h"
#include "reporter/export/export.h"

#define EXPORT_ENCODE(name) \
	int export_##name(const struct summary *s, bool is_first, struct buf *out, struct err *err)

EXPORT_ENCODE(json);
EXPORT_ENCODE(csv);
EXPORT_ENCODE(bencher);
EXPORT_ENCODE(codespeed);
EXPORT_ENCODE(lnt);
EXPORT_ENCODE(github);
EXPORT_ENCODE(influx);
EXPORT_ENCODE(pushgateway);
EXPORT_ENCODE(google);
EXPORT_ENCODE(benchstat);

int export_bencher_wrap(const struct summary *s, const struct buf *document, struct buf *out,
			struct err *err);
int export_codespeed_wrap(const struct summary *s, const struct buf *document, struct buf *out,
			  struct err *err);
int export_pushgateway_path(const struct summary *s, struct buf *out, struct err *err);

/* Whether there is something to export: a metric with samples of a head that did not fail. */
bool export_has(const struct bench *b, const struct metric *m);

/* The same, or figures that came without samples. */
bool export_has_figures(const struct bench *b, const struct metric *m);

/*
 * Figures of the head's samples, the mean's interval at 95 %, of which export_has_figures(); NaN
 * but for mean and median where they came without samples and one was not told. Errors: those of
 * describe().
 */
int export_figures(const struct bench *b, const struct metric *m, struct description *out,
		   struct err *err);

/* Writes one metric of which export_has_figures() is true; it may leave it out. */
typedef int export_metric_fn(const struct summary *s, const struct bench *b, const struct metric *m,
			     struct jsonw *w, struct err *err);
/* A document that is one array of all metrics.  Errors: those of add; ERR_NOMEM. */
int export_array(const struct summary *s, export_metric_fn *add, struct buf *out, struct err *err);

/* The benchmark's name for its gate metric; "NAME METRIC" for the others. */
void export_name(const struct bench *b, const struct metric *m, struct buf *out);

/* A number below 2^28 from the commit's id: tells commits of one second apart. */
unsigned long export_place(const struct summary *s);

#endif
