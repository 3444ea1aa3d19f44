#include "cli/show/imports.h"

#include <stdlib.h>
#include <string.h>

#include "cli/show/joined.h"
#include "cli/passed_over.h"
#include "lib/digest/digest.h"
#include "lib/record/ulid.h"
#include "lib/store/local/visit.h"

#include "lib/base/banned.h"

/* ---- the imports of one commit ------------------------------------------------------------ */

struct join {
	struct summary *to;
	struct buf ids; /* of what joined */
};

static bool is_of_code(void *ctx, const struct store_row *row)
{
	return joined_is_other(((const struct join *)ctx)->to, row);
}

/* What is moved is left empty. */
static int take_new(struct join *join, struct summary *from, struct err *err)
{
	bool any = false;
	size_t i;

	for (i = 0; i < from->n_benchmarks; i++) {
		struct bench *b = &from->benchmarks[i];

		if (summary_find(join->to, b->name))
			continue;
		if (summary_take_bench(join->to, b, err))
			return -1;
		any = true;
	}
	if (any)
		buf_adds(&join->ids, from->id);
	return 0;
}

static int take(void *ctx, const struct store_row *row, struct stored *stored, struct err *err)
{
	struct join *join = ctx;
	struct summary from;
	int result = 0;

	(void)row;
	if (stored_summary(stored, &from, err))
		return -1;
	if (from.imported.n)
		result = take_new(join, &from, err);
	summary_release(&from);
	return result;
}

static int name_joined(struct summary *s, const struct buf *ids, struct err *err)
{
	unsigned char bits[DIGEST_BYTES];
	int64_t ms = s->commit.commit_time_us / 1000;
	char id[ULID_TEXT];

	if (buf_check(ids, err))
		return -1;
	digest_bytes(ids->data, ids->len, bits);
	ulid_of(ms > 0 ? (uint64_t)ms : 0, bits, id);
	return str_set(&s->id, id, err);
}

int join_imports(const struct context *c, struct store *store, struct summary *s, struct err *err)
{
	struct join join = { s, BUF_INIT };
	const struct store_visitor visitor = { &join, is_of_code, take };
	size_t damaged, alone;
	int result;

	if (!s->imported.n || !s->commit.id)
		return 0;
	buf_adds(&join.ids, s->id);
	alone = join.ids.len;
	result = store_visit(store, c->project, s->machine.id, &visitor, &damaged, err);
	if (!result && join.ids.len > alone)
		result = name_joined(s, &join.ids, err);
	buf_release(&join.ids);
	return result;
}

/* ---- of two commits ------------------------------------------------------------------------ */

struct import {
	char id[ULID_TEXT], machine[17];
	bool dirty;
};

/* The imports of a commit, the newest first; of a machine, with or without changes, the newest. */
struct imports {
	const char *commit;
	struct import *v;
	size_t n;
	bool has_clean;
};

struct both {
	struct imports of[2]; /* base, head */
};

static bool is_of_either(void *ctx, const struct store_row *row)
{
	const struct both *both = ctx;

	return !strcmp(row->commit, both->of[0].commit) || !strcmp(row->commit, both->of[1].commit);
}

static int add_import(struct imports *to, const struct store_row *row, struct err *err)
{
	struct import *grown;
	size_t i;

	if (strcmp(row->commit, to->commit) != 0)
		return 0;
	for (i = 0; i < to->n; i++)
		if (to->v[i].dirty == row->dirty && !strcmp(to->v[i].machine, row->machine))
			return 0;
	grown = realloc(to->v, (to->n + 1) * sizeof(*grown));
	if (!grown)
		return err_nomem(err);
	to->v = grown;
	memcpy(grown[to->n].id, row->id, sizeof(grown[to->n].id));
	memcpy(grown[to->n].machine, row->machine, sizeof(grown[to->n].machine));
	grown[to->n].dirty = row->dirty;
	to->has_clean = to->has_clean || !row->dirty;
	to->n++;
	return 0;
}

static int note_import(void *ctx, const struct store_row *row, struct stored *stored,
		       struct err *err)
{
	struct both *both = ctx;
	struct summary s;
	int result = 0;

	if (stored_summary(stored, &s, err))
		return -1;
	if (s.imported.n)
		result = add_import(&both->of[0], row, err) || add_import(&both->of[1], row, err)
				 ? -1
				 : 0;
	summary_release(&s);
	return result;
}

/* The next that counts from the i-th on; n where there is none. */
static size_t next_of(const struct imports *imports, size_t i)
{
	while (i < imports->n && imports->has_clean && imports->v[i].dirty)
		i++;
	return i;
}

/* The newest of one machine, else the newest; both have some. */
static void choose(const struct both *both, const struct import **out_base,
		   const struct import **out_head)
{
	const struct imports *base = &both->of[0], *head = &both->of[1];
	size_t i, k;

	for (i = next_of(head, 0); i < head->n; i = next_of(head, i + 1))
		for (k = next_of(base, 0); k < base->n; k = next_of(base, k + 1))
			if (!strcmp(base->v[k].machine, head->v[i].machine)) {
				*out_base = &base->v[k];
				*out_head = &head->v[i];
				return;
			}
	*out_base = &base->v[next_of(base, 0)];
	*out_head = &head->v[next_of(head, 0)];
}

static int load(const struct context *c, struct store *store, const struct import *import,
		struct summary *out, struct err *err)
{
	if (store_get(store, import->id, out, err))
		return -1;
	if (!join_imports(c, store, out, err))
		return 0;
	summary_release(out);
	return -1;
}

static int tell_dirty(const struct import *import, const char *side, const struct imports *of,
		      struct summary *s, struct err *err)
{
	return import->dirty ? strv_addf(&s->environment.warnings, err,
					 "the %s %.12s was imported with uncommitted changes, and "
					 "not without",
					 side, of->commit)
			     : 0;
}

int imports_of_both(const struct context *c, struct store *store, const char *base,
		    const char *head, struct summary *out_base, struct summary *out_head,
		    struct err *err)
{
	struct both both = { { { .commit = base }, { .commit = head } } };
	const struct store_visitor visitor = { &both, is_of_either, note_import };
	const struct import *from, *to;
	size_t damaged, before = store_passed_over(store)->n;
	int result = -1;

	if (store_visit(store, c->project, NULL, &visitor, &damaged, err))
		goto out;
	if (!both.of[0].n || !both.of[1].n) {
		err_set(err, ERR_ABSENT, "they are not imported");
		goto out;
	}
	choose(&both, &from, &to);
	if (load(c, store, from, out_base, err))
		goto out;
	if (load(c, store, to, out_head, err)) {
		summary_release(out_base);
		goto out;
	}
	result = tell_dirty(from, "base", &both.of[0], out_head, err) ||
				 tell_dirty(to, "head", &both.of[1], out_head, err) ||
				 passed_over_note(store, before, out_head, err)
			 ? -1
			 : 0;
	if (result) {
		summary_release(out_base);
		summary_release(out_head);
	}
out:
	free(both.of[0].v);
	free(both.of[1].v);
	return result;
}
