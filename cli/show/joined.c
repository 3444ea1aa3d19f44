#include "cli/show/joined.h"

#include <stdlib.h>
#include <string.h>

#include "cli/passed_over.h"
#include "lib/record/history.h"
#include "lib/store/local/visit.h"

#include "lib/base/banned.h"

/* The parts of the run of `newest`, the newest of each number. */
struct parts {
	const struct summary *newest;
	struct summary of[SUMMARY_MAX_SHARDS]; /* by number, from 0 */
	bool has[SUMMARY_MAX_SHARDS];
};

bool joined_is_other(const struct summary *s, const struct store_row *row)
{
	return !strcmp(row->commit, s->commit.id) && row->dirty == s->commit.dirty &&
	       strcmp(row->id, s->id) != 0;
}

static bool is_of_code(void *ctx, const struct store_row *row)
{
	return joined_is_other(((const struct parts *)ctx)->newest, row);
}

static int take(void *ctx, const struct store_row *row, struct stored *stored, struct err *err)
{
	struct parts *p = ctx;
	struct summary s;
	int i;

	(void)row;
	if (stored_summary(stored, &s, err))
		return -1;
	i = s.settings.shard.index - 1;
	if (!history_same_run(&s, p->newest) || p->has[i]) {
		summary_release(&s);
		return 0;
	}
	p->of[i] = s;
	p->has[i] = true;
	return 0;
}

/* The benchmarks move from one to the other. */
static int move_benchmarks(struct summary *to, struct summary *from, struct err *err)
{
	size_t i;

	for (i = 0; i < from->n_benchmarks; i++)
		if (summary_take_bench(to, &from->benchmarks[i], err))
			return -1;
	return 0;
}

static int note_machine(const struct summary *part, struct summary *s, struct err *err)
{
	if (!strcmp(part->machine.id, s->machine.id))
		return 0;
	return strv_addf(&s->environment.warnings, err, "part %d of %d was measured on machine %s",
			 part->settings.shard.index, part->settings.shard.count, part->machine.id);
}

static void tell_missing(const struct context *c, const struct parts *p)
{
	const struct shard *shard = &p->newest->settings.shard;
	struct buf text = BUF_INIT;
	int i, n = 0;

	for (i = 0; i < shard->count; i++)
		if (!p->has[i] && ++n <= 10)
			buf_addf(&text, "%s%d", n > 1 ? ", " : "", i + 1);
	if (n)
		talk_warn(c->talk, "run 'pawl collect --shard' for them, or import their results",
			  "of %d parts of the suite %d %s not stored here: %s%s", shard->count, n,
			  n == 1 ? "is" : "are", buf_str(&text), n > 10 ? ", ..." : "");
	buf_release(&text);
}

/* In the order of the numbers: what *s had comes out first and goes back in its place. */
static int join(struct parts *p, struct summary *s, struct err *err)
{
	int i, own = s->settings.shard.index - 1, result = 0;
	struct summary *mine = &p->of[own];

	mine->benchmarks = s->benchmarks;
	mine->n_benchmarks = s->n_benchmarks;
	s->benchmarks = NULL;
	s->n_benchmarks = 0;
	for (i = 0; i < s->settings.shard.count; i++) {
		if (!p->has[i])
			continue;
		if (!result && i != own)
			result = note_machine(&p->of[i], s, err);
		if (move_benchmarks(s, &p->of[i], result ? NULL : err))
			result = -1;
	}
	return result;
}

static bool is_whole(const struct parts *p)
{
	int i;

	for (i = 0; i < p->newest->settings.shard.count; i++)
		if (!p->has[i])
			return false;
	return true;
}

int join_parts(const struct context *c, struct store *store, struct summary *s, struct err *err)
{
	struct store_visitor visitor = { NULL, is_of_code, take };
	struct parts *p;
	size_t damaged, before = store_passed_over(store)->n;
	int i, result = -1;

	if (s->settings.shard.count < 2)
		return 0;
	p = calloc(1, sizeof(*p));
	if (!p)
		return err_nomem(err);
	p->newest = s;
	p->has[s->settings.shard.index - 1] = true; /* an older result of it is not looked at */
	visitor.ctx = p;
	if (store_visit(store, c->project, NULL, &visitor, &damaged, err) ||
	    passed_over_note(store, before, s, err))
		goto out;
	result = join(p, s, err);
	if (!result)
		tell_missing(c, p);
	if (!result && is_whole(p)) {
		free(s->settings.shard.group);
		free(s->settings.shard.split);
		s->settings.shard = (struct shard){ .count = 0 };
	}
out:
	for (i = 0; i < SUMMARY_MAX_SHARDS; i++)
		if (p->has[i])
			summary_release(&p->of[i]);
	free(p);
	return result;
}
