#include "reporter/parts/sentence.h"

#include <math.h>
#include <string.h>

#include "reporter/figures/cells.h"
#include "reporter/parts/advice.h"
#include "reporter/parts/unbuilt.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

#define NAME_COLUMNS 60 /* a longer name is cut in the middle */

/* What every clause needs. */
struct sentence {
	const struct summary *s;
	const struct rows *rows;
	const struct render_options *opt;
	sentence_put *put;
	struct buf *out;
};

static void add_name(const struct sentence *t, const char *name)
{
	struct buf cut = BUF_INIT;

	text_cut(name, NAME_COLUMNS, t->opt->utf8, &cut);
	t->put(buf_str(&cut), t->opt, t->out);
	t->out->failed |= cut.failed;
	buf_release(&cut);
}

/* What a row was compared with, or the whole summary when row is NULL. */
static void add_baseline(const struct sentence *t, const struct row *row)
{
	const char *quote = t->s->sides.base ? "'" : "";
	struct buf name = BUF_INIT;

	cell_base_name(t->s, row ? row->bench : NULL, t->opt->utf8, &name);
	buf_adds(t->out, quote);
	t->put(name.len ? buf_str(&name) : "the baseline", t->opt, t->out);
	buf_adds(t->out, quote);
	t->out->failed |= name.failed;
	buf_release(&name);
}

/* "1 of 4 benchmarks", "All 4 benchmarks"; for a single benchmark its name. */
static void add_share(const struct sentence *t, size_t n)
{
	if (t->rows->n == 1)
		add_name(t, t->rows->v[0].bench->name);
	else if (n == 2 && t->rows->n == 2)
		buf_adds(t->out, "Both benchmarks");
	else if (n == t->rows->n)
		buf_addf(t->out, "All %zu benchmarks", n);
	else
		buf_addf(t->out, "%zu of %zu benchmarks", n, t->rows->n);
}

/* How far a metric moved, in either direction; from or to 0 is furthest, NaN is not at all. */
static double size_of(const struct row *row)
{
	double size = row->delta && row->delta->ratio > 0 ? fabs(log(row->delta->ratio)) : 0;

	if (row->delta && row->delta->by_difference)
		return fabs(row->delta->difference) > 0 ? HUGE_VAL : 0;
	return isfinite(size) ? size : 0;
}

/* The row of that kind that moved most. */
static const struct row *strongest(const struct rows *rows, enum row_kind kind)
{
	const struct row *found = NULL;
	size_t i;

	for (i = 0; i < rows->n; i++)
		if (rows->v[i].kind == kind && (!found || size_of(&rows->v[i]) > size_of(found)))
			found = &rows->v[i];
	return found;
}

/* "3.4 % slower [2.1, 4.7]", "has 3.4 % more peak-rss [2.1, 4.7]" behind a name. */
static void add_change(const struct sentence *t, const struct row *row, const char *verb)
{
	struct buf change = BUF_INIT;
	const char *interval;

	cell_change(row->gate, &change);
	interval = strchr(buf_str(&change), '[');
	if (cell_is_duration(row->gate)) {
		buf_addf(t->out, " %s %s", *verb ? verb : "is", buf_str(&change));
	} else {
		size_t words = interval ? (size_t)(interval - change.data) - 1 : change.len;

		buf_addf(t->out, " %s %.*s ", *verb ? "looks to have" : "has", (int)words,
			 buf_str(&change));
		add_name(t, row->gate->name);
		if (interval)
			buf_addf(t->out, " %s", interval);
	}
	t->out->failed |= change.failed;
	buf_release(&change);
}

/* "; 2 unchanged, 1 inconclusive": all kinds but the one that was spoken of. */
static void add_others(const struct sentence *t, enum row_kind but, const char *lead)
{
	const struct rows *rows = t->rows;
	enum row_kind kind;

	for (kind = 0; kind < ROW_KIND_N; kind++) {
		if (kind == but || !rows->count[kind])
			continue;
		buf_addf(t->out, "%s%zu %s", lead, rows->count[kind],
			 kind == ROW_NO_BASELINE ? "without a baseline" : row_word(kind));
		lead = ", ";
	}
}

/* "; a slowdown of 0.8 % is ruled out": it lies outside of every interval. */
static void add_ruled_out(const struct sentence *t)
{
	const struct metric *metric = NULL;
	double worst = advice_ruled_out(t->rows, &metric);

	if (!isfinite(worst) || !metric)
		return;
	buf_adds(t->out, cell_is_duration(metric) ? "; a slowdown" : "; a change for the worse");
	if (worst > 0) {
		buf_adds(t->out, " of ");
		cell_floor(worst, t->out);
	}
	buf_adds(t->out, " is ruled out");
}

