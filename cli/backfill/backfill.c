#include "cli/backfill/backfill.h"

#include <stdlib.h>
#include <string.h>

#include "collector/machine/machine.h"
#include "collector/unit/units.h"
#include "lib/git/history/walk.h"
#include "lib/store/local/visit.h"

#include "lib/base/banned.h"

#define TOLD_MOST 10 /* commits, a line each */

/* ---- commits --------------------------------------------------------------------------- */

int backfill_line(struct repo *repo, const char *from, const char *to, struct strv *out,
		  struct err *err)
{
	char first[OID_TEXT], parent[OID_TEXT];
	struct strv rest = STRV_INIT;
	int result = -1;

	if (repo_resolve(repo, from, first, err) ||
	    walk_between(repo, from, to, true, BACKFILL_MOST, &rest, err))
		goto out;
	if (rest.n && (repo_first_parent(repo, rest.v[0], parent, err) || strcmp(parent, first))) {
		err_set(err, ERR_USAGE, "'%s' is no first-parent ancestor of '%s'", from, to);
		err_hint(err, "start at a commit of the main line: git log --first-parent %s", to);
		goto out;
	}
	result = strv_add(out, first, err) || (rest.n && strv_add_all(out, rest.v, err)) ? -1 : 0;
out:
	strv_release(&rest);
	return result;
}

/* Leaves the marked ones. */
static int keep(struct strv *ids, const bool *marks, struct err *err)
{
	struct strv kept = STRV_INIT;
	size_t i;

	for (i = 0; i < ids->n; i++)
		if (marks[i] && strv_add(&kept, ids->v[i], err)) {
			strv_release(&kept);
			return -1;
		}
	strv_release(ids);
	*ids = kept;
	return 0;
}

/* Of n marks, both ends set. */
static bool *new_marks(size_t n, struct err *err)
{
	bool *marks = calloc(n ? n : 1, sizeof(*marks));

	if (!marks)
		err_nomem(err);
	else if (n)
		marks[0] = marks[n - 1] = true;
	return marks;
}

int backfill_keep_tags(struct repo *repo, struct strv *ids, struct err *err)
{
	bool *marks = new_marks(ids->n, err);
	struct err fault = ERR_INIT;
	size_t left = ids->n, place;
	char *name = NULL;
	int result = -1;

	while (marks && left && !walk_tag_among(repo, ids, left, &place, &name, &fault)) {
		free(name);
		name = NULL;
		marks[place] = true;
		left = place;
	}
	if (fault.code && fault.code != ERR_ABSENT)
		*err = fault;
	else if (marks)
		result = keep(ids, marks, err);
	free(marks);
	return result;
}

int backfill_keep_some(struct strv *ids, size_t n, struct err *err)
{
	bool *marks;
	size_t i;
	int result;

	if (ids->n <= n)
		return 0;
	marks = new_marks(ids->n, err);
	if (!marks)
		return -1;
	for (i = 0; i < n; i++)
		marks[i * (ids->n - 1) / (n - 1)] = true;
	result = keep(ids, marks, err);
	free(marks);
	return result;
}

/* ---- results --------------------------------------------------------------------------- */

static size_t count(const struct summary *s, enum verdict v)
{
	size_t n = 0, i;

	for (i = 0; i < s->n_benchmarks; i++)
		n += bench_verdict(&s->benchmarks[i]) == v;
	return n;
}

enum gap backfill_found(const struct summary *s)
{
	if (count(s, VERDICT_REGRESSED) || count(s, VERDICT_IMPROVED))
		return GAP_MOVED;
	return summary_is_identical(s) ? GAP_SAME : GAP_QUIET;
}

bool backfill_has_failed(const struct summary *s)
{
	return s->n_benchmarks && count(s, VERDICT_FAILED) == s->n_benchmarks;
}

bool backfill_is_of_base(const struct summary *s)
{
	const char *detail = s->n_benchmarks ? s->benchmarks[0].detail : NULL;

	return detail && str_starts(detail, "the base");
}

