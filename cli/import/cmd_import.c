/*
 * pawl import - results of other harnesses, tagged with a commit and stored.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "collector/accept.h"
#include "collector/summary_frame.h"
#include "lib/base/when.h"
#include "lib/digest/digest.h"
#include "lib/foreign/foreign.h"
#include "lib/process/input.h"
#include "lib/process/stop.h"
#include "lib/record/ulid.h"
#include "lib/store/local/visit.h"
#include "reporter/judge/judge.h"

#include "lib/base/banned.h"

#define SEND_BUDGET_NS 60000000000u

/* One input, read whole. */
struct input {
	const char *name;
	struct buf text;
	char sha256[DIGEST_HEX];
	bool there; /* stored for this commit before */
	size_t n_benchmarks, n_samples;
	const char *format;
};

struct import {
	const struct options *o;
	const struct context *c;
	const struct foreign_format *format; /* NULL: by content */
	struct git_commit commit;
	struct input *inputs;
	size_t n;
	struct summary summary;
	char stored_id[ULID_TEXT]; /* of a result that holds one of the inputs; "": none */
};

/* -1: nothing is stored, and nothing shall be. */
static int go_on(struct err *err)
{
	return stop_signal ? err_stopped(err) : 0;
}

static void import_release(struct import *im)
{
	size_t i;

	for (i = 0; im->inputs && i < im->n; i++)
		buf_release(&im->inputs[i].text);
	free(im->inputs);
	git_commit_release(&im->commit);
	summary_release(&im->summary);
}

/* ---- reading ------------------------------------------------------------------------------ */

static int read_inputs(struct import *im, struct err *err)
{
	size_t i, k;

	im->n = im->o->args.n;
	im->inputs = calloc(im->n, sizeof(*im->inputs));
	if (!im->inputs)
		return err_nomem(err);
	for (i = 0; i < im->n; i++) {
		struct input *in = &im->inputs[i];

		in->name = im->o->args.v[i];
		if (input_read_named(in->name, FOREIGN_MAX_BYTES, &in->text, err) ||
		    digest_of(buf_str(&in->text), in->text.len, in->sha256, err))
			return -1;
		for (k = 0; k < i; k++)
			if (!strcmp(im->inputs[k].sha256, in->sha256))
				return err_set(err, ERR_USAGE, "'%s' and '%s' are the same",
					       im->inputs[k].name, in->name);
	}
	return 0;
}

/* As one of uncommitted changes it is none of the commit's. */
static bool wants(void *ctx, const struct store_row *row)
{
	const struct import *im = ctx;

	return !strcmp(row->commit, im->commit.id) && (!row->dirty || im->summary.commit.dirty);
}

static bool is_made_of(const struct summary *s, const char *sha256)
{
	size_t i;

	for (i = 0; i < s->imported.n; i++)
		if (s->imported.v[i].sha256 && !strcmp(s->imported.v[i].sha256, sha256))
			return true;
	return false;
}

/* Marks the inputs that a stored result of this commit was made of. */
static int look_at(void *ctx, const struct store_row *row, struct stored *stored, struct err *err)
{
	struct import *im = ctx;
	struct summary s;
	size_t i;

	if (go_on(err) || stored_summary(stored, &s, err))
		return -1;
	for (i = 0; i < im->n; i++) {
		if (!is_made_of(&s, im->inputs[i].sha256))
			continue;
		im->inputs[i].there = true;
		memcpy(im->stored_id, row->id, sizeof(im->stored_id));
	}
	summary_release(&s);
	return 0;
}

static int find_stored(struct import *im, struct store *store, struct err *err)
{
	const struct store_visitor visitor = { im, wants, look_at };
	size_t damaged = 0;

	return store ? store_visit(store, im->c->project, im->summary.machine.id, &visitor,
				   &damaged, err)
		     : 0;
}

/* ---- making the summary ------------------------------------------------------------------- */

/* The same inputs for the same commit give the same id. */
static int make_id(struct import *im, struct err *err)
{
	struct summary *s = &im->summary;
	struct digest digest = DIGEST_INIT;
	unsigned char bits[ULID_RANDOM];
	char hex[DIGEST_HEX], id[ULID_TEXT];
	int64_t ms = s->commit.commit_time_us / 1000;
	size_t i;

	if (digest_begin(&digest, err))
		return -1;
	digest_adds(&digest, s->project);
	digest_adds(&digest, s->commit.id);
	digest_adds(&digest, s->machine.id);
	if (s->commit.dirty)
		digest_adds(&digest, "dirty");
	for (i = 0; i < im->n; i++)
		if (!im->inputs[i].there)
			digest_adds(&digest, im->inputs[i].sha256);
	if (digest_end(&digest, hex, err))
		return -1;
	for (i = 0; i < ULID_RANDOM; i++) {
		char two[3] = { hex[2 * i], hex[2 * i + 1], '\0' };

		bits[i] = (unsigned char)strtoul(two, NULL, 16);
	}
	ulid_of(ms > 0 ? (uint64_t)ms : 0, bits, id);
	return str_set(&s->id, id, err);
}

static int read_one(struct import *im, struct input *in, struct err *err)
{
	struct summary *s = &im->summary;
	const struct foreign_text text = { in->name, buf_str(&in->text), in->text.len,
					   &stop_signal };
	struct imported_file *file;
	size_t had = s->n_benchmarks, i, k;

	if (foreign_read(&text, im->format, s, err)) {
		if (err->code == ERR_RANGE) /* the file's fault, not that of the command line */
			err->code = ERR_SYNTAX;
		return -1;
	}
	file = &s->imported.v[s->imported.n - 1];
	in->format = foreign_find(file->format)->name;
	in->n_benchmarks = s->n_benchmarks - had;
	for (i = had; i < s->n_benchmarks; i++) {
		s->benchmarks[i].threshold = s->settings.threshold;
		for (k = 0; k < s->benchmarks[i].n_metrics; k++)
			in->n_samples += s->benchmarks[i].metrics[k].n;
	}
	return str_set(&file->sha256, in->sha256, err);
}

