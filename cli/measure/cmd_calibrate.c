#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/measure/calibration.h"
#include "collector/compare.h"
#include "collector/machine/machine.h"
#include "collector/unconfigured.h"
#include "lib/base/number.h"
#include "lib/judge/spread.h"
#include "lib/stats/verdict.h"
#include "reporter/judge/judge.h"
#include "reporter/parts/compared.h"
#include "reporter/parts/placed.h"
#include "reporter/text/table.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

#define TIMES 10
#define TIMES_MOST 200
#define LAYOUT_PAIRS 48 /* three of each two layouts, where all of them can be made */

static void cell(struct table *t, enum ink ink, const char *text)
{
	table_cell(t, text, ink);
}

static void layout_cells(struct table *t, const struct layout_calibration *l)
{
	char spread[64] = TABLE_EMPTY, differ[32] = TABLE_EMPTY;

	if (l->n && placed_is_seen(l)) {
		snprintf(spread, sizeof(spread), "%.2f %% [%.2f, %.2f]", 100 * l->spread,
			 100 * l->low, 100 * l->high);
		snprintf(differ, sizeof(differ), "%.2f %%", 100 * l->floor);
	} else if (l->n) { /* lost in noise: a figure would be luck */
		snprintf(spread, sizeof(spread), "under %.2f %%", 100 * l->high);
		snprintf(differ, sizeof(differ), "under %.2f %%", 100 * placed_most(l));
	}
	cell(t, INK_PLAIN, spread);
	cell(t, INK_PLAIN, differ);
}

/* The change, as a ratio - 1, that is called nine times in ten; NaN: not known. */
static double surely_found(const struct calibrated *one, const struct calibration *s)
{
	const struct judge_terms terms = { log1p(one->threshold), (size_t)one->n_points, 1 };

	if (!one->n_halves || one->n_points < 1 || !(one->threshold >= 0))
		return (double)NAN;
	return expm1(judge_surely_found(&terms, calibrated_half(one), log1p(s->floor)));
}

static void add_row(struct table *t, const struct calibrated *one, const struct render_options *how)
{
	struct calibration s = calibrated_in_short(one);
	struct buf name = BUF_INIT;
	char text[64];
	double surely;

	text_visible(one->name, how->utf8, &name);
	cell(t, INK_PLAIN, buf_str(&name));
	snprintf(text, sizeof(text), "%d", s.n);
	cell(t, INK_PLAIN, text);
	snprintf(text, sizeof(text), "%d (%.1f %%)", s.n_false, 100.0 * s.n_false / s.n);
	cell(t, s.n_false ? INK_YELLOW : INK_PLAIN, text);
	snprintf(text, sizeof(text), "%.2f %%", 100 * s.floor);
	cell(t, INK_PLAIN, s.floor > 0 ? text : TABLE_EMPTY); /* of too few */
	surely = surely_found(one, &s);
	snprintf(text, sizeof(text), "%.2f %%", 100 * surely);
	cell(t, INK_BOLD, isfinite(surely) ? text : TABLE_EMPTY);
	layout_cells(t, &s.layouts);
	t->texts.failed |= name.failed;
	buf_release(&name);
}

static bool knows_layouts(const struct calibrations *c)
{
	size_t i;

	for (i = 0; i < c->n && !c->v[i].layouts.n; i++)
		;
	return i < c->n;
}

static int show_table(const struct options *o, const struct calibrations *c, struct err *err)
{
	static const struct table_column columns[] = {
		{ "benchmark", false, true, 0, 0 },
		{ "comparisons", true, false, 1, 2 },
		{ "false", true, false, 0, 2 },
		{ "same code differed by", true, false, 0, 2 },
		{ "found 9 in 10", true, false, 0, 2 },
		{ "layout spread", true, false, 0, 2 },
		{ "two layouts differ by", true, false, 0, 2 },
	};
	const struct render_options how = terminal_render_options(o);
	struct buf out = BUF_INIT;
	struct table t;
	size_t i;
	int result = -1;

	table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (i = 0; i < c->n; i++)
		if (c->v[i].n_log_ratios)
			add_row(&t, &c->v[i], &how);
	if (!table_print(&t, how.width, how.utf8, how.colour, &out, err)) {
		buf_adds(&out, "\nEvery comparison was of a benchmark with itself: what differs is "
			       "this machine. A later verdict\nnames a change only beyond what the "
			       "same code differed by here.\n");
		compared_called(c, &out);
		if (knows_layouts(c))
			buf_adds(&out,
				 "Where the linker puts functions moves the same code, too: "
				 "by the layout spread (standard\ndeviation, 95 % interval). A "
				 "later verdict from one layout is widened by it.\n");
		result = buf_check(&out, err) ? -1 : print_answer(o, &out, err);
	}
	table_release(&t);
	buf_release(&out);
	return result;
}

static int show_json(const struct options *o, const struct calibrations *c, struct err *err)
{
	struct buf out = BUF_INIT;
	int result = -1;

	if (!calibrations_encode(c, &out, err)) {
		buf_addc(&out, '\n');
		result = buf_check(&out, err) ? -1 : print_answer(o, &out, err);
	}
	buf_release(&out);
	return result;
}

/* One A/A comparison, added to what is stored; *out gets all of it. */
static int calibrate_once(const struct compare_request *rq, const struct options *o,
			  struct store *store, bool is_first, struct calibrations *out,
			  struct err *err)
{
	struct history none = HISTORY_INIT;
	struct summary s;
	int result = -1;

