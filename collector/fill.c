#include "collector/fill.h"

#include <stdlib.h>
#include <string.h>

#include "collector/schedule/fill_runs.h"
#include "collector/schedule/gate.h"
#include "lib/base/buf.h"

#include "lib/base/banned.h"

/* How it was compared; the commit is only said when it is not the nearest one with results. */
static int set_baseline(const struct history *history, struct bench *b, const struct summary *from,
			const char *how, struct err *err)
{
	if (from != &history->v[0] && strcmp(from->commit.id, history->v[0].commit.id) &&
	    str_set(&b->baseline_commit, from->commit.id, err))
		return -1;
	return str_set(&b->baseline_how, how, err);
}

/* Of one name, and of one unit: a rate and a time may be called alike. */
static int copy_samples(const struct metric *from, struct metric *to, struct err *err)
{
	size_t i;

	if (from && strcmp(from->unit, to->unit) != 0)
		return 0;
	for (i = 0; from && i < from->n; i++)
		if (samples_add(&to->baseline_samples, &to->n_baseline, from->samples[i], err))
			return -1;
	return 0;
}

/* Stored samples of the nearest ancestor that has some of the gated metric, of the same kind and N.
 */
static int add_stored(const struct history *history, struct bench *b, struct err *err)
{
	size_t i, m;

	for (i = 0; i < history->n; i++) {
		const struct bench *old = summary_find(&history->v[i], b->name);
		const struct metric *gate;

		if (!old || old->status != BENCH_OK || old->iterations != b->iterations ||
		    (old->format && strcmp(old->format, b->format))) /* one call, or a process? */
			continue;
		gate = bench_find_metric(old, b->gate);
		if (!gate || !gate->n)
			continue;
		for (m = 0; m < b->n_metrics; m++)
			if (copy_samples(bench_find_metric(old, b->metrics[m].name), &b->metrics[m],
					 err))
				return -1;
		return set_baseline(history, b, &history->v[i], "stored", err);
	}
	return 0;
}

/* Why it is not ok, or why it was not compared as it could have been. */
static int set_detail(const struct unit *u, struct bench *b, struct err *err)
{
	struct buf text = BUF_INIT;
	int result;

	if (u->failure || u->not_compared || !u->base_failure)
		return str_set(&b->detail, u->failure ? u->failure : u->not_compared, err);
	buf_addf(&text, "the baseline was not run again: %s", u->base_failure);
	result = buf_check(&text, err) || str_set(&b->detail, buf_str(&text), err) ? -1 : 0;
	buf_release(&text);
	return result;
}

void fill_command(const struct bench_config *config, struct buf *out)
{
	words_quote(config->command.v, out);
	if (config->input) {
		char *const input[] = { config->input, NULL };

		buf_adds(out, " < ");
		words_quote(input, out);
	}
}

static int set_texts(const struct unit *u, struct bench *b, struct err *err)
{
	struct buf command = BUF_INIT;
	const char *why = NULL, *gate = gate_metric(u, &why);
	int result = -1;

	fill_command(u->config, &command);
	if (buf_check(&command, err) || str_set(&b->command, buf_str(&command), err) ||
	    str_set(&b->format, bench_format_name(u->format), err) || set_detail(u, b, err) ||
	    str_set(&b->binary_id, u->head.binary_id, err) ||
	    str_set(&b->base_binary_id, u->base.binary_id, err) || str_set(&b->gate, gate, err) ||
	    str_set(&b->gate_why, u->n_pairs ? why : NULL, err))
		goto out;
	result = 0;
out:
	buf_release(&command);
	return result;
}

static int copy_changes(const struct code_changes *from, struct code_changes *to, struct err *err)
{
	*to = (struct code_changes){ .is_known = from->is_known,
				     .is_explained = from->is_explained,
				     .n_functions = from->n_functions,
				     .n_changed = from->n_changed };
	if ((from->changed.n && strv_add_all(&to->changed, from->changed.v, err)) ||
	    (from->executed.n && strv_add_all(&to->executed, from->executed.v, err)))
		return -1;
	return str_set(&to->why, from->why, err);
}

static const char *how_of(const struct unit *u)
{
	return u->identical ? "identical" : u->needs_base ? "rebuilt" : "rerun";
}

/*
 * What goes on when one side has ended, and is ended by us, is work that is not in its time: such a
 * side would be as quick as one that does it no more.  NULL: both do it, or neither.
 */
static const char *leaves_work(const struct unit *u)
{
	size_t i, head = 0, base = 0;

	for (i = 0; i < u->n_pairs; i++) {
		head += (size_t)u->pairs[i].head.n_left;
		base += (size_t)u->pairs[i].base.n_left;
	}
	if (!u->has_base || 2 * (head + base) < u->n_pairs || !(head + base))
		return NULL;
	if (u->format ==
	    FORMAT_PAWL) /* both live at once, and who ends first finds those of both */
		return "what it does is not all measured: processes are left running, by one side "
		       "or by both; let it wait for them";
	if (2 * (head < base ? head : base) > (head < base ? base : head))
		return NULL;
	return head > base
		       ? "what it does is not all measured: it leaves processes running, which the "
			 "base does not; let it wait for them"
		       : "what the base does was not all measured: it leaves processes "
			 "running, which the head does not";
}