void backfill_known_release(struct backfill_known *k)
{
	size_t i;

	for (i = 0; i < k->n; i++) {
		free(k->v[i].head);
		free(k->v[i].base);
	}
	free(k->v);
	backfill_failed_release(&k->failed);
	*k = (struct backfill_known){ NULL, 0, 0, { NULL, 0, 0, NULL, NULL } };
}

struct load {
	const struct strv *ids;
	const struct backfill_asked *asked;
	struct backfill_known *out;
};

static bool is_wanted(void *ctx, const struct store_row *row)
{
	const struct load *l = ctx;

	return !row->dirty && strv_has(l->ids, row->commit);
}

int backfill_known_add(struct backfill_known *k, const char *head, const char *base, enum gap found,
		       struct err *err)
{
	struct backfill_result *grown;

	if (k->n == k->cap) {
		size_t cap = k->cap ? 2 * k->cap : 64;

		grown = realloc(k->v, cap * sizeof(*grown));
		if (!grown)
			return err_nomem(err);
		k->v = grown;
		k->cap = cap;
	}
	grown = &k->v[k->n++];
	*grown = (struct backfill_result){ NULL, NULL, found };
	return str_set(&grown->head, head, err) || str_set(&grown->base, base, err) ? -1 : 0;
}

static int take(void *ctx, const struct store_row *row, struct stored *stored, struct err *err)
{
	const struct load *l = ctx;
	struct summary s;
	int result = 0;

	(void)row;
	if (stored_summary(stored, &s, err))
		return -1;
	if (!backfill_has_failed(&s) && backfill_has_all(l->asked, &s) && s.baseline.commit)
		result = backfill_known_add(
			l->out, s.commit.id, s.baseline.commit,
			backfill_is_alike(l->asked, &s) ? backfill_found(&s) : GAP_UNKNOWN, err);
	summary_release(&s);
	return result;
}

int backfill_known_load(struct store *store, const char *project, const char *machine,
			const struct strv *ids, const struct backfill_asked *asked,
			struct backfill_known *out, struct err *err)
{
	struct load l = { ids, asked, out };
	const struct store_visitor visitor = { &l, is_wanted, take };
	struct summary here; /* for its machine */
	size_t damaged;
	int result = -1;

	summary_init(&here);
	if (!machine && machine_describe(&here.machine, err))
		goto out;
	machine = machine ? machine : here.machine.id;
	result = store_visit(store, project, machine, &visitor, &damaged, err) ||
				 backfill_failed_load(store, project, machine, asked->config,
						      asked->build_key, asked->only, &out->failed,
						      err)
			 ? -1
			 : 0;
out:
	summary_release(&here);
	return result;
}

enum gap backfill_known_gap(const struct backfill_known *k, const char *base, const char *head)
{
	size_t i;

	for (i = 0; i < k->n; i++)
		if (k->v[i].found != GAP_UNKNOWN && !strcmp(k->v[i].base, base) &&
		    !strcmp(k->v[i].head, head))
			return k->v[i].found;
	return GAP_UNKNOWN;
}

size_t backfill_known_otherwise(const struct backfill_known *k)
{
	size_t i, n = 0;

	for (i = 0; i < k->n; i++)
		n += k->v[i].found == GAP_UNKNOWN &&
		     backfill_known_gap(k, k->v[i].base, k->v[i].head) == GAP_UNKNOWN;
	return n;
}

const char *backfill_known_failure(const struct backfill_known *k, const char *head)
{
	const char *why = backfill_failed_why(&k->failed, head);
	size_t i;

	for (i = 0; why && i < k->n; i++)
		if (k->v[i].found != GAP_UNKNOWN && !strcmp(k->v[i].head, head))
			return NULL;
	return why;
}

void backfill_tell_failures(const struct backfill_known *k, const struct strv *ids, struct buf *out)
{
	size_t n = 0, i;

	for (i = 0; i < ids->n; i++) {
		const char *why = backfill_known_failure(k, ids->v[i]);

		if (why && n++ < TOLD_MOST)
			buf_addf(out, "left out, as it failed: %.10s: %s\n", ids->v[i], why);
	}
	if (n > TOLD_MOST)
		buf_addf(out, "left out, as they failed: %zu more\n", n - TOLD_MOST);
	if (n)
		buf_adds(out, "to try again what failed: the same command with --again\n");
}
