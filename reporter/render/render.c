#include "reporter/render/render.h"

#include <string.h>

#include "lib/base/banned.h"

#define ROW(name, description) { #name, description, render_##name },
static const struct render_format formats[] = { RENDER_FORMATS(ROW) };

const struct render_format *render_format_at(size_t i)
{
	return i < sizeof(formats) / sizeof(formats[0]) ? &formats[i] : NULL;
}

const struct render_format *render_format_find(const char *name)
{
	const struct render_format *format;
	size_t i;

	for (i = 0; (format = render_format_at(i)); i++)
		if (!strcmp(format->name, name))
			return format;
	return NULL;
}

static int unknown_format(const char *name, struct err *err)
{
	const struct render_format *format;
	struct buf names = BUF_INIT;
	size_t i;

	err_set(err, ERR_USAGE, "unknown format '%s'", name);
	for (i = 0; (format = render_format_at(i)); i++)
		buf_addf(&names, "%s%s", i ? ", " : "", format->name);
	err_hint(err, "the formats are: %s", buf_str(&names));
	buf_release(&names);
	return -1;
}

int render(const char *format, const struct summary *s, const struct render_options *opt,
	   struct buf *out, struct err *err)
{
	static const struct render_options defaults = RENDER_OPTIONS_INIT;
	const struct render_format *found = render_format_find(format);
	size_t before = out->len;

	if (!found)
		return unknown_format(format, err);
	if (!found->fn(s, opt ? opt : &defaults, out, err) && !buf_check(out, err))
		return 0;
	buf_truncate(out, before);
	return -1;
}
