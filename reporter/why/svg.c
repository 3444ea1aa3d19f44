#include <math.h>

#include "reporter/figures/cells.h"
#include "reporter/figures/scale.h"
#include "reporter/text/svg.h"
#include "reporter/why/view.h"

#include "lib/base/banned.h"

#define WIDTH 790  /* room for the figure beside the longest bar */
#define LEFT 24.0  /* of the names */
#define AXIS 470.0 /* of the bars: nothing is added, nothing saved */
#define REACH 150.0
#define TOP 84.0
#define ROW 26.0
#define SHOWN 15
#define NAME_COLUMNS 36

/* Red adds and stands right of the axis, green saves and stands left: colour is not needed. */
static const char style[] = "<style>\n"
			    ".why-ground{fill:#ffffff}\n"
			    ".why-text{fill:#1f2328}.why-soft{fill:#59636e}\n"
			    ".why-axis{stroke:#8c959f}\n"
			    ".why-more{fill:#cf222e}.why-less{fill:#1a7f37}\n"
			    "@media (prefers-color-scheme:dark){\n"
			    ".why-ground{fill:#0d1117}\n"
			    ".why-text{fill:#e6edf3}.why-soft{fill:#9198a1}\n"
			    ".why-axis{stroke:#656c76}\n"
			    ".why-more{fill:#f85149}.why-less{fill:#3fb950}\n"
			    "}\n"
			    "</style>\n";

static void add_row(const struct why_function *f, size_t i, double most, struct buf *out)
{
	double y = TOP + ROW * (double)i, length = REACH * fabs(f->d->delta) / most;
	bool more = f->d->delta > 0;
	struct buf figure = BUF_INIT;

	length = length < 1 ? 1 : length;
	svg_words(LEFT, y + 15, "class=\"why-text\" font-size=\"13\"", why_name(f), NAME_COLUMNS,
		  out);
	buf_addf(out,
		 "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"16\" "
		 "rx=\"2\"/>\n",
		 more ? "why-more" : "why-less", more ? AXIS : AXIS - length, y + 2, length);
	why_delta(f->d->delta, &figure);
	if (isfinite(f->share)) {
		buf_adds(&figure, " (");
		why_share(f->share, &figure);
		buf_addc(&figure, ')');
	}
	svg_words(more ? AXIS + length + 6 : AXIS + 6, y + 15,
		  "class=\"why-soft\" font-size=\"12\"", buf_str(&figure), 24, out);
	out->failed |= figure.failed;
	buf_release(&figure);
}

static void add_title(const struct why_view *v, struct buf *out)
{
	struct buf title = BUF_INIT, line = BUF_INIT;

	buf_addf(&title, "%s: ", v->why->benchmark);
	cell_commit(v->why->base.commit, &title);
	buf_adds(&title, "..");
	cell_commit(v->why->head.commit, &title);
	buf_adds(&line, v->sentence);
	svg_describe(&title, &line, out);
	buf_reset(&line);
	buf_addf(out, "%s<rect class=\"why-ground\" width=\"100%%\" height=\"100%%\"/>\n", style);
	svg_words(LEFT, 32, "class=\"why-text\" font-size=\"16\" font-weight=\"600\"",
		  buf_str(&title), 76, out);
	if (v->why->identical) {
		buf_adds(&line, "the same machine code");
	} else {
		buf_addf(&line, "%s: ", why_unit(v->why));
		scale_value(v->diff.base, "1", &line);
		buf_adds(&line, " before, ");
		scale_value(v->diff.head, "1", &line);
		buf_adds(&line, " now; bars: what each function adds");
	}
	svg_words(LEFT, 56, "class=\"why-soft\" font-size=\"13\"", buf_str(&line), 96, out);
	out->failed |= title.failed || line.failed;
	buf_release(&title);
	buf_release(&line);
}

int why_svg(const struct why_view *v, const struct render_options *opt, struct buf *out,
	    struct err *err)
{
	size_t n = v->n < SHOWN ? v->n : SHOWN, i;
	double bottom = TOP + ROW * (double)(n ? n : 1);

	(void)opt;
	buf_addf(out,
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%d\" "
		 "height=\"%.0f\" viewBox=\"0 0 %d %.0f\" font-family=\"system-ui, sans-serif\">\n",
		 WIDTH, bottom + 40, WIDTH, bottom + 40);
	add_title(v, out);
	for (i = 0; i < n; i++)
		add_row(&v->functions[i], i, fabs(v->functions[0].d->delta), out);
	if (n)
		svg_line("why-axis", AXIS, TOP - 4, AXIS, bottom, "", out);
	svg_words(LEFT, bottom + 22, "class=\"why-text\" font-size=\"13\"", v->sentence, 100, out);
	buf_adds(out, "</svg>\n");
	return buf_check(out, err);
}
