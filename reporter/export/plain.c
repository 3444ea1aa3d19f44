/* json and csv: what pawl itself writes, for several commits. */
#include "reporter/export/local.h"
#include "reporter/render/csv.h"

#include "lib/base/banned.h"

int export_json(const struct summary *s, bool is_first, struct buf *out, struct err *err)
{
	(void)is_first;
	if (summary_encode(s, 0, out, err))
		return -1;
	if (out->len && out->data[out->len - 1] != '\n')
		buf_addc(out, '\n');
	return buf_check(out, err);
}

int export_csv(const struct summary *s, bool is_first, struct buf *out, struct err *err)
{
	if (is_first)
		render_csv_titles(out);
	return render_csv_rows(s, out, err);
}
