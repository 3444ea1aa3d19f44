#include "server/page/units.h"

#include <string.h>

#include "server/page/frame.h"

#include "lib/base/banned.h"

static bool is_newer(const struct jtree *other)
{
	return jtree_is_true(jtree_get(other, "newer"));
}

static void add_link(const struct series *s, const char *project, const char *benchmark,
		     const struct jtree *other, struct buf *out)
{
	const char *unit = jtree_text(jtree_get(other, "unit"));
	struct buf address = BUF_INIT;

	frame_benchmark(project, benchmark, &address);
	frame_parameter("metric", s->metric, &address);
	frame_parameter_even_empty("unit", unit, &address);
	frame_parameter("better", jtree_text(jtree_get(other, "better")), &address);
	frame_link(&address, unit && *unit ? unit : "no unit", out);
	out->failed |= address.failed;
	buf_release(&address);
}

static void add_line(const struct series *s, const char *project, const char *benchmark,
		     const struct jtree *other, struct buf *out)
{
	const char *better = jtree_text(jtree_get(other, "better"));
	const char *commit = jtree_text(jtree_get(other, "commit"));

	buf_addf(out, "<p>%s: ",
		 is_newer(other) ? "Newer results are in another unit or direction"
				 : "There are results in another unit or direction, too");
	add_link(s, project, benchmark, other, out);
	buf_addf(out, ", %s is better", better && !strcmp(better, "higher") ? "more" : "less");
	if (is_newer(other)) {
		buf_adds(out, "; the newest is of ");
		frame_commit(commit, out);
		buf_addc(out, ' ');
		frame_day(jtree_text(jtree_get(other, "time")), out);
	}
	buf_adds(out, ".</p>\n");
}

void units_add_lines(const struct series *s, const char *project, const char *benchmark,
		     struct buf *out)
{
	const struct jtree *list = jtree_get(s->root, "other_units"), *at;

	for (at = jtree_first(list); at; at = jtree_after(list, at))
		add_line(s, project, benchmark, at, out);
}

void units_add_newer(const struct series *s, const char *project, const char *benchmark,
		     struct buf *out)
{
	const struct jtree *list = jtree_get(s->root, "other_units"), *at, *newest = NULL;

	for (at = jtree_first(list); at; at = jtree_after(list, at)) {
		const char *time = jtree_text(jtree_get(at, "time"));

		if (is_newer(at) &&
		    (!newest || strcmp(time, jtree_text(jtree_get(newest, "time"))) > 0))
			newest = at;
	}
	if (!newest)
		return;
	buf_adds(out, " <span class=\"soft\">newer in ");
	add_link(s, project, benchmark, newest, out);
	buf_adds(out, "</span>");
}
