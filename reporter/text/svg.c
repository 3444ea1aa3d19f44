#include "reporter/text/svg.h"

#include "reporter/text/text.h"

#include "lib/base/banned.h"

void svg_open(int top, int width, int height, struct buf *out)
{
	buf_addf(out,
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 %d %d %d\" width=\"%d\" "
		 "height=\"%d\" role=\"img\" font-family=\"system-ui, sans-serif\">\n",
		 top, width, height, width, height);
}

void svg_describe(const struct buf *title, const struct buf *description, struct buf *out)
{
	buf_adds(out, "<title>");
	text_xml(buf_str(title), out);
	buf_adds(out, "</title>\n<desc>");
	text_xml(buf_str(description), out);
	buf_adds(out, "</desc>\n");
	out->failed |= title->failed || description->failed;
}

void svg_words(double x, double y, const char *rest, const char *words, int columns,
	       struct buf *out)
{
	struct buf visible = BUF_INIT, cut = BUF_INIT;

	text_visible(words, true, &visible);
	text_cut(buf_str(&visible), columns, true, &cut);
	buf_addf(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, rest);
	text_xml(buf_str(&cut), out);
	buf_adds(out, "</text>\n");
	out->failed |= visible.failed || cut.failed;
	buf_release(&visible);
	buf_release(&cut);
}

void svg_text(double x, double y, const char *rest, struct buf *raw, int columns, struct buf *out)
{
	svg_words(x, y, rest, buf_str(raw), columns, out);
	out->failed |= raw->failed;
	buf_reset(raw);
}

void svg_line(const char *class, double x1, double y1, double x2, double y2, const char *rest,
	      struct buf *out)
{
	buf_addf(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"%s/>\n",
		 class, x1, y1, x2, y2, rest);
}
