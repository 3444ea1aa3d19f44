#include "reporter/render/html_local.h"

#include <math.h>
#include <string.h>

#include "lib/base/when.h"
#include "reporter/figures/cells.h"
#include "reporter/figures/scale.h"
#include "reporter/parts/context.h"
#include "reporter/text/html.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

static void add_fact(const char *name, const char *value, struct buf *out)
{
	if (!value || !*value || !strcmp(value, "unknown"))
		return;
	buf_adds(out, "<tr><th>");
	text_xml(name, out);
	buf_adds(out, "</th><td>");
	text_xml(value, out);
	buf_adds(out, "</td></tr>\n");
}

/* The same with what is in raw, which is emptied. */
static void take_fact(const char *name, struct buf *raw, struct buf *out)
{
	add_fact(name, buf_str(raw), out);
	out->failed |= raw->failed;
	buf_reset(raw);
}

static void add_commits(const struct summary *s, struct buf *out)
{
	struct buf raw = BUF_INIT;
	char when[WHEN_ISO];

	add_fact("project", s->project, out);
	add_fact("commit", s->commit.id, out);
	add_fact("subject", s->commit.subject, out);
	add_fact("branch", s->commit.branch, out);
	add_fact("uncommitted changes", s->commit.dirty ? "yes" : NULL, out);
	add_fact("baseline", s->baseline.commit, out);
	add_fact("base", s->sides.base, out);
	add_fact("head", s->sides.head, out);
	context_baseline(s, &raw);
	take_fact("baseline samples", &raw, out);
	if (s->started_us)
		add_fact("started", when_iso(s->started_us, false, when), out);
	if (s->finished_us)
		add_fact("finished", when_iso(s->finished_us, false, when), out);
	add_fact("pawl", s->pawl, out);
	buf_release(&raw);
}

static void add_machine(const struct machine *m, struct buf *out)
{
	struct buf raw = BUF_INIT;
	size_t i;

	add_fact("machine", m->id, out);
	add_fact("processor", m->cpu, out);
	if (m->cores > 0)
		buf_addf(&raw, "%d", m->cores);
	take_fact("cores", &raw, out);
	add_fact("system", m->os, out);
	add_fact("kernel", m->kernel, out);
	add_fact("governor", m->governor, out);
	for (i = 0; i < m->more.n; i++)
		add_fact(m->more.v[i].name, m->more.v[i].value, out);
	buf_release(&raw);
}

static void add_environment(const struct environment *e, struct buf *out)
{
	struct buf raw = BUF_INIT;

	if (isfinite(e->load))
		buf_addf(&raw, "%.2f", e->load);
	take_fact("load", &raw, out);
	if (isfinite(e->pressure))
		buf_addf(&raw, "%.1f %% of the time some process waited for a processor",
			 e->pressure);
	take_fact("pressure", &raw, out);
	if (isfinite(e->steal))
		buf_addf(&raw, "%.1f %% taken by the hypervisor", 100 * e->steal);
	take_fact("steal", &raw, out);
	buf_release(&raw);
}

/* How another harness measured is not known: runs, order and seed are those of pawl. */
static void add_settings(const struct settings *set, bool is_imported, struct buf *out)
{
	struct buf raw = BUF_INIT;

	if (set->runs_max > 0 && !is_imported)
		buf_addf(&raw, "%d to %d of each side", set->runs_min, set->runs_max);
	take_fact("runs", &raw, out);
	if (set->min_time_ns)
		scale_value((double)set->min_time_ns, "ns", &raw);
	take_fact("a run lasts", &raw, out);
	if (set->budget_ns)
		scale_value((double)set->budget_ns, "ns", &raw);
	take_fact("budget", &raw, out);
	if (isfinite(set->threshold))
		cell_percent(set->threshold, &raw);
	take_fact("threshold", &raw, out);
	if (isfinite(set->confidence))
		cell_percent(set->confidence, &raw);
	take_fact("confidence", &raw, out);
	if (!is_imported) {
		add_fact("order", set->order, out);
		add_fact("clock", set->clock, out);
		buf_addf(&raw, "%llu", (unsigned long long)set->seed);
	}
	take_fact("seed", &raw, out);
	buf_release(&raw);
}

int html_where(const struct summary *s, const struct rows *rows, struct buf *out, struct err *err)
{
	struct strv remarks = STRV_INIT;
	size_t i;
	int rc = context_remarks(s, rows, false, &remarks, err);

	buf_adds(out, "<h2>What was measured, and how</h2>\n");
	for (i = 0; i < remarks.n && !rc; i++) {
		buf_adds(out, "<p>");
		text_xml(remarks.v[i], out);
		buf_adds(out, "</p>\n");
	}
	strv_release(&remarks);
	buf_adds(out, "<details><summary>Commits, settings and machine</summary>\n"
		      "<div class=\"in\"><table class=\"facts\">\n<tbody>\n");
	add_commits(s, out);
	add_settings(&s->settings, s->imported.n > 0, out);
	add_machine(&s->machine, out);
	add_environment(&s->environment, out);
	buf_adds(out, "</tbody>\n</table>\n</div></details>\n");
	return rc;
}
