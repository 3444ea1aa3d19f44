#include "cli/backfill/plan.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/backfill/join.h"
#include "cli/backfill/parts.h"
#include "cli/backfill/slurm.h"
#include "lib/base/number.h"

#include "lib/base/banned.h"

struct plan {
	struct backfill_work *w;
	struct backfill_joined joined;
	struct strv parts;
	struct buf dir;
	size_t most; /* parts that are wanted */
	size_t n_gaps, n_left;
};

static void plan_release(struct plan *p)
{
	backfill_joined_release(&p->joined);
	strv_release(&p->parts);
	buf_release(&p->dir);
}

bool backfill_is_plan(const struct options *o)
{
	return o->matrix.n || o->slurm || o->join;
}

int backfill_folder(const struct options *o, const struct context *c, struct buf *out,
		    struct err *err)
{
	const char *given = o->parts_dir;
	char here[PATH_MAX];

	if (!given)
		buf_addf(out, "%s/parts", c->state_dir);
	else if (given[0] != '/' && getcwd(here, sizeof(here)))
		buf_addf(out, "%s/%s", here, given);
	else
		buf_adds(out, given);
	return buf_check(out, err);
}

static int parts_wanted(const struct options *o, size_t *out, struct err *err)
{
	const char *option = o->slurm ? "slurm" : "matrix";
	const char *text = o->slurm ? o->slurm : o->matrix.n ? o->matrix.v[0] : "1";
	uint64_t n;

	if (!!o->slurm + !!o->matrix.n + o->join > 1 || o->matrix.n > 1)
		return err_set(err, ERR_USAGE, "--join, --matrix and --slurm exclude each other");
	if (!number_u64(text, &n) || n < 1 || n > BACKFILL_PARTS_MOST)
		return err_set(err, ERR_USAGE, "--%s takes a number of parts, 1 to %d, not '%s'",
			       option, BACKFILL_PARTS_MOST, text);
	if (o->submodules) {
		err_set(err, ERR_USAGE, "--submodules is not for other machines: a clone has none");
		return err_hint(err, "let the build fetch them");
	}
	*out = (size_t)n;
	return 0;
}

/* ---- what it says --------------------------------------------------------------------------- */

static void add_line(const char *pool, const struct strv *words, struct buf *out)
{
	char *const one[] = { (char *)(uintptr_t)pool, NULL };

	buf_adds(out, "  ");
	if (pool) {
		buf_adds(out, "PAWL_POOL=");
		words_quote(one, out);
		buf_addc(out, ' ');
	}
	words_quote(words->v, out);
	buf_addc(out, '\n');
}

/* "pawl backfill --part ... --files ...": --join makes one part of all that is missing. */
static int add_part(const struct plan *p, struct buf *out, struct err *err)
{
	struct strv words = STRV_INIT;
	int result = strv_addf(&words, err, "pawl") || strv_add(&words, "backfill", err) ||
		     strv_addf(&words, err, "--part=%s", p->parts.v[0]) ||
		     strv_addf(&words, err, "--files=%s", buf_str(&p->dir)) ||
		     backfill_words(p->w->o, &words, err);

	if (!result)
		add_line(p->joined.pool, &words, out);
	strv_release(&words);
	return result ? -1 : 0;
}

/* The same call, in another mode: "--join", "--slurm=3". */
static int add_again(const struct plan *p, const char *mode, struct buf *out, struct err *err)
{
	const struct options *o = p->w->o;
	struct strv words = STRV_INIT;
	int result = strv_add(&words, "pawl", err) || strv_add(&words, "backfill", err) ||
		     strv_add(&words, o->args.v[0], err) || strv_add(&words, mode, err) ||
		     (o->points && strv_addf(&words, err, "--points=%s", o->points)) ||
		     (o->tags && strv_add(&words, "--tags", err)) ||
		     (o->parts_dir && strv_addf(&words, err, "--files=%s", buf_str(&p->dir))) ||
		     backfill_words(o, &words, err);

	if (!result)
		add_line(NULL, &words, out);
	strv_release(&words);
	return result ? -1 : 0;
}

static void add_count(const struct plan *p, struct buf *out)
{
	buf_addf(out, "%zu commits, %zu step%s: %zu done, %zu of them joined now, %zu missing\n",
		 p->w->ids.n, p->n_gaps, p->n_gaps == 1 ? "" : "s", p->n_gaps - p->n_left,
		 p->joined.n_taken, p->n_left);
}

static int say_joined(const struct plan *p, struct buf *out, struct err *err)
{
	char *const machine[] = { p->joined.machine, NULL };

	add_count(p, out);
	backfill_tell_failures(&p->w->known, &p->w->ids, out);
	if (!p->n_left) {
		buf_adds(out, "to see what moved: pawl history --machine ");
		words_quote(machine, out); /* as a file has it */
		buf_addc(out, '\n');
		return buf_check(out, err);
	}
	if (!p->joined.n_files)
		buf_addf(out, "there is no result in '%s'\n", buf_str(&p->dir));
	buf_adds(out, "to measure what is missing, on a machine of the same kind:\n");
	if (add_part(p, out, err))
		return -1;
	buf_adds(out, "or on a cluster, with --constraint as before:\n");
	return add_again(p, "--slurm=1", out, err) || buf_check(out, err) ? -1 : 0;
}

static int submit(const struct plan *p, struct buf *out, struct err *err)
{
	struct buf job = BUF_INIT, again = BUF_INIT;
	int result = -1;

	add_count(p, out);
	if (!p->n_left) {
		buf_adds(out, "nothing is left to submit\n");
		return buf_check(out, err);
	}
	if (backfill_submit(p->w->o, p->w->c, &p->parts, buf_str(&p->dir), &job, &again, err))
		goto out;
	buf_addf(out, "job %s: %zu part%s with %zu comparison%s\n", buf_str(&job), p->parts.n,
		 p->parts.n == 1 ? "" : "s", p->n_left, p->n_left == 1 ? "" : "s");
	buf_addf(out, "to run part N again: %s\n", buf_str(&again));
	buf_adds(out, "to take the results when they are there:\n");
	result = add_again(p, "--join", out, err) || buf_check(out, err) ? -1 : 0;
out:
	buf_release(&job);
	buf_release(&again);
	return result;
}

static int answer(const struct plan *p, struct err *err)
{
	const struct options *o = p->w->o;
	struct buf text = BUF_INIT;
	int result = o->matrix.n ? backfill_parts_json(&p->parts, &text, err)
		     : o->slurm	 ? submit(p, &text, err)
				 : say_joined(p, &text, err);

	if (!result && o->matrix.n && !p->parts.n)
		talk_note(p->w->c->talk, "nothing is left to measure: the matrix is empty");
	if (!result)
		result = print_answer(o, &text, err);
	buf_release(&text);
	return result;
}

int backfill_plan(struct backfill_work *w, size_t *out_left, struct err *err)
{
	struct plan p = { .w = w };
	int result = -1;

	if (parts_wanted(w->o, &p.most, err) || backfill_folder(w->o, w->c, &p.dir, err) ||
	    backfill_join(w->o, w->c, w->store, buf_str(&p.dir), &w->ids, &w->asked, &w->known,
			  &p.joined, err))
		goto out;
	if (w->o->again)
		backfill_failed_reset(&w->ids, &w->known.failed);
	if (backfill_parts_of(&w->ids, &w->known, w->asked.submodules, p.most, &p.parts, &p.n_gaps,
			      &p.n_left, err))
		goto out;
	result = answer(&p, err);
	*out_left = p.n_left;
out:
	plan_release(&p);
	return result;
}
