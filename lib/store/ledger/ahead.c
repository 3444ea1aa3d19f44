/* What is there of a summary before it is stored: one question, since each may cost a journey. */
#include <stdio.h>
#include <string.h>

#include "lib/store/ledger/put.h"

#include "lib/base/banned.h"

/* Which row it is. */
enum { SAME_ID = 1, MACHINE, COMMIT, BASE, PARENT, CHILD };

static const char question[] =
	"SELECT 1, 0, 0, sha256 FROM run WHERE project_id=?1 AND apart=?2 AND id=?3"
	" UNION ALL SELECT 2, env_id, CASE WHEN facts=?5 THEN 1 ELSE 0 END, '' FROM env"
	"  WHERE project_id=?1 AND apart=?2 AND machine=?4"
	" UNION ALL SELECT 3, commit_id, place, '' FROM vcs_commit"
	"  WHERE project_id=?1 AND apart=?2 AND sha=?6"
	" UNION ALL SELECT 4, commit_id, place, '' FROM vcs_commit"
	"  WHERE project_id=?1 AND apart=?2 AND sha=?7"
	" UNION ALL SELECT 5, commit_id, place, '' FROM vcs_commit"
	"  WHERE project_id=?1 AND apart=?2 AND sha=?8"
	" UNION ALL SELECT 6, 0, min(place), '' FROM vcs_commit INDEXED BY commit_by_parent"
	"  WHERE project_id=?1 AND apart=?2 AND parent=?6 AND place IS NOT NULL"
	" UNION ALL SELECT 6, 0, min(c.place), '' FROM other_parent AS o"
	"  JOIN vcs_commit AS c ON c.project_id=o.project_id AND c.commit_id=o.commit_id"
	"  WHERE o.project_id=?1 AND o.apart=?2 AND o.parent=?6";

static void take_row(struct db_query *st, struct put_ahead *a)
{
	int64_t number = db_integer(st, 1);
	bool has_place = !db_is_null(st, 2);
	int64_t place = has_place ? db_integer(st, 2) : 0;

	switch (db_integer(st, 0)) {
	case SAME_ID:
		snprintf(a->sha256, sizeof(a->sha256), "%s", db_text(st, 3));
		break;
	case MACHINE:
		a->env = number;
		a->same_facts = place != 0;
		break;
	case COMMIT:
		a->commit = number;
		a->place = has_place ? place : INT64_MIN;
		break;
	case BASE:
		a->base = number;
		break;
	case PARENT:
		a->parent_place = has_place ? place : INT64_MIN;
		break;
	case CHILD:
		if (has_place && place < a->child_place)
			a->child_place = place;
		break;
	}
}

void put_facts(const struct machine *m, struct buf *out)
{
	struct jsonw w;
	size_t i;

	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "id", m->id);
	jsonw_kstring(&w, "cpu", m->cpu);
	jsonw_kinteger(&w, "cores", m->cores);
	jsonw_kstring(&w, "os", m->os);
	jsonw_kstring(&w, "kernel", m->kernel);
	jsonw_kstring(&w, "governor", m->governor);
	jsonw_key(&w, "facts");
	jsonw_object(&w);
	for (i = 0; i < m->more.n; i++)
		jsonw_kstring(&w, m->more.v[i].name, m->more.v[i].value);
	jsonw_object_end(&w);
	jsonw_object_end(&w);
}

static int start(struct put *put, const char *facts, struct db_query **out, struct err *err)
{
	const struct summary *s = put->post->summary;
	const struct commit_tag *c = &s->commit;

	return db_start(&put->l->db, out, err, question, "iitttttt", put->project,
			(int64_t)put->post->untrusted, s->id, s->machine.id, facts, c->id,
			s->baseline.commit, c->parents.n ? c->parents.v[0] : NULL);
}

static int take(struct db *db, struct db_query *st, struct put_ahead *out, struct err *err)
{
	int step;

	*out = (struct put_ahead){ .place = INT64_MIN,
				   .parent_place = INT64_MIN,
				   .child_place = INT64_MAX };
	while ((step = db_step(db, st, err)) > 0)
		take_row(st, out);
	return step;
}

int put_look(struct put *put, const char *facts, struct err *err)
{
	struct db_query *st = NULL;
	int result;

	if (start(put, facts, &st, err))
		return -1;
	result = take(&put->l->db, st, &put->ahead, err);
	db_end(st);
	return result;
}

