#include "lib/record/layout_calibration.h"

#include <math.h>

#include "lib/base/banned.h"

void layout_calibration_write(struct jsonw *w, const struct layout_calibration *l,
			      const char *metric)
{
	if (!l->n)
		return;
	jsonw_key(w, "layouts");
	jsonw_object(w);
	jsonw_kinteger(w, "n", l->n);
	if (metric)
		jsonw_kstring(w, "metric", metric);
	jsonw_knumber(w, "spread", l->spread);
	jsonw_knumber(w, "low", l->low);
	jsonw_knumber(w, "high", l->high);
	jsonw_knumber(w, "floor", l->floor);
	jsonw_knumber(w, "scatter", l->scatter);
	jsonw_object_end(w);
}

static void check(struct reader *r, const struct layout_calibration *l)
{
	if (reader_failed(r))
		return;
	if (!(l->low >= 0 && l->low <= l->spread))
		reader_fault(r, ERR_RANGE, "low", "must be from 0 to spread");
	else if (!(l->high >= l->spread))
		reader_fault(r, ERR_RANGE, "high", "must not be less than spread");
	else if (!(l->floor >= 0))
		reader_fault(r, ERR_RANGE, "floor", "must not be negative");
	else if (!(l->scatter >= 0))
		reader_fault(r, ERR_RANGE, "scatter", "must not be negative");
}

void layout_calibration_read(struct reader *r, struct layout_calibration *out, char **out_metric)
{
	struct layout_calibration l = { 0 };
	bool has_n = false, spread = false, low = false, high = false, floor = false,
	     scatter = false;
	int64_t n = 0;

	if (!reader_object(r))
		return;
	while (reader_next(r)) {
		if (reader_at(r, "n"))
			has_n = reader_integer(r, 2, SUMMARY_MAX_SAMPLES, &n);
		else if (out_metric && reader_at(r, "metric"))
			reader_string(r, SUMMARY_MAX_NAME, out_metric);
		else if (reader_at(r, "spread"))
			spread = reader_number(r, &l.spread);
		else if (reader_at(r, "low"))
			low = reader_number(r, &l.low);
		else if (reader_at(r, "high"))
			high = reader_number(r, &l.high);
		else if (reader_at(r, "floor"))
			floor = reader_number(r, &l.floor);
		else if (reader_at(r, "scatter"))
			scatter = reader_number(r, &l.scatter);
	}
	reader_need(r, has_n, "n");
	reader_need(r, !out_metric || *out_metric, "metric");
	reader_need(r, spread, "spread");
	reader_need(r, low, "low");
	reader_need(r, high, "high");
	reader_need(r, floor, "floor");
	reader_need(r, scatter, "scatter");
	check(r, &l);
	l.n = (int)n;
	if (!reader_failed(r))
		*out = l;
	reader_leave(r);
}
