#include "reporter/trend/render.h"

#include <string.h>

#include "lib/base/banned.h"

struct format {
	const char *name;
	int (*fn)(const struct trend *t, const struct render_options *opt, struct buf *out,
		  struct err *err);
};

#define ROW(name, description) { #name, trend_##name },
static const struct format formats[] = { TREND_FORMATS(ROW) };

static int unknown(const char *format, struct err *err)
{
	struct buf names = BUF_INIT;
	size_t i, n = sizeof(formats) / sizeof(formats[0]);

	for (i = 0; i < n; i++)
		buf_addf(&names, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", formats[i].name);
	err_set(err, ERR_USAGE, "unknown format '%s'", format);
	err_hint(err, "%s", buf_str(&names));
	buf_release(&names);
	return -1;
}

int trend_render(const char *format, const struct trend *t, const struct render_options *opt,
		 struct buf *out, struct err *err)
{
	static const struct render_options plain = RENDER_OPTIONS_INIT;
	size_t i, before = out->len;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (strcmp(formats[i].name, format))
			continue;
		if (!formats[i].fn(t, opt ? opt : &plain, out, err))
			return 0;
		buf_truncate(out, before);
		return -1;
	}
	return unknown(format, err);
}
