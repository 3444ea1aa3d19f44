#include "reporter/text/badge.h"

#include "reporter/text/text.h"

#include "lib/base/banned.h"

#define LETTER 6.6 /* pixels; textLength makes every font fit */
#define PAD 7.0

static void add_text(double x, double width, const char *words, struct buf *out)
{
	buf_addf(out, "<text x=\"%.1f\" y=\"14\" textLength=\"%.1f\">", x, width);
	text_xml(words, out);
	buf_adds(out, "</text>\n");
}

void badge_svg(const char *label, const char *words, const char *colour, struct buf *out)
{
	double left, right;
	struct buf a = BUF_INIT, b = BUF_INIT;

	text_visible(label, true, &a);
	text_visible(words, true, &b);
	left = LETTER * text_width(buf_str(&a));
	right = LETTER * text_width(buf_str(&b));
	buf_addf(out,
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.1f\" height=\"20\" "
		 "role=\"img\" font-family=\"Verdana, DejaVu Sans, sans-serif\" font-size=\"11\" "
		 "fill=\"#fff\">\n<title>",
		 left + right + 4 * PAD);
	text_xml(label, out);
	buf_adds(out, ": ");
	text_xml(words, out);
	buf_addf(out,
		 "</title>\n<rect width=\"%.1f\" height=\"20\" rx=\"3\" fill=\"%s\"/>\n"
		 "<path d=\"M3 0h%.1fv20h-%.1fa3 3 0 0 1 -3 -3v-14a3 3 0 0 1 3 -3z\" "
		 "fill=\"#444c56\"/>\n",
		 left + right + 4 * PAD, colour, left + 2 * PAD - 3, left + 2 * PAD - 3);
	add_text(PAD, left, label, out);
	add_text(left + 3 * PAD, right, words, out);
	buf_adds(out, "</svg>\n");
	out->failed |= a.failed || b.failed;
	buf_release(&a);
	buf_release(&b);
}
