/* Hostile text made safe: for a line, an XML file, a Markdown page. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/base/strv.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

/* The length of the entity at p, or 0. */
static size_t entity(const char *p)
{
	static const char *const known[] = { "&amp;", "&lt;",  "&gt;",	 "&quot;", "&#39;",
					     "&#58;", "&#46;", "&#124;", "&#8203;" };
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (str_starts(p, known[i]))
			return strlen(known[i]);
	return 0;
}

/* No log may take a part of it for a command. */
static void hold_line(const char *line)
{
	const char *p;

	must(!strstr(line, "##"));
	for (p = strstr(line, "::"); p; p = strstr(p + 1, "::"))
		must(p > line && p[-1] != ' ');
}

static void hold_xml(const char *xml)
{
	const char *p;

	must(fuzz_is_plain(xml, true));
	for (p = xml; *p; p++) {
		must(!strchr("<>\"'", *p));
		must(*p != '&' || entity(p));
	}
}

static void hold_markdown(const char *page)
{
	const char *p = page;

	must(fuzz_is_plain(page, true));
	while (*p) {
		if (*p == '&') {
			must(entity(p));
			p += entity(p);
		} else if (*p == '\\') {
			must(p[1] && strchr("\\`*_{}[]()!~$^", p[1]));
			p += 2;
		} else {
			must(!strchr("<>\"'|`*_{}[]()!~$^", *p));
			must(!strchr("@#", *p) || str_starts(p + 1, "&#8203;"));
			must(!str_starts(p, "://"));
			p++;
		}
	}
}

static void hold_layout(const char *line, int width)
{
	struct buf cut = BUF_INIT, wrapped = BUF_INIT;

	text_cut(line, width, true, &cut);
	must(text_width(buf_str(&cut)) <= width);
	must(fuzz_is_plain(buf_str(&cut), true));
	text_wrap(line, width, "* ", "  ", &wrapped);
	must(wrapped.len && wrapped.data[wrapped.len - 1] == '\n');
	buf_release(&cut);
	buf_release(&wrapped);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct buf out = BUF_INIT;
	char *text = fuzz_string(data, n);

	fuzz_accept();
	text_visible(text, false, &out);
	must(fuzz_is_plain(buf_str(&out), false));
	hold_line(buf_str(&out));
	buf_reset(&out);
	text_visible(text, true, &out);
	must(fuzz_is_plain(buf_str(&out), true));
	hold_line(buf_str(&out));
	hold_layout(buf_str(&out), n ? data[0] % 100 : 0);
	buf_reset(&out);
	text_xml(text, &out);
	hold_xml(buf_str(&out));
	buf_reset(&out);
	text_markdown(text, &out);
	hold_markdown(buf_str(&out));
	buf_release(&out);
	free(text);
	return 0;
}