int put_look_sides(struct put *put, struct err *err)
{
	const struct strv *parents = &put->post->summary->commit.parents;
	int64_t place;
	size_t i;
	int found;

	for (i = 1; i < parents->n; i++) {
		found = db_get(&put->l->db, &place, err,
			       "SELECT place FROM vcs_commit WHERE project_id=?1 AND apart=?2"
			       " AND sha=?3 AND place IS NOT NULL",
			       "iit", put->project, (int64_t)put->post->untrusted, parents->v[i]);
		if (found < 0)
			return -1;
		if (!found && place > put->ahead.parent_place)
			put->ahead.parent_place = place;
	}
	return 0;
}

/* Number i, of its project as it is known so far. */
static int send(struct put_looks *k, struct ledger *l, const struct tally *t, size_t i,
		struct err *err)
{
	struct put put = { .l = l, .post = k->posts[i] };
	const struct summary *s = put.post->summary;
	struct buf facts = BUF_INIT;
	int result = -1;

	put.project = tally_project_id(t, s->project);
	if (!put.project || put.project == k->project[i])
		return 0;
	/* That of another one, which was remembered wrongly. */
	db_end(k->sent[i]);
	k->sent[i] = NULL;
	k->project[i] = put.project;
	put_facts(&s->machine, &facts);
	if (!buf_check(&facts, err) && !start(&put, buf_str(&facts), &k->sent[i], err))
		result = db_ahead(&l->db, k->sent[i], err);
	buf_release(&facts);
	return result;
}

static int send_all(struct put_looks *k, struct ledger *l, const struct tally *t, struct err *err)
{
	size_t i;

	for (i = 0; i < k->n; i++)
		if (send(k, l, t, i, err))
			return -1;
	return 0;
}

/* What is remembered of projects is asked about before it is known to be true. */
static int ask(struct put_looks *k, struct ledger *l, struct tally *t, struct err *err)
{
	size_t i;

	for (i = 0; i < k->n; i++)
		if (tally_ask(l, t, k->posts[i]->summary->project, err))
			return -1;
	if (send_all(k, l, t, err) || db_settle(&l->db, err) || tally_take(l, t, err))
		return -1;
	return send_all(k, l, t, err);
}

int looks_take(struct put_looks *k, struct ledger *l, struct tally *t, struct post **posts,
	       size_t n, struct err *err)
{
	int result;
	size_t i;

	k->posts = posts;
	k->n = n;
	memset(k->sent, 0, sizeof(k->sent));
	memset(k->project, 0, sizeof(k->project));
	result = ask(k, l, t, err);
	for (i = 0; i < n; i++) {
		k->is_there[i] =
			!result && k->sent[i] && tally_project_id(t, posts[i]->summary->project);
		if (k->is_there[i])
			result = take(&l->db, k->sent[i], &k->found[i], err);
		db_end(k->sent[i]);
	}
	return result;
}

static bool same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

static const char *parent_of(const struct summary *s)
{
	return s->commit.parents.n ? s->commit.parents.v[0] : NULL;
}

/* Whether what is stored of `before` may be another answer to what was asked for `s`. */
static bool is_touched(const struct summary *s, const struct put_ahead *a,
		       const struct summary *before, const struct put_ahead *of_before)
{
	const char *commit = s->commit.id, *then = before->commit.id;

	return same(s->id, before->id) || same(commit, then) ||
	       same(commit, before->baseline.commit) || same(s->baseline.commit, then) ||
	       (!a->base && same(s->baseline.commit, before->baseline.commit)) ||
	       same(parent_of(s), then) || (commit && strv_has(&before->commit.parents, commit)) ||
	       (same(s->machine.id, before->machine.id) &&
		!(a->env && a->same_facts && of_before->same_facts));
}

bool looks_hold(const struct put_looks *k, size_t i)
{
	const struct post *post = k->posts[i], *before;
	size_t j;

	for (j = 0; k->is_there[i] && j < i; j++) {
		before = k->posts[j];
		if (before->untrusted == post->untrusted &&
		    same(before->summary->project, post->summary->project) &&
		    is_touched(post->summary, &k->found[i], before->summary, &k->found[j]))
			return false;
	}
	return k->is_there[i];
}