	if (compare(rq, &s, err))
		return -1;
	if (judge(&s, &none, err))
		goto out;
	if (judge_exit(&s, false) == EXIT_FAILED) {
		print_summary(o, NULL, &s, NULL);
		err_set(err, ERR_CHILD,
			"a build or a benchmark failed: there is nothing to "
			"calibrate");
		goto out;
	}
	calibrations_release(out);
	if (!(is_first && o->reset) && calibration_load(store, &s, out, err)) {
		err_hint(err, "make them anew with --reset");
		goto out;
	}
	result = calibrations_add(out, &s, err) || calibration_save(store, &s, out, err) ? -1 : 0;
out:
	summary_release(&s);
	return result;
}

/* Of one benchmark, whose pairs ran two layouts each. */
static int keep_layouts(const struct bench *b, const struct talk *talk, struct calibrations *known,
			struct err *err)
{
	const struct metric *m = b->gate ? bench_find_metric(b, b->gate) : NULL;
	struct layout_calibration found = { .n = 0 };

	if (m && spread_of_layouts(b, m, &found, err))
		return -1;
	if (found.n)
		return calibrations_keep_layouts(known, b->name, b->gate, &found, err);
	talk_note(talk, "what layouts do to %s is not known: %s", b->name,
		  b->layouts.why ? b->layouts.why : "too few pairs of them could be measured");
	return 0;
}

/* Pairs of different layouts of the same code: what they differ by takes the former one's place. */
static int calibrate_layouts(struct compare_request rq, struct store *store,
			     struct calibrations *known, struct err *err)
{
	struct summary s;
	int result = -1;
	size_t i;

	rq.layouts_apart = true;
	rq.pairs = LAYOUT_PAIRS;
	talk_note(rq.talk, "comparison of different layouts");
	if (compare(&rq, &s, err))
		return -1;
	for (i = 0; i < s.n_benchmarks; i++)
		if (keep_layouts(&s.benchmarks[i], rq.talk, known, err))
			goto out;
	result = calibration_save(store, &s, known, err);
out:
	summary_release(&s);
	return result;
}

static int calibrate(const struct options *o, struct context *c, uint64_t times, struct err *err)
{
	struct compare_request rq = { .repo = c->repo,
				      .config = &c->config,
				      .state_dir = c->state_dir,
				      .base = "HEAD",
				      .head = "HEAD",
				      .measure_identical = true,
				      .partial = o->command.n > 0,
				      .only = &o->benchmarks,
				      .quick = o->quick,
				      .talk = c->talk };
	struct calibrations known = CALIBRATIONS_INIT;
	struct store *store = NULL;
	int result = -1;
	uint64_t i;

	if (!c->config.n_benchmarks)
		return unconfigured(c->repo, "name a command: 'pawl calibrate -- COMMAND'", err);
	if (!c->store_path) {
		err_set(err, ERR_STORE, "there is no store to keep calibrations in");
		goto out;
	}
	if (store_open(c->store_path, STORE_WRITE, &store, err))
		goto out;
	for (i = 0; i < times; i++) {
		talk_note(c->talk, "comparison %llu of %llu", (unsigned long long)(i + 1),
			  (unsigned long long)times);
		if (calibrate_once(&rq, o, store, i == 0, &known, err))
			goto out;
	}
	if (c->config.layouts != CONFIG_LAYOUTS_OFF && calibrate_layouts(rq, store, &known, err))
		goto out;
	result = o->json ? show_json(o, &known, err) : show_table(o, &known, err);
out:
	calibrations_release(&known);
	store_close(store);
	return result;
}

/* What is known so far; measures nothing. */
static int list(const struct options *o, struct context *c, struct err *err)
{
	struct calibrations known;
	struct store *store = NULL;
	struct summary s;
	int result = -1;

	summary_init(&s);
	if (machine_describe(&s.machine, err) || str_set(&s.project, c->project, err))
		goto out;
	if (!c->store_path || store_open(c->store_path, STORE_READ, &store, err) ||
	    calibration_load(store, &s, &known, err))
		goto out;
	if (known.n)
		result = o->json ? show_json(o, &known, err) : show_table(o, &known, err);
	else
		err_set(err, ERR_ABSENT, "nothing was calibrated on this machine yet");
	calibrations_release(&known);
out:
	store_close(store);
	summary_release(&s);
	return result;
}

int cmd_calibrate(const struct options *o)
{
	struct err err = ERR_INIT;
	struct context c;
	uint64_t times = TIMES;
	int result;

	if (o->args.n) {
		err_set(&err, ERR_USAGE, "'pawl calibrate' takes no argument '%s'", o->args.v[0]);
		err_hint(&err, "name a benchmark with --benchmark");
		return complain(&err);
	}
	if (o->times && (!number_u64(o->times, &times) || !times || times > TIMES_MOST)) {
		err_set(&err, ERR_USAGE, "--times takes a number from 1 to %d, not '%s'",
			TIMES_MOST, o->times);
		return complain(&err);
	}
	if (o->list && o->reset) {
		err_set(&err, ERR_USAGE, "--list and --reset exclude each other");
		err_hint(&err, "--list shows what was found so far, --reset measures it anew");
		return complain(&err);
	}
	if (check_outputs(o, &err) || context_open(o, &c, &err))
		return complain(&err);
	result = o->list ? list(o, &c, &err) : calibrate(o, &c, times, &err);
	context_close(&c);
	return result ? complain(&err) : EXIT_OK;
}
