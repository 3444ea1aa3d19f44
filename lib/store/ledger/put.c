#include "lib/store/ledger/put.h"

#include <string.h>

#include "lib/base/when.h"
#include "lib/store/ledger/known.h"
#include "lib/store/ledger/newest.h"
#include "lib/store/ledger/runs.h"

#include "lib/base/banned.h"

int64_t put_next_id(struct put *put)
{
	return put->next_id++;
}

static int64_t apart(const struct put *put)
{
	return put->post->untrusted;
}

/* A known machine keeps its row; what drifts (the kernel) is what was said last. */
static int store_env(struct put *put, const char *facts, struct err *err)
{
	put->env = put->ahead.env;
	if (put->env && put->ahead.same_facts)
		return 0;
	if (put->env)
		return db_run(&put->l->db, err,
			      "UPDATE env SET facts=?3 WHERE project_id=?1 AND env_id=?2", "iit",
			      put->project, put->env, facts);
	put->env = put_next_id(put);
	return db_run(&put->l->db, err,
		      "INSERT INTO env (project_id, env_id, apart, machine, facts)"
		      " VALUES (?1,?2,?3,?4,?5)",
		      "iiitt", put->project, put->env, apart(put), put->post->summary->machine.id,
		      facts);
}

int put_env(struct put *put, struct err *err)
{
	struct buf facts = BUF_INIT;
	int result;

	put_facts(&put->post->summary->machine, &facts);
	result = buf_check(&facts, err) ? -1 : 0;
	if (!result && !put->has_ahead)
		result = put_look(put, buf_str(&facts), err);
	if (!result && put->ahead.sha256[0] && !put->is_repair)
		result = 1;
	if (!result)
		result = store_env(put, buf_str(&facts), err);
	buf_release(&facts);
	return result;
}

/* 1: found. */
static int find_commit(struct put *put, const char *sha, int64_t *out, struct err *err)
{
	int found = db_get(&put->l->db, out, err,
			   "SELECT commit_id FROM vcs_commit"
			   " WHERE project_id=?1 AND apart=?2 AND sha=?3",
			   "iit", put->project, apart(put), sha);

	return found < 0 ? -1 : !found;
}

/* One of which nothing is known but its id. */
static int make_stub(struct put *put, const char *sha, int64_t *out, struct err *err)
{
	*out = put_next_id(put);
	return db_run(&put->l->db, err,
		      "INSERT INTO vcs_commit (project_id, commit_id, apart, sha)"
		      " VALUES (?1,?2,?3,?4)",
		      "iiit", put->project, *out, apart(put), sha);
}

static bool is_base(const struct put *put, const char *sha)
{
	const char *base = put->post->summary->baseline.commit;

	return base && !strcmp(base, sha);
}

/* Whoever asks for it next finds it. */
static void remember(struct put *put, const char *sha, int64_t id)
{
	put->stub_sha = sha;
	put->stub_id = id;
	if (is_base(put, sha))
		put->ahead.base = id;
}

int put_commit_stub(struct put *put, const char *sha, int64_t *out, struct err *err)
{
	int found = 1;

	*out = 0;
	if (!sha)
		return 0;
	if (put->stub_sha && !strcmp(put->stub_sha, sha)) {
		*out = put->stub_id;
		return 0;
	}
	if (put->is_repair || !is_base(put, sha))
		found = find_commit(put, sha, out, err);
	else if (put->ahead.base)
		*out = put->ahead.base;
	else
		found = 0;
	if (found < 0 || (!found && make_stub(put, sha, out, err)))
		return -1;
	remember(put, sha, *out);
	return 0;
}

/* A date may be wrong; that nothing is received before it was committed is not. */
static int64_t likely_time(const struct put *put)
{
	int64_t told = put->post->summary->commit.commit_time_us;

	return told < put->post->received_us ? told : put->post->received_us;
}

/*
 * By its date, but before its children and behind its parents, as far as they are known. Where
 * both cannot be (a child stands before a parent already), behind the parents.
 */
static int64_t find_place(const struct put *put, int64_t t)
{
	const struct put_ahead *a = &put->ahead;

	if (t >= a->child_place)
		t = a->child_place - 1;
	return t <= a->parent_place ? a->parent_place + 1 : t;
}

/*
 * A date that is ahead of this server's clock is wrong, or that clock is.  Where the clock was set
 * back, the commits that are there already are behind it, too, and this one came after them: so far
 * the date is believed.
 */