static const char *moved_word(enum row_kind kind)
{
	return kind == ROW_ACCEPTED ? "regressed, accepted" : row_word(kind);
}

static void say_moved(const struct sentence *t, enum row_kind kind)
{
	const struct row *row = strongest(t->rows, kind);
	size_t n = t->rows->count[kind];

	if (t->rows->n > 1) {
		add_share(t, n);
		buf_addf(t->out, " %s%s", moved_word(kind), n > 1 ? ", most of all " : ": ");
	}
	add_name(t, row->bench->name);
	if (row->delta) {
		if (t->rows->n == 1)
			buf_addf(t->out, " %s: it", moved_word(kind));
		else if (n > 1)
			buf_adds(t->out, ", which");
		add_change(t, row, "");
		buf_adds(t->out, cell_is_duration(row->gate) ? " than " : " against ");
		add_baseline(t, row);
	} else if (t->rows->n == 1) {
		buf_addf(t->out, " %s", moved_word(kind));
	}
	if (kind == ROW_ACCEPTED && row->bench->accepted.because) {
		buf_adds(t->out, " (");
		add_name(t, row->bench->accepted.because);
		buf_addc(t->out, ')');
	}
	add_others(t, kind, "; ");
}

/* How to be sure. */
static void add_compare(const struct sentence *t, const struct row *row)
{
	struct buf head = BUF_INIT;

	if (t->s->commit.id)
		cell_commit(t->s->commit.id, &head);
	buf_adds(t->out, "; to be sure, build and run both: pawl compare ");
	if (t->s->commit.dirty || !t->s->commit.id) {
		buf_adds(t->out, "--working-tree");
	} else {
		add_baseline(t, row);
		buf_addf(t->out, "..%s", buf_str(&head));
	}
	t->out->failed |= head.failed;
	buf_release(&head);
}

static void say_suspect(const struct sentence *t)
{
	const struct row *row = strongest(t->rows, ROW_SUSPECT);
	size_t n = t->rows->count[ROW_SUSPECT];

	if (t->rows->n > 1) {
		add_share(t, n);
		buf_addf(t->out, " %s suspect%s", n > 1 ? "are" : "is",
			 n > 1 ? ", most of all " : ": ");
	}
	add_name(t, row->bench->name);
	if (n > 1)
		buf_adds(t->out, ", which");
	add_change(t, row, "looks");
	buf_adds(t->out, cell_is_duration(row->gate) ? " than its stored baseline "
						     : " against its stored baseline ");
	add_baseline(t, row);
	add_others(t, ROW_SUSPECT, "; ");
	add_compare(t, row);
}

static void say_failed(const struct sentence *t)
{
	size_t n = t->rows->count[ROW_FAILED];

	if (n == t->rows->n && unbuilt_add(t->s, t->opt, t->put, t->out))
		return;
	add_share(t, n);
	buf_adds(t->out, " failed");
	if (n == t->rows->n) {
		buf_adds(t->out, ": nothing to judge");
		return;
	}
	buf_adds(t->out, n > 1 ? ", among them " : ": ");
	add_name(t, t->rows->v[0].bench->name);
	add_others(t, ROW_FAILED, "; ");
}

static void say_inconclusive(const struct sentence *t)
{
	size_t n = t->rows->count[ROW_INCONCLUSIVE];
	struct advice advice;

	add_share(t, n);
	buf_adds(t->out, n > 1 ? " are inconclusive" : " is inconclusive");
	add_others(t, ROW_INCONCLUSIVE, "; ");
	if (advice_most(t->rows, &advice)) {
		buf_adds(t->out, "; ");
		advice_add(&advice, t->out);
	}
	if (t->opt->strict)
		buf_adds(t->out, "; with --strict that does not pass");
}

static void say_no_baseline(const struct sentence *t)
{
	if (t->rows->n == 1)
		add_name(t, t->rows->v[0].bench->name);
	else
		buf_addf(t->out, "%zu benchmarks", t->rows->n);
	buf_adds(t->out, t->rows->n > 1 ? " were measured, with nothing to compare them with"
					: " was measured, with nothing to compare it with");
	if (t->s->baseline.why && *t->s->baseline.why) {
		buf_adds(t->out, ": ");
		t->put(t->s->baseline.why, t->opt, t->out);
	}
}

/* Some of them changed, in what they do not execute. */
static bool is_of_execution(const struct sentence *t)
{
	size_t i;

	for (i = 0; i < t->rows->n; i++)
		if (t->rows->v[i].bench->changes.is_known)
			return true;
	return false;
}

