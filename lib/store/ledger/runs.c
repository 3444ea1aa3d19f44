#include "lib/store/ledger/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

/* A run has one place, which the last one that belongs there keeps: 2 MB, and only what is used. */
#define N_SLOTS 16384u

/* Numbers behind the one that is asked for; of the runs among them no two have one place. */
#define RUNS_AHEAD 512

struct runs {
	struct run_facts slots[N_SLOTS];
};

void runs_free(struct runs *runs)
{
	free(runs);
}

static struct run_facts *slot_of(struct runs *runs, int64_t project, int64_t run)
{
	/* Those that follow each other lie beside each other; another project begins elsewhere. */
	uint64_t start = (uint64_t)project * 0x9e3779b97f4a7c15u >> 40;

	return &runs->slots[(start + (uint64_t)run) % N_SLOTS];
}

/* What was stored is hex digits, a ULID and a time: nothing in it needs an escape. */
static unsigned char quote(char *out, size_t size, const char *text)
{
	snprintf(out, size, "\"%s\"", text);
	return (unsigned char)strlen(out);
}

static void take_row(struct db_query *st, int64_t project, struct run_facts *f)
{
	int64_t t = db_integer(st, 3);
	char iso[WHEN_ISO];

	*f = (struct run_facts){ .project = project,
				 .run = db_integer(st, 5),
				 .commit = db_integer(st, 6),
				 .apart = db_integer(st, 1) != 0,
				 .committed_us = t,
				 .measured_us = db_integer(st, 4) };
	f->n_id = quote(f->id, sizeof(f->id), db_text(st, 0));
	f->n_sha = quote(f->sha, sizeof(f->sha), db_text(st, 2));
	f->n_time = quote(f->time, sizeof(f->time), when_iso(t, t % 1000000 != 0, iso));
}

/* Of a database that is far away, those that came next, too: histories ask for most of them. */
static int read_runs(struct ledger *l, int64_t project, int64_t run, struct err *err)
{
	int64_t last = run + (db_is_far(&l->db) ? RUNS_AHEAD : 0);
	struct db_query *st = NULL;
	struct run_facts found;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT r.id, r.apart, c.sha, c.committed_us, " MEASURED_OF(
			     "r") ", r.run_id, r.commit_id FROM run AS r"
				  " CROSS JOIN vcs_commit AS c ON c.project_id=r.project_id"
				  "  AND c.commit_id=r.commit_id"
				  " WHERE r.project_id=?1 AND r.run_id BETWEEN ?2 AND ?3",
		     "iii", project, run, last))
		return -1;
	while ((step = db_step(&l->db, st, err)) > 0) {
		take_row(st, project, &found);
		if (db_row_check(st, err)) {
			step = -1;
			break;
		}
		*slot_of(l->runs, project, found.run) = found;
	}
	db_end(st);
	return step;
}

int runs_find(struct ledger *l, int64_t project, int64_t run, const struct run_facts **out,
	      struct err *err)
{
	struct run_facts *slot;

	if (!l->runs)
		l->runs = calloc(1, sizeof(*l->runs));
	if (!l->runs)
		return err_nomem(err);
	slot = slot_of(l->runs, project, run);
	if ((slot->run != run || slot->project != project) && read_runs(l, project, run, err))
		return -1;
	if (slot->run != run || slot->project != project)
		return err_set(err, ERR_CORRUPT, "a point is of run %lld, which is not there",
			       (long long)run);
	*out = slot;
	return 0;
}
