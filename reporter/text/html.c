#include "reporter/text/html.h"

#include <string.h>

#include "reporter/text/text.h"

#include "lib/base/banned.h"

const char html_head[] = HTML_BEGIN "<meta http-equiv=\"Content-Security-Policy\" "
				    "content=\"default-src 'none'; "
				    "style-src 'unsafe-inline'\">\n";

void html_value(const char *raw, struct buf *out)
{
	for (; *raw; raw++) {
		unsigned char c = (unsigned char)*raw;

		if (c < 0x20 || c == 0x7f || strchr("&<>\"'", c))
			buf_addf(out, "&#%d;", c);
		else
			buf_addc(out, *raw);
	}
}

void html_title(const char *raw, struct buf *out)
{
	buf_adds(out, "<title>");
	text_xml(raw, out);
	buf_adds(out, "</title>\n");
}

void html_home(const char *file, struct buf *out)
{
	if (!file)
		return;
	buf_adds(out, "<p><a href=\"");
	text_xml(file, out);
	buf_adds(out, "\">All benchmarks</a></p>\n");
}

void html_text(struct buf *raw, struct buf *out)
{
	text_xml(buf_str(raw), out);
	out->failed |= raw->failed;
	buf_reset(raw);
}
