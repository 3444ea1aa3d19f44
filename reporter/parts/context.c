#include "reporter/parts/context.h"

#include <math.h>
#include <string.h>

#include "reporter/figures/cells.h"
#include "reporter/figures/scale.h"
#include "reporter/judge/disturbed.h"
#include "reporter/parts/compared.h"
#include "reporter/parts/missing.h"

#include "lib/base/banned.h"

#define MOST_GATES 8 /* in one line */

void context_commit(const struct summary *s, struct buf *out)
{
	const struct commit_tag *c = &s->commit;

	if (s->sides.head && !c->id) {
		buf_adds(out, s->sides.head);
		return;
	}
	buf_adds(out, s->project ? s->project : "(no project)");
	buf_addc(out, ' ');
	if (c->id)
		cell_commit(c->id, out);
	else
		buf_adds(out, "(no commit yet)");
	if (c->subject)
		buf_addf(out, " \"%s\"", c->subject);
	if (c->branch)
		buf_addf(out, " on %s", c->branch);
	if (c->dirty)
		buf_adds(out, ", with uncommitted changes");
	if (s->sides.head)
		buf_addf(out, ": %s", s->sides.head);
}

void context_machine(const struct summary *s, struct buf *out)
{
	buf_adds(out, s->machine.cpu ? s->machine.cpu : "unknown processor");
	if (s->machine.cores > 0)
		buf_addf(out, ", %d core%s", s->machine.cores, s->machine.cores > 1 ? "s" : "");
}

/* Of benchmarks that only one side has, nobody knows what they would be. */
static const char *how_of(const struct summary *s)
{
	if (!strcmp(s->baseline.how, "identical") && !summary_is_identical(s))
		return "not run where the code is the same";
	return cell_how(s->baseline.how);
}

void context_baseline(const struct summary *s, struct buf *out)
{
	const struct baseline *b = &s->baseline;
	bool is_there = b->commit || s->sides.base;

	if (!is_there)
		buf_adds(out, "none");
	if (b->commit)
		cell_commit(b->commit, out);
	if (s->sides.base)
		buf_addf(out, "%s%s", b->commit ? ": " : "", s->sides.base);
	if (is_there && b->how)
		buf_addf(out, ", %s", how_of(s));
	if (b->why && *b->why)
		buf_addf(out, is_there ? " (%s)" : ": %s", b->why);
}

static size_t pairs_of(const struct row *row)
{
	return row->gate && row->bench->paired ? row->gate->n : 0;
}

static int add_disturbed(const struct rows *rows, struct strv *out, struct err *err)
{
	unsigned long long disturbed = 0, pairs = 0, worst = 0;
	struct disturbed causes = { { 0 }, 0 };
	struct buf line = BUF_INIT;
	const char *name = NULL;
	size_t n_rows = 0, i;
	int rc = -1;

	for (i = 0; i < rows->n; i++) {
		const struct row *row = &rows->v[i];

		if (row->bench->n_disturbed == 0)
			continue;
		if (disturbed_add(row->bench, &causes, err))
			return -1;
		n_rows++;
		disturbed += row->bench->n_disturbed;
		pairs += pairs_of(row);
		if (row->bench->n_disturbed > worst) {
			worst = row->bench->n_disturbed;
			name = row->bench->name;
		}
	}
	if (n_rows == 0)
		return 0;
	if (n_rows == 1)
		buf_adds(&line, name);
	else
		buf_addf(&line, "%zu benchmarks", n_rows);
	buf_addf(&line, ": %llu of %llu pairs far off the others, counted all the same", disturbed,
		 pairs);
	disturbed_say(&causes, &line);
	if (n_rows > 1)
		buf_addf(&line, "; most in %s, %llu", name, worst);
	if (!buf_check(&line, err))
		rc = strv_add(out, buf_str(&line), err);
	buf_release(&line);
	return rc;
}

static bool shows_delta(const struct row *row)
{
	return row->gate && row->delta &&
	       (row->delta->by_difference || isfinite(row->delta->ratio));
}

static bool is_first_with_gate(const struct rows *rows, size_t i)
{
	size_t k;

	for (k = 0; k < i; k++)
		if (shows_delta(&rows->v[k]) &&
		    !strcmp(rows->v[k].gate->name, rows->v[i].gate->name))
			return false;
	return true;
}

