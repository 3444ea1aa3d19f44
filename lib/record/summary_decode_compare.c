/*
 * summary_decode_compare - the part of summary_decode that a comparison adds.
 */
#include <math.h>
#include <stdlib.h>

#include "lib/record/layout_calibration.h"
#include "lib/record/names.h"
#include "lib/record/reader/reader.h"
#include "lib/record/summary_local.h"

#include "lib/base/banned.h"

/* Whole numbers of pairs, rising. */
static bool read_pairs(struct reader *r, struct looks *looks)
{
	struct pull_number pairs = { .is_whole = false };
	int64_t before = 0;
	size_t n = 0;

	if (!reader_array(r, LOOKS_MAX))
		return false;
	while (reader_item(r)) {
		if (!pull_number(&r->pull, &pairs) || !pairs.is_whole || pairs.whole <= before ||
		    pairs.whole > SUMMARY_MAX_SAMPLES) {
			r->failed = r->failed || r->pull.failed;
			reader_fault(r, ERR_RANGE, NULL, "must be rising counts");
			break;
		}
		looks->pairs[n++] = (unsigned)pairs.whole;
		before = pairs.whole;
	}
	if (!n)
		reader_fault(r, ERR_RANGE, NULL, "is empty");
	looks->n = n;
	reader_leave(r);
	return true;
}

static void read_looks(struct reader *r, struct looks *looks)
{
	bool pairs = false;

	if (!reader_object(r))
		return;
	while (reader_next(r))
		if (reader_at(r, "pairs"))
			pairs = read_pairs(r, looks);
	reader_need(r, pairs, "pairs");
	reader_leave(r);
}

/* A number that is not negative. */
static bool read_count(struct reader *r, double *out)
{
	bool is_there = reader_number(r, out);

	if (is_there && *out < 0)
		reader_fault_here(r, ERR_RANGE, "must not be negative");
	return is_there;
}

static void read_work(struct reader *r, struct work_count *work)
{
	if (!reader_object(r))
		return;
	while (reader_next(r)) {
		if (reader_at(r, "head")) {
			read_count(r, &work->head);
		} else if (reader_at(r, "base")) {
			read_count(r, &work->base);
		} else if (reader_at(r, "how")) {
			reader_string(r, SUMMARY_MAX_NAME, &work->how);
			summary_check_not_empty(r, work->how, "how");
		} else if (reader_at(r, "reason")) {
			reader_string(r, SUMMARY_MAX_TEXT, &work->reason);
		}
	}
	reader_leave(r);
}

static void read_layouts(struct reader *r, struct layout_spread *l)
{
	bool has_n = false;
	int64_t n = 0;

	if (!reader_object(r))
		return;
	while (reader_next(r)) {
		if (reader_at(r, "n"))
			has_n = reader_integer(r, 0, SUMMARY_MAX_SAMPLES, &n);
		else if (reader_at(r, "between"))
			read_count(r, &l->between);
		else if (reader_at(r, "within"))
			read_count(r, &l->within);
		else if (reader_at(r, "floor"))
			read_count(r, &l->floor);
		else if (reader_at(r, "why"))
			reader_string(r, SUMMARY_MAX_TEXT, &l->why);
	}
	reader_need(r, has_n, "n");
	l->n = (size_t)n;
	reader_leave(r);
}

static void read_changes(struct reader *r, struct code_changes *c)
{
	int64_t n_functions = 0, n_changed = 0;
	bool known = false, changed = false, executed = false;

	if (!reader_object(r))
		return;
	while (reader_next(r)) {
		if (reader_at(r, "known"))
			known = reader_bool(r, &c->is_known);
		else if (reader_at(r, "explained"))
			reader_bool(r, &c->is_explained);
		else if (reader_at(r, "n_functions"))
			reader_integer(r, 0, INT32_MAX, &n_functions);
		else if (reader_at(r, "n_changed"))
			reader_integer(r, 0, INT32_MAX, &n_changed);
		else if (reader_at(r, "changed"))
			changed = reader_strings(r, SUMMARY_MAX_CHANGED, SUMMARY_MAX_NAME,
						 &c->changed);
		else if (reader_at(r, "executed"))
			executed = reader_strings(r, SUMMARY_MAX_CHANGED, SUMMARY_MAX_NAME,
						  &c->executed);
		else if (reader_at(r, "why"))
			reader_string(r, SUMMARY_MAX_TEXT, &c->why);
	}
	reader_need(r, known, "known");
	reader_need(r, changed, "changed");
	reader_need(r, executed, "executed");
	c->n_functions = (size_t)n_functions;
	c->n_changed = (size_t)n_changed;
	reader_leave(r);
}

