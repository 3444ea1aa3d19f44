#include "reporter/plot/interval.h"

#include <math.h>
#include <stdlib.h>

#include "reporter/text/svg.h"

#include "lib/base/banned.h"

#define WIDTH 200
#define HEIGHT 22
#define MIDDLE 100.0
#define HALF 92.0 /* from no change to an end of the axis */
#define LINE 11.0 /* where an interval lies */

const char interval_style[] =
	".iv-band{fill:#afb8c133}.iv-zero{stroke:#8c959f}.iv-text{fill:#59636e}\n"
	".iv{stroke:#57606a;fill:#57606a}.iv-bad{stroke:#cf222e;fill:#cf222e}\n"
	".iv-good{stroke:#1a7f37;fill:#1a7f37}.iv-open{stroke:#9a6700;fill:#9a6700}\n"
	"@media (prefers-color-scheme:dark){\n"
	".iv-band{fill:#6e768140}.iv-zero{stroke:#656c76}.iv-text{fill:#9198a1}\n"
	".iv{stroke:#9198a1;fill:#9198a1}.iv-bad{stroke:#ff7b72;fill:#ff7b72}\n"
	".iv-good{stroke:#56d364;fill:#56d364}.iv-open{stroke:#e3b341;fill:#e3b341}\n"
	"}\n";

static const char *class_of(enum row_kind kind)
{
	switch ((int)kind) {
	case ROW_REGRESSED:
		return "iv-bad";
	case ROW_IMPROVED:
		return "iv-good";
	case ROW_SUSPECT:
	case ROW_ACCEPTED:
	case ROW_INCONCLUSIVE:
		return "iv-open";
	default:
		return "iv";
	}
}

/* How far from no change the interval reaches; NaN without figures. */
static double extent_of(const struct row *row)
{
	const struct delta *d = row->delta;

	if (!d || !isfinite(d->ratio))
		return (double)NAN;
	return fmax(fabs(d->ratio - 1), fmax(isfinite(d->low) ? fabs(d->low - 1) : 0,
					     isfinite(d->high) ? fabs(d->high - 1) : 0));
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The next of 1, 1.5, 2, 3, 5, 7.5, 10, 15 ... percent. */
static double round_up(double x)
{
	static const double steps[] = { 1, 1.5, 2, 3, 5, 7.5 };
	double unit = pow(10, floor(log10(x)));
	size_t i;

	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (x <= steps[i] * unit * (1 + 1e-9))
			return steps[i] * unit;
	return 10 * unit;
}

int interval_axis_of(const struct rows *rows, struct interval_axis *out, struct err *err)
{
	double *extents = calloc(rows->n + 1, sizeof(*extents)), reach;
	size_t n = 0, i;

	if (!extents)
		return err_nomem(err);
	for (i = 0; i < rows->n; i++)
		if (isfinite(extent_of(&rows->v[i])))
			extents[n++] = extent_of(&rows->v[i]);
	qsort(extents, n, sizeof(*extents), by_value);
	reach = n ? extents[n - 1] : 0;
	if (n >= 4 && reach > 3 * extents[3 * n / 4 - 1])
		reach = 2 * extents[3 * n / 4 - 1];
	free(extents);
	out->reach = !n ? 0 : reach > 0.001 ? round_up(reach) : 0.001;
	return 0;
}

static void open_picture(struct buf *out)
{
	buf_addf(out,
		 "<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" aria-hidden=\"true\" "
		 "font-family=\"system-ui, sans-serif\">",
		 WIDTH, HEIGHT, WIDTH, HEIGHT);
}

static double place(const struct interval_axis *axis, double change)
{
	double share = change / axis->reach;

	return MIDDLE + HALF * (share < -1 ? -1 : share > 1 ? 1 : share);
}

void interval_axis_svg(const struct interval_axis *axis, struct buf *out)
{
	double percent = axis->reach * 100;

	if (axis->reach <= 0)
		return;
	open_picture(out);
	buf_addf(out,
		 "<g class=\"iv-text\" font-size=\"11\"><text x=\"0\" y=\"15\">-%g %%</text>"
		 "<text x=\"%.0f\" y=\"15\" text-anchor=\"middle\">0</text>"
		 "<text x=\"%d\" y=\"15\" text-anchor=\"end\">+%g %%</text></g></svg>",
		 percent, MIDDLE, WIDTH, percent);
}

/* Where the interval goes on beyond the axis. */
static void add_arrow(const char *class, bool is_left, struct buf *out)
{
	buf_addf(out,
		 "<path class=\"%s\" fill-opacity=\"0\" stroke-width=\"2\" d=\"M%.0f %.0fl%d -4m%d "
		 "4l%d "
		 "4\"/>",
		 class, is_left ? MIDDLE - HALF - 4 : MIDDLE + HALF + 4, LINE, is_left ? 5 : -5,
		 is_left ? -5 : 5, is_left ? 5 : -5);
}

static void add_bar(const struct interval_axis *axis, const struct delta *d, const char *class,
		    struct buf *out)
{
	double low = isfinite(d->low) ? d->low - 1 : -HUGE_VAL;
	double high = isfinite(d->high) ? d->high - 1 : HUGE_VAL;
	double x = place(axis, low), width = place(axis, high) - x;

	if (width < 2) {
		x -= (2 - width) / 2;
		width = 2;
	}
	buf_addf(out,
		 "<rect class=\"%s\" fill-opacity=\".35\" stroke-width=\"0\" x=\"%.1f\" y=\"%.0f\" "
		 "width=\"%.1f\" height=\"8\" rx=\"2\"/>",
		 class, x, LINE - 4, width);
	if (low < -axis->reach)
		add_arrow(class, true, out);
	if (high > axis->reach)
		add_arrow(class, false, out);
}

void interval_svg(const struct interval_axis *axis, const struct row *row, struct buf *out)
{
	const char *class = class_of(row->kind);
	double band = row->bench->threshold;

	if (axis->reach <= 0 || !row->delta || !isfinite(row->delta->ratio))
		return;
	open_picture(out);
	if (band > 0)
		buf_addf(
			out,
			"<rect class=\"iv-band\" x=\"%.1f\" y=\"0\" width=\"%.1f\" height=\"%d\"/>",
			place(axis, -band), place(axis, band) - place(axis, -band), HEIGHT);
	svg_line("iv-zero", MIDDLE, 0, MIDDLE, HEIGHT, "", out);
	add_bar(axis, row->delta, class, out);
	if (fabs(row->delta->ratio - 1) <= axis->reach)
		svg_line(class, place(axis, row->delta->ratio - 1), LINE - 7,
			 place(axis, row->delta->ratio - 1), LINE + 7, " stroke-width=\"2\"", out);
	buf_adds(out, "</svg>");
}
