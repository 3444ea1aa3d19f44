/* What a batch knows of its projects: the numbers that were given out, and counts, written back
 * once. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/store/audit.h"
#include "lib/store/ledger/known.h"
#include "lib/store/ledger/put.h"
#include "lib/store/points/fold.h"

#include "lib/base/banned.h"

void tally_release(struct tally *t)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		db_end(t->all[i].asked);
		free(t->all[i].name);
	}
	free(t->all);
	*t = (struct tally){ .n = 0 };
}

static struct tally_project *find(const struct tally *t, const char *name)
{
	size_t i;

	for (i = 0; t && i < t->n; i++)
		if (!strcmp(t->all[i].name, name))
			return &t->all[i];
	return NULL;
}

static struct tally_project *add(struct tally *t, const char *name, struct err *err)
{
	struct tally_project *p;

	if (t->n == t->cap) {
		size_t cap = t->cap ? 2 * t->cap : 8;

		p = realloc(t->all, cap * sizeof(*p));
		if (!p) {
			err_nomem(err);
			return NULL;
		}
		t->all = p;
		t->cap = cap;
	}
	p = &t->all[t->n];
	*p = (struct tally_project){ .name = str_dup(name, err) };
	if (!p->name)
		return NULL;
	t->n++;
	return p;
}

static int make_project(struct put *put, const char *name, struct err *err)
{
	struct tally_project *p = &put->counts;

	if (db_get(&put->l->db, &p->project, err,
		   "SELECT coalesce(max(project_id), 0) + 1 FROM project", ""))
		return -1;
	p->next_id = 1;
	return db_run(&put->l->db, err,
		      "INSERT INTO project (project_id, name, created_us, next_id, n_series,"
		      " n_series_apart) VALUES (?1,?2,?3,1,0,0)",
		      "iti", p->project, name, put->post->received_us);
}

static int start(struct ledger *l, const char *name, struct db_query **out, struct err *err)
{
	return db_start(&l->db, out, err,
			"SELECT project_id, next_id, n_series, n_series_apart, n_tail,"
			" n_tail_points, (SELECT max(audit_id) FROM audit AS a"
			"  WHERE a.project_id=project.project_id) FROM project WHERE name=?1",
			"t", name);
}

/* 1: it is there. */
static int take(struct ledger *l, const char *name, struct db_query *st, struct tally_project *out,
		struct err *err)
{
	int step = db_step(&l->db, st, err);

	if (step <= 0)
		return step;
	out->project = db_integer(st, 0);
	out->next_id = db_integer(st, 1);
	out->n_series[0] = db_integer(st, 2);
	out->n_series[1] = db_integer(st, 3);
	out->n_tail = db_integer(st, 4);
	out->n_tail_points = db_integer(st, 5);
	out->changed = db_integer(st, 6);
	ids_keep(l, name, out->project);
	return 1;
}

int tally_ask(struct ledger *l, struct tally *t, const char *name, struct err *err)
{
	struct tally_project *p;

	if (find(t, name))
		return 0;
	p = add(t, name, err);
	if (!p)
		return -1;
	p->project = ids_find(l, name);
	if (start(l, name, &p->asked, err))
		return -1;
	return db_ahead(&l->db, p->asked, err);
}

int64_t tally_project_id(const struct tally *t, const char *name)
{
	const struct tally_project *p = find(t, name);

	return p ? p->project : 0;
}

int tally_take(struct ledger *l, struct tally *t, struct err *err)
{
	size_t i;
	int found;

	for (i = 0; i < t->n; i++) {
		struct tally_project *p = &t->all[i];

		if (!p->asked)
			continue;
		p->project = 0;
		found = take(l, p->name, p->asked, p, err);
		db_end(p->asked);
		p->asked = NULL;
		if (found < 0)
			return -1;
	}
	return 0;
}

/* 1: it is there. */
static int read_project(struct put *put, const char *name, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (start(put->l, name, &st, err))
		return -1;
	step = take(put->l, name, st, &put->counts, err);
	db_end(st);
	return step;
}

static int find_project(struct put *put, struct err *err)
{
	const char *name = put->post->summary->project;
	struct tally_project *known = find(put->tally, name);
	int found = 1;

	put->counts = (struct tally_project){ .project = 0 };
	if (known)
		put->counts = *known;
	else
		found = read_project(put, name, err);
	if (found > 0 && !known && put->tally) {
		known = add(put->tally, name, err);
		if (!known)
			return -1;
		put->counts.name = known->name;
		*known = put->counts;
	}
	return found > 0 && !put->counts.project ? 0 : found;
}

int put_project(struct put *put, struct err *err)
{
	int found = find_project(put, err);

	if (found < 0 || (!found && make_project(put, put->post->summary->project, err)))
		return -1;
	put->project = put->counts.project;
	put->next_id = put->counts.next_id;
	put->n_series = put->counts.n_series[put->post->untrusted];
	put->changed = put->counts.changed;
	return 0;
}

int put_close(struct put *put, struct err *err)
{
	const char *name = put->post->summary->project;
	struct tally_project *p = &put->counts, *kept = find(put->tally, name);
	bool untrusted = put->post->untrusted;

	if (!kept)
		kept = add(put->tally, name, err);
	if (!kept)
		return -1;
	p->next_id = put->next_id;
	p->n_series[untrusted] = put->n_series;
	p->n_tail += put->commit != 0;
	p->n_tail_points += (int64_t)put->sheet.n;
	p->new_runs[untrusted]++;
	p->new_commits += untrusted ? 0 : put->n_new_commits;
	p->new_benchmarks += untrusted ? 0 : put->n_new_benchmarks;
	p->has_looked = put->alerts.looked;
	p->has_open = put->alerts.has_open;
	p->is_changed = true;
	if (fold_is_due(p->n_tail, p->n_tail_points))
		put->l->may_fold = true;
	p->name = kept->name;
	*kept = *p;
	return 0;
}

int put_mended(struct put *put, struct err *err)
{
	struct db *db = &put->l->db;
	const struct audit_entry entry = { "pawld fsck", "repair", put->post->summary->id, NULL,
					   NULL };

	if (db_run(db, err, "UPDATE project SET next_id=?2 WHERE project_id=?1 AND next_id<?2",
		   "ii", put->project, put->next_id))
		return -1;
	return audit_add(db, put->project, &entry, err);
}

int tally_write(struct ledger *l, const struct tally *t, struct err *err)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		const struct tally_project *p = &t->all[i];

		if (p->is_changed &&
		    db_run(&l->db, err,
			   "UPDATE project SET next_id=?2, n_series=?3, n_series_apart=?4,"
			   " n_runs=n_runs+?5, n_runs_apart=n_runs_apart+?6,"
			   " n_commits=n_commits+?7, n_benchmarks=n_benchmarks+?8,"
			   " n_tail=?9, n_tail_points=?10 WHERE project_id=?1",
			   "iiiiiiiiii", p->project, p->next_id, p->n_series[0], p->n_series[1],
			   p->new_runs[0], p->new_runs[1], p->new_commits, p->new_benchmarks,
			   p->n_tail, p->n_tail_points))
			return -1;
	}
	return 0;
}
