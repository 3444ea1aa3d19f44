#include "collector/accept.h"

#include <math.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/base/strv.h"
#include "lib/base/timeunit.h"
#include "lib/judge/worse.h"

#include "lib/base/banned.h"

#define BEYOND "beyond what was accepted: " /* the last note of a delta, in a stored one too */
#define ID_SHOWN 7
#define TOLD 64 /* entries, the last ones */

static bool worse_of(const struct bench *b, struct worse *out)
{
	const struct metric *m = bench_find_metric(b, b->gate);
	const struct delta *d = bench_delta(b);

	if (!m || !d)
		return false;
	*out = (struct worse){ d->ratio, d->low, d->high, m->better == BETTER_HIGHER };
	return true;
}

bool accept_size(const struct bench *b, double *out)
{
	struct worse w;
	double most, size;

	if (!b->paired || !worse_of(b, &w))
		return false;
	most = worse_at_most(&w);
	if (!isfinite(most))
		return false;
	size = ceil((most - 1) * 1000 - 1e-6) / 1000;
	if (size > ACCEPTED_CHANGE_MAX)
		return false;
	*out = size > 0 ? size : 0;
	return true;
}

const char *accept_metric(const struct bench *b)
{
	const struct metric *m = b->gate ? bench_find_metric(b, b->gate) : NULL;

	return !m || time_unit_is(m->unit) ? NULL : m->name;
}

static int mark(struct bench *b, const struct accepted_change *c, struct err *err)
{
	return str_set(&b->accepted.commit, c ? c->commit : NULL, err) ||
			       str_set(&b->accepted.because, c ? c->because : NULL, err)
		       ? -1
		       : 0;
}

/* A stored result brings the note of the last time along. */
static int forget_note(struct delta *d, struct err *err)
{
	char *old = d->note ? strstr(d->note, BEYOND) : NULL;

	if (!old)
		return 0;
	if (old == d->note)
		return str_set(&d->note, NULL, err);
	while (old > d->note && strchr("; ", old[-1]))
		old--;
	*old = '\0';
	return 0;
}

/* "beyond what was accepted: +6.1% in 3f78685; it is at least 180.3 % worse than that" */
static int note_beyond(struct delta *d, const struct allowance *sum, double proved, struct err *err)
{
	char size[ACCEPTED_CHANGE_TEXT];
	struct buf text = BUF_INIT;
	int result;

	/* the product of several is as long as a double is */
	accepted_change_print(round((sum->ratio - 1) * 1e5) / 1e5, size);
	buf_addf(&text, "%s%s" BEYOND "%s in ", d->note ? d->note : "", d->note ? "; " : "", size);
	if (sum->n > 1)
		buf_addf(&text, "%zu commits", sum->n);
	else
		buf_addf(&text, "%.*s", ID_SHOWN, sum->last->commit);
	if (d->by_difference)
		buf_adds(&text, ", and this has no ratio to compare with it");
	else
		buf_addf(&text, ", and this is at least %.1f %% worse than that",
			 100 * (proved / sum->ratio - 1));
	result = buf_check(&text, err) || str_set(&d->note, buf_str(&text), err) ? -1 : 0;
	buf_release(&text);
	return result;
}

/* A regression of a commit. */
static int weigh(struct repo *repo, const struct accepted *accepted, const struct summary *s,
		 struct bench *b, struct delta *d, struct err *err)
{
	const char *base = b->baseline_commit ? b->baseline_commit : s->baseline.commit;
	struct allowance sum = { NULL, 1, 0 };
	struct err fault = ERR_INIT;
	struct worse w;

	if (accepted_sum(accepted, repo, base, s->commit.id, b->name, accept_metric(b), &sum,
			 &fault) &&
	    fault.code != ERR_ABSENT) {
		if (err)
			*err = fault;
		return -1;
	}
	if (!sum.last || !worse_of(b, &w))
		return 0;
	if (!worse_is_within(worse_at_least(&w), sum.ratio, b->threshold))
		return note_beyond(d, &sum, worse_at_least(&w), err);
	return mark(b, sum.last, err);
}

int apply_accepted(struct repo *repo, const struct accepted *accepted, struct summary *s,
		   struct err *err)
{
	size_t i;

	for (i = 0; i < s->n_benchmarks; i++) {
		struct bench *b = &s->benchmarks[i];
		struct metric *m = b->gate ? bench_find_metric(b, b->gate) : NULL;

		if (mark(b, NULL, err) || (m && forget_note(&m->delta, err)))
			return -1;
		if (m && bench_verdict(b) == VERDICT_REGRESSED && !s->commit.dirty &&
		    s->commit.id && weigh(repo, accepted, s, b, &m->delta, err))
			return -1;
	}
	return 0;
}

/* What `pawl accept --all` wrote for one commit is told as a whole. */
static size_t first_told(const struct accepted *a)
{
	size_t i = a->n > TOLD ? a->n - TOLD : 0;

	while (i && a->n - i < SUMMARY_MAX_ACCEPTED && !strcmp(a->v[i - 1].commit, a->v[i].commit))
		i--;
	return i;
}

int note_accepted(struct repo *repo, struct summary *s, struct err *err)
{
	struct accepted a = ACCEPTED_INIT;
	struct err fault = ERR_INIT;
	int result = 0;
	size_t i;

	summary_drop_accepted(s);
	if (!s->commit.id || s->commit.dirty)
		return 0;
	if (accepted_load_committed(repo, s->commit.id, &a, &fault))
		return fault.code == ERR_NOMEM ? err_nomem(err) : 0;
	for (i = first_told(&a); !result && i < a.n; i++)
		if (!a.v[i].metric)
			result = summary_add_accepted(s, a.v[i].commit, a.v[i].benchmark,
						      a.v[i].because, a.v[i].change, err);
	accepted_release(&a);
	return result;
}
