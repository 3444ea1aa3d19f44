#include "reporter/text/text.h"

#include <string.h>
#include <strings.h>

#include "lib/base/strv.h"

#include "lib/base/banned.h"

static bool add_entity(char c, struct buf *out)
{
	switch (c) {
	case '&':
		buf_adds(out, "&amp;");
		return true;
	case '<':
		buf_adds(out, "&lt;");
		return true;
	case '>':
		buf_adds(out, "&gt;");
		return true;
	case '"':
		buf_adds(out, "&quot;");
		return true;
	case '\'':
		buf_adds(out, "&#39;");
		return true;
	default:
		return false;
	}
}

void text_xml(const char *text, struct buf *out)
{
	struct buf visible = BUF_INIT;
	const char *p;

	text_visible(text, true, &visible);
	for (p = buf_str(&visible); *p; p++)
		if (!add_entity(*p, out))
			buf_addc(out, *p);
	out->failed |= visible.failed;
	buf_release(&visible);
}

/*
 * Two kinds of defence: a backslash or an entity stops the Markdown parser; it does not stop
 * the filters that look for mentions and issues in the finished page, which a zero-width
 * space (&#8203;) does.
 */
static void add_markdown(const char *p, const char *start, struct buf *out)
{
	switch (*p) {
	case '@':
	case '#':
		buf_addf(out, "%c&#8203;", *p);
		return;
	case '|': /* an entity, because a backslash is read twice inside a table */
		buf_adds(out, "&#124;");
		return;
	case ':':
		buf_adds(out, str_starts(p, "://") ? "&#58;" : ":");
		return;
	case '.':
		buf_adds(out, p - start >= 3 && !strncasecmp(p - 3, "www", 3) ? "&#46;" : ".");
		return;
	default:
		if (add_entity(*p, out))
			return;
		if (strchr("\\`*_{}[]()!~$^", *p))
			buf_addc(out, '\\');
		buf_addc(out, *p);
	}
}

void text_markdown(const char *text, struct buf *out)
{
	struct buf visible = BUF_INIT;
	const char *start, *p;

	text_visible(text, true, &visible);
	start = buf_str(&visible);
	for (p = start; *p; p++)
		add_markdown(p, start, out);
	out->failed |= visible.failed;
	buf_release(&visible);
}