static int find_time(struct put *put, int64_t *out, struct err *err)
{
	int64_t told = put->post->summary->commit.commit_time_us, latest;
	int found;

	*out = likely_time(put);
	if (*out == told)
		return 0;
	found = db_get(&put->l->db, &latest, err,
		       "SELECT place FROM vcs_commit INDEXED BY commit_by_place"
		       " WHERE project_id=?1 AND apart=?2 AND place IS NOT NULL"
		       " ORDER BY place DESC LIMIT 1",
		       "ii", put->project, apart(put));
	if (!found && latest >= *out)
		*out = latest < told ? latest + 1 : told;
	return found < 0 ? -1 : 0;
}

int put_sides(struct put *put, struct err *err)
{
	const struct strv *parents = &put->post->summary->commit.parents;
	size_t i;

	for (i = 1; i < parents->n; i++)
		if (db_run(&put->l->db, err,
			   "INSERT INTO other_parent (project_id, apart, parent, commit_id)"
			   " VALUES (?1,?2,?3,?4) ON CONFLICT DO NOTHING",
			   "iiti", put->project, apart(put), parents->v[i], put->commit))
			return -1;
	return 0;
}

/* A commit that had no results before. */
static int place_commit(struct put *put, struct err *err)
{
	const struct commit_tag *c = &put->post->summary->commit;
	const char *parent = c->parents.n ? c->parents.v[0] : NULL;

	put->n_new_commits++;
	if (put_look_sides(put, err) || find_time(put, &put->t, err))
		return -1;
	put->t = find_place(put, put->t);
	if (put->commit)
		return db_run(&put->l->db, err,
			      "UPDATE vcs_commit SET parent=?3, committed_us=?4, subject=?5,"
			      " place=?6 WHERE project_id=?1 AND commit_id=?2",
			      "iititi", put->project, put->commit, parent, c->commit_time_us,
			      c->subject, put->t);
	put->commit = put_next_id(put);
	return db_run(&put->l->db, err,
		      "INSERT INTO vcs_commit (project_id, commit_id, apart, sha, parent,"
		      " committed_us, subject, place) VALUES (?1,?2,?3,?4,?5,?6,?7,?8)",
		      "iiittiti", put->project, put->commit, apart(put), c->id, parent,
		      c->commit_time_us, c->subject, put->t);
}

int put_commit(struct put *put, struct err *err)
{
	const struct commit_tag *c = &put->post->summary->commit;

	put->t = likely_time(put);
	if (!c->id)
		return 0;
	put->commit = put->ahead.commit;
	if (put->commit && put->ahead.place != INT64_MIN) {
		put->t = put->ahead.place;
	} else {
		/* Then no other run is of it. */
		put->has_looked = true;
		if (place_commit(put, err) || put_sides(put, err))
			return -1;
	}
	remember(put, c->id, put->commit);
	return 0;
}

/* Whether no metric of it has a series yet, on any machine. */
static int count_benchmark(struct put *put, const char *name, struct err *err)
{
	int64_t any;
	int found = db_get(&put->l->db, &any, err,
			   "SELECT 1 FROM series WHERE project_id=?1 AND apart=?2 AND benchmark=?3"
			   " LIMIT 1",
			   "iit", put->project, apart(put), name);

	put->n_new_benchmarks += found > 0;
	return found < 0 ? -1 : 0;
}

/* The same metric, on any machine, in another unit or direction. */
static int look_for_others(struct put *put, const struct bench *b, const struct metric *m,
			   struct err *err)
{
	int64_t any;
	int found = db_get(&put->l->db, &any, err,
			   "SELECT 1 FROM series WHERE project_id=?1 AND apart=?2 AND benchmark=?3"
			   " AND metric=?4 AND NOT (unit=?5 AND better=?6) LIMIT 1",
			   "iittti", put->project, (int64_t)put->post->untrusted, b->name, m->name,
			   m->unit, (int64_t)m->better);

	put->post->other_unit = put->post->other_unit || !found;
	return found < 0 ? -1 : 0;
}