/* What the columns show: readers take base and head for wall time, and divide them. */
static int add_columns(const struct rows *rows, struct strv *out, struct err *err)
{
	struct buf line = BUF_INIT;
	bool paired = true;
	size_t n = 0, i;
	int rc = 0;

	for (i = 0; i < rows->n; i++) {
		const struct row *row = &rows->v[i];
		const char *gate;

		if (!shows_delta(row))
			continue;
		gate = row->gate->name;
		paired = paired && row->bench->paired;
		if (!is_first_with_gate(rows, i) || ++n > MOST_GATES)
			continue;
		buf_addf(&line, "%s%s", n > 1 ? " or " : "judged by ", gate);
		if (!strcmp(gate, "cpu") || !strcmp(gate, "wall"))
			buf_adds(&line, " time");
	}
	if (n > MOST_GATES)
		buf_addf(&line, " or %zu more", n - MOST_GATES);
	buf_adds(&line, ": base and head are medians");
	if (paired)
		buf_adds(&line, ", delta comes from the pairs of runs");
	if (n && !(rc = buf_check(&line, err)))
		rc = strv_add(out, buf_str(&line), err);
	buf_release(&line);
	return rc;
}

static int add_intervals(const struct rows *rows, struct strv *out, struct err *err)
{
	struct buf line = BUF_INIT;
	size_t i;
	int rc;

	for (i = 0; i < rows->n && !shows_delta(&rows->v[i]); i++)
		;
	if (i == rows->n || isnan(rows->confidence))
		return 0;
	buf_adds(&line, "intervals hold at ");
	cell_percent(rows->confidence, &line);
	if (rows->widest_confidence > rows->confidence) {
		buf_adds(&line, ", some at ");
		cell_percent(rows->widest_confidence, &line);
	}
	rc = buf_check(&line, err);
	if (!rc)
		rc = strv_add(out, buf_str(&line), err);
	buf_release(&line);
	return rc;
}

static void add_surroundings(const struct summary *s, struct buf *line)
{
	const struct environment *e = &s->environment;

	if (isfinite(e->load))
		buf_addf(line, ", load %.2f", e->load);
	if (isfinite(e->pressure))
		buf_addf(line, ", processor pressure %.1f %%", e->pressure);
	if (isfinite(e->steal))
		buf_addf(line, ", %.1f %% taken by the hypervisor", e->steal * 100);
}

static int add_settings(const struct summary *s, struct strv *out, struct err *err)
{
	const struct settings *set = &s->settings;
	struct buf line = BUF_INIT;
	int rc;

	if (s->imported.n)
		return strv_add(out, "imported: how it was measured is not known", err);
	if (set->runs_max > 0) {
		buf_addf(&line, ", %d to %d runs a side of ", set->runs_min, set->runs_max);
		scale_value((double)set->min_time_ns, "ns", &line);
	}
	if (set->budget_ns) {
		buf_adds(&line, ", within ");
		scale_value((double)set->budget_ns, "ns", &line);
	}
	if (set->order)
		buf_addf(&line, ", %s", set->order);
	buf_addf(&line, ", seed %llu", (unsigned long long)set->seed);
	if (s->machine.governor)
		buf_addf(&line, ", governor %s", s->machine.governor);
	add_surroundings(s, &line);
	rc = buf_check(&line, err);
	if (!rc)
		rc = strv_addf(out, err, "measured with%s", strchr(buf_str(&line), ' '));
	buf_release(&line);
	return rc;
}

static int add_part(const struct summary *s, struct strv *out, struct err *err)
{
	const struct shard *part = &s->settings.shard;

	if (!part->count)
		return 0;
	return strv_addf(out, err,
			 "part %d of %d of the suite: %zu of its %d benchmarks; the others are in "
			 "other results",
			 part->index, part->count, s->n_benchmarks, part->n_all);
}

int context_remarks(const struct summary *s, const struct rows *rows, bool verbose,
		    struct strv *out, struct err *err)
{
	if (add_columns(rows, out, err) || add_intervals(rows, out, err) ||
	    add_disturbed(rows, out, err) || compared_remarks(s, verbose, out, err) ||
	    add_part(s, out, err) || missing_add(s, out, err))
		return -1;
	return verbose ? add_settings(s, out, err) : 0;
}