static void say_identical(const struct sentence *t)
{
	add_share(t, t->rows->n);
	if (is_of_execution(t))
		buf_adds(t->out, t->rows->n > 1 ? " execute the same code as in "
						: " executes the same code as in ");
	else
		buf_adds(t->out, t->rows->n > 1 ? " are the same machine code as in "
						: " is the same machine code as in ");
	add_baseline(t, NULL);
	buf_adds(t->out, ": nothing to measure");
}

/* One side alone has each of them. */
static void say_not_compared(const struct sentence *t)
{
	buf_adds(t->out, "Nothing was compared: ");
	if (t->rows->n == 1)
		add_name(t, t->rows->v[0].bench->name);
	else
		buf_addf(t->out, "each of %zu benchmarks", t->rows->n);
	buf_addf(t->out, " is in %s alone",
		 !t->rows->count[ROW_ADDED]	? "the base"
		 : !t->rows->count[ROW_REMOVED] ? "the head"
						: "one commit");
}

/* Nothing moved, nothing is in doubt: of what was compared. */
static void say_quiet(const struct sentence *t)
{
	const struct rows *rows = t->rows;
	size_t n = rows->count[ROW_UNCHANGED] + rows->count[ROW_IDENTICAL];

	if (rows->count[ROW_UNCHANGED] == rows->n) {
		buf_adds(t->out, "No change in ");
		if (rows->n == 1)
			add_name(t, rows->v[0].bench->name);
		else
			buf_addf(t->out, "%zu benchmarks", rows->n);
		buf_adds(t->out, " against ");
		add_baseline(t, NULL);
	} else if (rows->n == 1) {
		add_name(t, rows->v[0].bench->name);
		buf_addf(t->out, ": %s", row_word(rows->v[0].kind));
	} else if (!n) {
		buf_adds(t->out, "Nothing was compared");
		add_others(t, ROW_KIND_N, ": ");
	} else {
		if (n < rows->n)
			buf_addf(t->out, "No regression in the benchmarks compared (%zu of %zu)", n,
				 rows->n);
		else
			buf_addf(t->out, "No regression in %zu benchmarks", n);
		add_others(t, ROW_KIND_N, ": ");
	}
	add_ruled_out(t);
	if (n && n < rows->n && rows->count[ROW_UNCHANGED])
		buf_adds(t->out, n == 1 ? " for this one" : " for these");
}

/* Whatever else is said: another answer must not be overlooked. */
static void add_outputs(const struct sentence *t)
{
	const struct row *first = NULL;
	size_t n = 0, i;

	for (i = 0; i < t->rows->n; i++) {
		if (t->rows->v[i].bench->output != OUTPUT_DIFFERS)
			continue;
		first = first ? first : &t->rows->v[i];
		n++;
	}
	if (!first)
		return;
	if (t->rows->n == 1) {
		buf_adds(t->out, ", but its output differs");
		return;
	}
	buf_adds(t->out, "; but the output of ");
	if (n > 1)
		buf_addf(t->out, "%zu benchmarks differs, among them ", n);
	add_name(t, first->bench->name);
	if (n == 1)
		buf_adds(t->out, " differs");
}

static void say(const struct sentence *t)
{
	const size_t *count = t->rows->count;

	if (t->rows->n == 0)
		buf_adds(t->out, "No benchmark was run");
	else if (count[ROW_REGRESSED])
		say_moved(t, ROW_REGRESSED);
	else if (count[ROW_FAILED])
		say_failed(t);
	else if (count[ROW_SUSPECT])
		say_suspect(t);
	else if (count[ROW_ACCEPTED])
		say_moved(t, ROW_ACCEPTED);
	else if (count[ROW_IMPROVED])
		say_moved(t, ROW_IMPROVED);
	else if (count[ROW_INCONCLUSIVE])
		say_inconclusive(t);
	else if (count[ROW_NO_BASELINE] == t->rows->n)
		say_no_baseline(t);
	else if (count[ROW_IDENTICAL] == t->rows->n)
		say_identical(t);
	else if (count[ROW_ADDED] + count[ROW_REMOVED] == t->rows->n)
		say_not_compared(t);
	else
		say_quiet(t);
	add_outputs(t);
	buf_addc(t->out, '.');
}

void sentence_add(const struct summary *s, const struct rows *rows,
		  const struct render_options *opt, sentence_put *put, struct buf *out)
{
	const struct sentence t = { s, rows, opt, put, out };

	say(&t);
}
