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

void layout_calibration_read(struct reader *r, const struct jtree *parent,
			     struct layout_calibration *out, char **out_metric)
{
	const struct jtree *o = reader_object(r, parent, "layouts", MAY);
	size_t outer = reader_enter(r, "layouts");
	struct layout_calibration l = { 0 };
	int64_t n = 0;

	if (o) {
		reader_integer(r, o, "n", NEED, 2, SUMMARY_MAX_SAMPLES, &n);
		if (out_metric)
			reader_string(r, o, "metric", NEED, SUMMARY_MAX_NAME, out_metric);
		reader_number(r, o, "spread", NEED, &l.spread);
		reader_number(r, o, "low", NEED, &l.low);
		reader_number(r, o, "high", NEED, &l.high);
		reader_number(r, o, "floor", NEED, &l.floor);
		reader_number(r, o, "scatter", NEED, &l.scatter);
		check(r, &l);
		l.n = (int)n;
		if (!reader_failed(r))
			*out = l;
	}
	reader_leave(r, outer);
}
