#include "reporter/render/render.h"

#include "lib/base/banned.h"

int render_json(const struct summary *s, const struct render_options *opt, struct buf *out,
		struct err *err)
{
	(void)opt;
	if (summary_encode(s, 2, out, err))
		return -1;
	if (out->len > 0 && out->data[out->len - 1] != '\n')
		buf_addc(out, '\n');
	return 0;
}
