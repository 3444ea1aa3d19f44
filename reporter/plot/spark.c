#include "reporter/plot/spark.h"

#include <math.h>
#include <stdbool.h>

#include "lib/base/banned.h"

#define WIDTH 160.0
#define HEIGHT 34.0
#define EDGE 4.0

/* Least and greatest of the levels that are drawn; false: there are none. */
static bool range_of(const struct spark *s, double *low, double *high)
{
	size_t i;

	*low = HUGE_VAL;
	*high = -HUGE_VAL;
	for (i = 0; i < s->n; i++) {
		if (!isfinite(s->level[i]) || (s->outside && s->outside[i]))
			continue;
		*low = fmin(*low, s->level[i]);
		*high = fmax(*high, s->level[i]);
	}
	return *low <= *high;
}

static double place(double value, double low, double high)
{
	double room = HEIGHT - 2 * EDGE;

	if (!(high > low))
		return HEIGHT / 2;
	return EDGE + room * (1 - fmin(fmax((value - low) / (high - low), 0), 1));
}

static double x_of(const struct spark *s, size_t i)
{
	double room = WIDTH - 2 * EDGE;

	return s->n > 1 ? EDGE + room * (double)i / (double)(s->n - 1) : WIDTH / 2;
}

static void add_dots(const struct spark *s, double low, double high, struct buf *out)
{
	size_t i, newest = s->n;

	for (i = 0; i < s->n; i++)
		newest = isfinite(s->level[i]) ? i : newest;
	for (i = 0; i < s->n; i++) {
		if (!isfinite(s->level[i]) || !(s->moved[i] || i == newest))
			continue;
		buf_addf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>",
			 !s->moved[i]	   ? "dot"
			 : s->moved[i] > 0 ? "bad-dot"
					   : "good-dot",
			 x_of(s, i), place(s->level[i], low, high));
	}
}

void plot_spark(const struct spark *spark, struct buf *out)
{
	bool pen_down = false;
	double low, high;
	size_t i;

	if (!range_of(spark, &low, &high))
		return;
	buf_addf(out,
		 "<svg width=\"%.0f\" height=\"%.0f\" role=\"img\" aria-label=\"%zu level%s, the "
		 "oldest first\"><path class=\"line\" d=\"",
		 WIDTH, HEIGHT, spark->n, spark->n == 1 ? "" : "s");
	for (i = 0; i < spark->n; i++) {
		if (!isfinite(spark->level[i]))
			continue;
		buf_addf(out, "%c%.1f %.1f", pen_down ? 'L' : 'M', x_of(spark, i),
			 place(spark->level[i], low, high));
		pen_down = true;
	}
	buf_adds(out, "\"/>");
	add_dots(spark, low, high, out);
	buf_adds(out, "</svg>");
}