static int make_series(struct put *put, const struct bench *b, const struct metric *m, bool gate,
		       int64_t *out, struct err *err)
{
	bool untrusted = put->post->untrusted;
	int64_t most = untrusted ? LEDGER_MAX_UNTRUSTED_SERIES : LEDGER_MAX_SERIES;

	if (put->n_series >= most)
		return err_set(err, ERR_LIMIT, "project '%s' has %lld series already, the limit",
			       put->post->summary->project, (long long)most);
	if (untrusted && put->n_new_series >= LEDGER_MAX_NEW_UNTRUSTED)
		return err_set(err, ERR_LIMIT, "more than %d new series in one untrusted summary",
			       LEDGER_MAX_NEW_UNTRUSTED);
	if (count_benchmark(put, b->name, err) || look_for_others(put, b, m, err))
		return -1;
	put->n_series++;
	put->n_new_series++;
	*out = put_next_id(put);
	return db_run(&put->l->db, err,
		      "INSERT INTO series (project_id, series_id, apart, benchmark, metric, env_id,"
		      " unit, better, gate) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9)",
		      "iiittitii", put->project, *out, apart(put), b->name, m->name, put->env,
		      m->unit, (int64_t)m->better, (int64_t)gate);
}

/* 1: it is there; 0: not yet. */
static int find_series(struct put *put, const struct series_key *key, int64_t *out, bool *out_gate,
		       struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&put->l->db, &st, err,
		     "SELECT series_id, gate FROM series WHERE project_id=?1 AND apart=?2 AND"
		     " benchmark=?3 AND metric=?4 AND env_id=?5 AND unit=?6 AND better=?7",
		     "iittiti", key->project, (int64_t)key->apart, key->benchmark, key->metric,
		     key->env, key->unit, (int64_t)key->higher))
		return -1;
	step = db_step(&put->l->db, st, err);
	if (step > 0) {
		*out = db_integer(st, 0);
		*out_gate = db_integer(st, 1) != 0;
	}
	db_end(st);
	return step;
}

/* 1: no point of the series that is shown stands behind those of this summary. */
static int is_newest(struct put *put, const char *benchmark, int64_t series, struct err *err)
{
	const struct summary *s = put->post->summary;
	struct hidden hidden = { .n = 0 };
	struct ledger_point last;
	struct place place, here = { put->t, put->post->received_us, put->run, series };
	int found;

	if (s->finished_us > 0 && s->finished_us < here.measured)
		here.measured = s->finished_us;
	found = hidden_find(put->l, put->project, benchmark, &hidden, err);
	if (!found)
		found = newest_point(put->l, &put->recent, put->project, &series, 1, &hidden, &last,
				     err);
	if (found > 0)
		found = place_of(put->l, &last, &place, err) ? -1 : 1;
	hidden_release(&hidden);
	if (found <= 0)
		return found < 0 ? -1 : 1;
	return !s->commit.dirty && place_order(&place, &here) < 0;
}

/* What was looked up of runs of this transaction does not outlive it: it may be taken back. */
void put_release(struct put *put)
{
	sheet_maker_release(&put->sheet);
	if (!put->recent)
		return;
	recent_free(put->recent);
	runs_free(put->l->runs);
	put->l->runs = NULL;
}

int put_series(struct put *put, const struct bench *b, const struct metric *m, int64_t *out,
	       struct err *err)
{
	const struct series_key key = { .project = put->project,
					.env = put->env,
					.changed = put->changed,
					.apart = put->post->untrusted,
					.higher = m->better == BETTER_HIGHER,
					.benchmark = b->name,
					.metric = m->name,
					.unit = m->unit };
	bool gate = b->gate && !strcmp(b->gate, m->name), was_gate = false, is_known;
	struct series_known *slot = known_find(put->l, &key, &is_known);
	int found = 1;

	if (is_known) {
		*out = slot->id;
		was_gate = slot->gate;
	} else {
		found = find_series(put, &key, out, &was_gate, err);
	}
	if (found < 0 || (!found && make_series(put, b, m, gate, out, err)))
		return -1;
	if (found && put->is_repair)
		return 0;
	if (found && gate != was_gate) {
		found = is_newest(put, b->name, *out, err);
		if (found < 0)
			return -1;
		gate = found ? gate : was_gate;
	}
	if (gate != was_gate &&
	    db_run(&put->l->db, err,
		   "UPDATE series SET gate=?3 WHERE project_id=?1 AND series_id=?2", "iii",
		   put->project, *out, (int64_t)gate))
		return -1;
	if (slot && (!is_known || gate != was_gate))
		known_keep(slot, &key, *out, gate);
	return 0;
}