static int add_bench(const struct unit *u, const struct history *history, struct summary *out,
		     struct err *err)
{
	const struct summary *from = NULL;
	const struct bench *base = history_find(history, u->name, &from);
	const char *left;
	struct bench *b;

	b = summary_add_bench(out, u->name, err);
	if (!b || set_texts(u, b, err))
		return -1;
	if (u->only_base) {
		b->status = BENCH_REMOVED;
		return 0;
	}
	if (u->unreached) {
		b->status = BENCH_SKIPPED;
		b->threshold = u->config->threshold;
		/* the same code that was to be measured is not known to be the same */
		return str_set(&b->base_binary_id, NULL, err);
	}
	b->status = u->timed_out ? BENCH_TIMEOUT : u->failure ? BENCH_FAILED : BENCH_OK;
	b->is_new = u->only_head || (!base && history_is_whole(history));
	b->work = (struct work_count){ u->work.head, u->work.base, NULL, NULL };
	if (str_set(&b->work.how, u->work.how, err) ||
	    str_set(&b->work.reason, u->work.reason, err))
		return -1;
	if (copy_changes(&u->changes, &b->changes, err))
		return -1;
	b->iterations = u->iterations;
	b->threshold = u->config->threshold;
	b->paired = u->has_base && u->n_pairs > 0;
	if (b->paired && u->format == FORMAT_COMMAND)
		b->pairs_ran = u->at_once ? PAIRS_RAN_AT_ONCE : PAIRS_RAN_IN_TURN;
	if (b->paired)
		b->looks = u->looks;
	b->n_void = u->n_void;
	if (b->paired && str_set(&b->layouts.why, u->one_layout, err))
		return -1;
	left = leaves_work(u);
	if (left) {
		b->status = BENCH_FAILED;
		return str_set(&b->detail, left, err);
	}
	if (u->failure)
		return 0;
	if (base && (u->identical || u->has_base) && set_baseline(history, b, from, how_of(u), err))
		return -1;
	if (u->n_pairs && fill_runs(u, b, err))
		return -1;
	if (u->identical || u->has_base)
		return 0;
	return add_stored(history, b, err);
}

/* The nearest results of everything that was configured then; NULL: there are none. */
static const struct summary *nearest_whole(const struct history *history)
{
	size_t i;

	for (i = 0; i < history->n; i++)
		if (!history->v[i].settings.partial)
			return &history->v[i];
	return NULL;
}

static int add_removed(const struct history *history, struct summary *out, struct err *err)
{
	const struct summary *before = nearest_whole(history);
	size_t n_unlisted = 0, i;

	for (i = 0; before && i < before->n_benchmarks; i++) {
		const struct bench *old = &before->benchmarks[i];
		struct bench *b;

		if (old->status == BENCH_REMOVED || summary_find(out, old->name))
			continue;
		if (out->n_benchmarks >= SUMMARY_MAX_BENCHMARKS) {
			n_unlisted++;
			continue;
		}
		b = summary_add_bench(out, old->name, err);
		if (!b)
			return -1;
		b->status = BENCH_REMOVED;
	}
	return n_unlisted ? strv_addf(&out->environment.warnings, err,
				      "of the benchmarks that were removed %zu are not listed: "
				      "a result holds %d",
				      n_unlisted, SUMMARY_MAX_BENCHMARKS)
			  : 0;
}

/*
 * An executable that was not built, or that died before it told its benchmarks: those that it had
 * failed, they were not removed.  most: so many may the result have then.  *out_any: it had some.
 */
static int add_lost(const struct unit *u, const struct history *history, size_t most,
		    struct summary *out, bool *out_any, struct err *err)
{
	const struct summary *before = nearest_whole(history);
	size_t i;

	*out_any = false;
	for (i = 0; before && i < before->n_benchmarks; i++) {
		const struct bench *old = &before->benchmarks[i];
		struct bench *b;

		if (old->status == BENCH_REMOVED || !str_below(old->name, u->config->name))
			continue;
		if (out->n_benchmarks >= most)
			break;
		b = summary_add_bench(out, old->name, err);
		if (!b || set_texts(u, b, err))
			return -1;
		b->status = u->unreached   ? BENCH_SKIPPED
			    : u->timed_out ? BENCH_TIMEOUT
					   : BENCH_FAILED;
		b->threshold = u->config->threshold;
		*out_any = true;
	}
	return 0;
}

int fill_summary(const struct plan *plan, const struct history *history, struct summary *out,
		 struct err *err)
{
	size_t i;

	for (i = 0; i < plan->n; i++) {
		const struct unit *u = &plan->units[i];
		size_t most = SUMMARY_MAX_BENCHMARKS - (plan->n - i - 1);
		bool had_some = false;

		if ((u->failure || u->unreached) && !u->inner &&
		    add_lost(u, history, most, out, &had_some, err))
			return -1;
		if (!had_some && add_bench(u, history, out, err))
			return -1;
	}
	return out->settings.partial ? 0 : add_removed(history, out, err);
}
