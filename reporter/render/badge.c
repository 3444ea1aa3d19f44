/*
 * badge.svg: what the newest result says, in two words.
 */
#include "reporter/figures/rows.h"
#include "reporter/render/render.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

#define LABEL "performance"
#define LETTER 6.6 /* pixels; textLength makes every font fit */
#define PAD 7.0

struct face {
	enum row_kind kind;
	const char *words, *colour; /* dark enough for white letters: contrast 4.5 or more */
};

/* The first of which there is one. */
static const struct face faces[] = {
	{ ROW_FAILED, "failed", "#b62324" },
	{ ROW_REGRESSED, "regressed", "#b62324" },
	{ ROW_SUSPECT, "suspect", "#8a5a00" },
	{ ROW_IMPROVED, "improved", "#1a7f37" },
	{ ROW_INCONCLUSIVE, "inconclusive", "#8a5a00" },
	{ ROW_ACCEPTED, "accepted", "#8a5a00" },
	{ ROW_UNCHANGED, "unchanged", "#1a7f37" },
	{ ROW_IDENTICAL, "identical", "#1a7f37" },
};

static const char *say(const struct rows *rows, struct buf *words)
{
	size_t i;

	for (i = 0; i < sizeof(faces) / sizeof(faces[0]); i++) {
		if (!rows->count[faces[i].kind])
			continue;
		buf_addf(words, "%zu %s", rows->count[faces[i].kind], faces[i].words);
		return faces[i].colour;
	}
	buf_adds(words, rows->n ? "no baseline" : "no benchmarks");
	return "#57606a";
}

static void add_text(double x, double width, const char *words, struct buf *out)
{
	buf_addf(out, "<text x=\"%.1f\" y=\"14\" textLength=\"%.1f\">", x, width);
	text_xml(words, out);
	buf_adds(out, "</text>\n");
}

int render_badge(const struct summary *s, const struct render_options *opt, struct buf *out,
		 struct err *err)
{
	double left = LETTER * text_width(LABEL), right;
	struct buf words = BUF_INIT;
	struct rows rows = { 0 };
	const char *colour;

	(void)opt;
	if (rows_of(s, &rows, err))
		return -1;
	colour = say(&rows, &words);
	right = LETTER * text_width(buf_str(&words));
	buf_addf(out,
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.1f\" height=\"20\" "
		 "role=\"img\" font-family=\"Verdana, DejaVu Sans, sans-serif\" font-size=\"11\" "
		 "fill=\"#fff\">\n<title>" LABEL ": ",
		 left + right + 4 * PAD);
	text_xml(buf_str(&words), out);
	buf_addf(out,
		 "</title>\n<rect width=\"%.1f\" height=\"20\" rx=\"3\" fill=\"%s\"/>\n"
		 "<path d=\"M3 0h%.1fv20h-%.1fa3 3 0 0 1 -3 -3v-14a3 3 0 0 1 3 -3z\" "
		 "fill=\"#444c56\"/>\n",
		 left + right + 4 * PAD, colour, left + 2 * PAD - 3, left + 2 * PAD - 3);
	add_text(PAD, left, LABEL, out);
	add_text(left + 3 * PAD, right, buf_str(&words), out);
	buf_adds(out, "</svg>\n");
	out->failed |= words.failed;
	buf_release(&words);
	rows_release(&rows);
	return 0;
}
