/*
 * show - the progress line of measuring.
 */
#include "collector/schedule/local.h"

#include <math.h>

#include "lib/base/buf.h"
#include "lib/base/number.h"

#include "lib/base/banned.h"

#define MINUTE_NS 60e9
#define LONG_NS (3 * MINUTE_NS) /* less is told in seconds */

/* "pair 22 of at most 200": most are decided before. */
static void add_count(const struct unit *u, const struct schedule *s, struct buf *out)
{
	buf_addf(out, "%s %zu of %s%zu", u->has_base ? "pair" : "run", u->n_pairs + 1,
		 u->looks.n > 1 && u->has_base ? "at most " : "", schedule_most(u, s));
}

/* As it was at the last decision point. */
static void add_change(const struct unit *u, struct buf *out)
{
	double theta = u->judged.theta;

	if (u->judged.n)
		buf_addf(out, "  %.1f %% %s", 100 * expm1(fabs(theta)),
			 theta > 0 ? "worse" : "better");
}

void schedule_show(const struct unit *u, const struct schedule *s, double done_ns, double left_ns)
{
	struct buf text = BUF_INIT;
	char left[NUMBER_TEXT];

	if (!s->talk || !s->talk->progress)
		return;
	add_count(u, s, &text);
	buf_addf(&text, "  %s", u->name);
	add_change(u, &text);
	if (left_ns > LONG_NS)
		buf_addf(&text, "  about %.0f min left", left_ns / MINUTE_NS);
	else if (left_ns > 0) /* the last one that was expected may not be the last */
		buf_addf(&text, "  about %s left", number_print_ns(left_ns, left));
	talk_progress(s->talk, done_ns, done_ns + left_ns, "%s", buf_str(&text));
	buf_release(&text);
}
