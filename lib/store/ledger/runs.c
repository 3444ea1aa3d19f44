#include "lib/store/ledger/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

/* A run has one place, which the last one that belongs there keeps: 2 MB, and only what is used. */
#define N_SLOTS 16384u

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
static void quote(char *out, size_t size, const char *text)
{
	snprintf(out, size, "\"%s\"", text);
}

static int read_run(struct ledger *l, struct run_facts *f, struct err *err)
{
	struct db_query *st = NULL;
	char iso[WHEN_ISO];
	int64_t t;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT r.env_id, r.id, r.apart, c.sha, c.committed_us, " MEASURED_OF(
			     "r") " FROM run AS r"
				  " CROSS JOIN vcs_commit AS c ON c.project_id=r.project_id"
				  "  AND c.commit_id=r.commit_id"
				  " WHERE r.project_id=?1 AND r.run_id=?2",
		     "ii", f->project, f->run))
		return -1;
	step = db_step(&l->db, st, err);
	if (step > 0) {
		f->env = db_integer(st, 0);
		quote(f->id, sizeof(f->id), db_text(st, 1));
		f->apart = db_integer(st, 2) != 0;
		quote(f->sha, sizeof(f->sha), db_text(st, 3));
		t = f->committed_us = db_integer(st, 4);
		f->measured_us = db_integer(st, 5);
		quote(f->time, sizeof(f->time), when_iso(t, t % 1000000 != 0, iso));
		step = db_row_check(st, err) ? -1 : 1;
	} else if (!step) {
		step = err_set(err, ERR_CORRUPT, "a point is of run %lld, which is not there",
			       (long long)f->run);
	}
	db_end(st);
	return step < 0 ? -1 : 0;
}

int runs_find(struct ledger *l, int64_t project, int64_t run, const struct run_facts **out,
	      struct err *err)
{
	struct run_facts *slot, found = { .project = project, .run = run };

	if (!l->runs)
		l->runs = calloc(1, sizeof(*l->runs));
	if (!l->runs)
		return err_nomem(err);
	slot = slot_of(l->runs, project, run);
	if (slot->run != run || slot->project != project) {
		if (read_run(l, &found, err))
			return -1;
		*slot = found;
	}
	*out = slot;
	return 0;
}