static void read_calibration(struct reader *r, struct calibration *c)
{
	bool has_n = false, has_false = false, floor = false, when = false;
	int64_t n = 0, n_false = 0;

	if (!reader_object(r))
		return;
	while (reader_next(r)) {
		if (reader_at(r, "n"))
			has_n = reader_integer(r, 1, INT32_MAX, &n);
		else if (reader_at(r, "n_false"))
			has_false = reader_integer(r, 0, INT32_MAX, &n_false);
		else if (reader_at(r, "floor"))
			floor = read_count(r, &c->floor);
		else if (reader_at(r, "when"))
			when = reader_time(r, &c->when_us);
		else if (reader_at(r, "layouts"))
			layout_calibration_read(r, &c->layouts, NULL);
	}
	reader_need(r, has_n, "n");
	reader_need(r, has_false, "n_false");
	if (n_false > n)
		reader_fault(r, ERR_RANGE, "n_false", "must not be greater than n");
	reader_need(r, floor, "floor");
	reader_need(r, when, "when");
	c->n = (int)n;
	c->n_false = (int)n_false;
	reader_leave(r);
}

static void read_acceptance(struct reader *r, struct acceptance *a)
{
	if (!reader_object(r))
		return;
	while (reader_next(r)) {
		if (reader_at(r, "commit"))
			summary_read_hex(r, "commit", &a->commit);
		else if (reader_at(r, "because"))
			reader_string(r, SUMMARY_MAX_TEXT, &a->because);
	}
	reader_need(r, a->commit, "commit");
	reader_leave(r);
}

bool summary_read_comparison(struct reader *r, struct bench *b)
{
	int word = 0;

	if (reader_at(r, "looks")) {
		read_looks(r, &b->looks);
	} else if (reader_at(r, "output")) {
		reader_word(r, output_words, OUTPUT_N, &word);
		b->output = (enum output)word;
	} else if (reader_at(r, "pairs_ran")) {
		reader_word(r, pairs_ran_words, PAIRS_RAN_N, &word);
		b->pairs_ran = (enum pairs_ran)word;
	} else if (reader_at(r, "work")) {
		read_work(r, &b->work);
	} else if (reader_at(r, "layouts")) {
		read_layouts(r, &b->layouts);
	} else if (reader_at(r, "changes")) {
		read_changes(r, &b->changes);
	} else if (reader_at(r, "calibration")) {
		read_calibration(r, &b->calibration);
	} else if (reader_at(r, "accepted")) {
		read_acceptance(r, &b->accepted);
	} else {
		return false;
	}
	return true;
}

static void read_accepted_item(struct reader *r, struct summary *s)
{
	struct accepted_item item = { .change = (double)NAN };

	if (!summary_read_item(r))
		return;
	while (reader_next(r)) {
		if (reader_at(r, "commit"))
			summary_read_hex(r, "commit", &item.commit);
		else if (reader_at(r, "benchmark"))
			reader_string(r, SUMMARY_MAX_NAME, &item.benchmark);
		else if (reader_at(r, "because"))
			reader_string(r, SUMMARY_MAX_TEXT, &item.because);
		else if (reader_at(r, "change"))
			read_count(r, &item.change);
	}
	reader_need(r, item.commit, "commit");
	reader_need(r, item.benchmark, "benchmark");
	summary_check_not_empty(r, item.benchmark, "benchmark");
	if (isnan(item.change))
		item.change = (double)INFINITY;
	if (!reader_failed(r) &&
	    summary_add_accepted(s, item.commit, item.benchmark, item.because, item.change, r->err))
		r->failed = true;
	free(item.commit);
	free(item.benchmark);
	free(item.because);
	reader_leave(r);
}

void summary_read_accepted(struct reader *r, struct summary *s)
{
	if (!reader_array(r, SUMMARY_MAX_ACCEPTED))
		return;
	while (reader_item(r))
		read_accepted_item(r, s);
	reader_leave(r);
}