static int settle(struct import *im, struct err *err)
{
	const struct history none = HISTORY_INIT;
	struct summary *s = &im->summary;
	int64_t now = when_now_us();

	if (!s->started_us)
		s->started_us = s->finished_us = now;
	s->settings.runs_min = s->settings.runs_max = 1;
	s->settings.min_time_ns = 0;
	s->settings.partial = true; /* what it lacks was not removed */
	return str_set(&s->settings.clock, NULL, err) ||
			       str_set(&s->settings.build_key, NULL, err) || /* we built nothing */
			       str_set(&s->settings.order, "alone", err) || make_id(im, err) ||
			       judge(s, &none, err)
		       ? -1
		       : 0;
}

/*
 * Of a commit that was named the files in the work tree say nothing.  Of HEAD they are asked
 * without git's filters: what is only stored runs nothing.
 */
static int tag(struct import *im, struct err *err)
{
	struct git_commit head = GIT_COMMIT_INIT;
	struct summary *s = &im->summary;
	bool filters;
	int result = 0;

	if (repo_commit(im->c->repo, im->o->commit ? im->o->commit : "HEAD", &im->commit, err) ||
	    summary_frame_begin(im->c->repo, &im->c->config, &im->commit, true, false, s, err))
		return -1;
	if (!im->o->commit)
		return repo_seems_dirty(im->c->repo, &s->commit.dirty, &filters, err);
	if (!repo_commit(im->c->repo, "HEAD", &head, NULL) && strcmp(head.id, im->commit.id) != 0)
		result = str_set(&s->commit.branch, NULL, err);
	git_commit_release(&head);
	return result;
}

/* ---- the answer --------------------------------------------------------------------------- */

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static int show(const struct import *im, const struct summary *s, struct err *err)
{
	struct options show = *im->o;
	struct buf text = BUF_INIT;
	size_t i;
	int result;

	if (im->o->json) {
		show.format = NULL; /* that of the input */
		return print_summary(&show, NULL, s, err);
	}
	for (i = 0; i < im->n; i++) {
		const struct input *in = &im->inputs[i];

		if (in->there)
			buf_addf(&text, "%s: already imported for %.12s\n", in->name,
				 im->commit.id);
		else
			buf_addf(&text, "%s: %s, %zu benchmark%s, %zu sample%s\n", in->name,
				 in->format, in->n_benchmarks, plural(in->n_benchmarks),
				 in->n_samples, plural(in->n_samples));
	}
	buf_addf(&text, "stored as %s for %.12s\n", s->id, im->commit.id);
	result = buf_check(&text, err) ? -1 : print_answer(im->o, &text, err);
	buf_release(&text);
	return result;
}

/* Nothing is new: the result that is there already is the answer. */
static int show_stored(struct import *im, struct store *store, struct err *err)
{
	struct summary stored;
	int result;

	if (store_get(store, im->stored_id, &stored, err))
		return -1;
	result = show(im, &stored, err);
	summary_release(&stored);
	return result;
}

static int keep(const struct import *im, struct store *store, struct err *err)
{
	const struct config *config = &im->c->config;
	bool post = config->server && !im->o->no_push, queued = false;
	struct err fault = ERR_INIT;
	size_t left = 0;

	if (store_add(store, &im->summary, post, &queued, err))
		return err_in(err, "the result was not stored");
	if (queued && send_queue(im->c, store, SEND_BUDGET_NS, false, &left, &fault))
		talk_warn(im->c->talk, fault.hint[0] ? fault.hint : NULL, "not posted: %s",
			  fault.text);
	return 0;
}

static int import(struct import *im, struct store *store, struct err *err)
{
	size_t i, n_new = 0;

	if (read_inputs(im, err) || tag(im, err) || find_stored(im, store, err))
		return -1;
	for (i = 0; i < im->n; i++) {
		if (im->inputs[i].there)
			continue;
		n_new++;
		if (read_one(im, &im->inputs[i], err))
			return -1;
	}
	if (!n_new)
		return show_stored(im, store, err);
	if (im->summary.commit.dirty)
		talk_warn(im->c->talk, "name the commit with --commit if they are of it",
			  "the work tree has uncommitted changes: the results are marked dirty");
	if (settle(im, err) || note_accepted(im->c->repo, &im->summary, err) || go_on(err) ||
	    keep(im, store, err) || show(im, &im->summary, err))
		return -1;
	if (!stop_signal)
		return 0;
	talk_note(im->c->talk, "stopped by a signal, when the result was stored already");
	return 128 + stop_signal;
}

static int run(const struct options *o, const struct context *c, struct store *store,
	       struct err *err)
{
	struct import im;
	int status;

	if (o->format && !strcmp(o->format, "pawl"))
		return import_own(o, c, store, err);
	memset(&im, 0, sizeof(im));
	im.o = o;
	im.c = c;
	im.format = o->format ? foreign_find(o->format) : NULL;
	summary_init(&im.summary);
	status = import(&im, store, err);
	if (status < 0 && err->code == ERR_STOPPED)
		err_set(err, ERR_STOPPED, "stopped by a signal: nothing is stored");
	import_release(&im);
	return status;
}

int cmd_import(const struct options *o)
{
	struct err err = ERR_INIT;

	if (!o->args.n) {
		err_set(&err, ERR_USAGE, "no file to import");
		err_hint(&err, "'-' means standard input");
		return complain(&err);
	}
	return run_with_store(o, STORE_WRITE, run);
}
