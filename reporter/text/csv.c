#include "reporter/text/csv.h"

#include <math.h>
#include <string.h>

#include "lib/base/number.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

void csv_text(const char *raw, struct buf *out)
{
	struct buf visible = BUF_INIT;
	const char *p;

	text_visible(raw, true, &visible);
	p = buf_str(&visible);
	buf_addc(out, '"');
	if (*p && strchr("=+-@", *p))
		buf_addc(out, '\'');
	for (; *p; p++) {
		if (*p == '"')
			buf_addc(out, '"');
		buf_addc(out, *p);
	}
	buf_addc(out, '"');
	out->failed |= visible.failed;
	buf_release(&visible);
}

void csv_number(double value, struct buf *out)
{
	char text[NUMBER_TEXT];

	buf_addc(out, ',');
	if (isfinite(value))
		buf_adds(out, number_print(value, text));
}

void csv_difference(const struct delta *d, struct buf *out)
{
	bool has = d && d->by_difference;

	csv_number(has ? d->difference : (double)NAN, out);
	csv_number(has ? d->difference_low : (double)NAN, out);
	csv_number(has ? d->difference_high : (double)NAN, out);
}
