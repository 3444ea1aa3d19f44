/*
 * github-action-benchmark: its customSmallerIsBetter.  A metric of which more is better has no
 * place in that list and is left out.
 */
#include <math.h>

#include "lib/base/number.h"
#include "reporter/export/local.h"

#include "lib/base/banned.h"

static int add_entry(const struct summary *s, const struct bench *b, const struct metric *m,
		     struct jsonw *w, struct err *err)
{
	struct buf name = BUF_INIT, range = BUF_INIT;
	struct description d;
	char text[NUMBER_TEXT];

	(void)s;
	if (m->better != BETTER_LOWER)
		return 0;
	if (export_figures(b, m, &d, err))
		return -1;
	export_name(b, m, &name);
	jsonw_object(w);
	jsonw_kstring(w, "name", buf_str(&name));
	jsonw_kstring(w, "unit", m->unit);
	jsonw_knumber(w, "value", d.median);
	if (isfinite(d.sd)) {
		buf_addf(&range, "\xc2\xb1 %s", number_print(d.sd, text));
		jsonw_kstring(w, "range", buf_str(&range));
	}
	jsonw_object_end(w);
	w->out->failed |= name.failed || range.failed;
	buf_release(&name);
	buf_release(&range);
	return 0;
}

int export_github(const struct summary *s, bool is_first, struct buf *out, struct err *err)
{
	(void)is_first;
	return export_array(s, add_entry, out, err);
}
