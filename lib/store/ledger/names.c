#include "lib/store/ledger/names.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

/* A series has one place, which the last one that belongs there keeps. */
#define N_SLOTS 16384u

/* Numbers behind the one that is asked for; of the series among them no two have one place. */
#define SERIES_AHEAD 512

struct slot {
	int64_t project, series; /* series 0: nothing is here */
	bool higher;
	struct buf text; /* the four names with their ends */
};

struct names {
	struct slot slots[N_SLOTS];
};

void names_free(struct names *names)
{
	size_t i;

	for (i = 0; names && i < N_SLOTS; i++)
		buf_release(&names->slots[i].text);
	free(names);
}

static struct slot *slot_of(struct names *names, int64_t project, int64_t series)
{
	uint64_t start = (uint64_t)project * 0x9e3779b97f4a7c15u >> 40;

	return &names->slots[(start + (uint64_t)series) % N_SLOTS];
}

static int take_row(struct slot *slot, struct db_query *st, int64_t project, struct err *err)
{
	int i;

	slot->series = 0;
	buf_reset(&slot->text);
	for (i = 0; i < 4; i++)
		buf_add(&slot->text, db_text(st, i), strlen(db_text(st, i)) + 1);
	slot->higher = db_integer(st, 4) != 0;
	if (db_row_check(st, err) || buf_check(&slot->text, err))
		return -1;
	slot->project = project;
	slot->series = db_integer(st, 5);
	return 0;
}

/* Of a database that is far away, those that came next, too: pages ask for most of them. */
static int read_names(struct ledger *l, int64_t project, int64_t series, struct err *err)
{
	int64_t last = series + (db_is_far(&l->db) ? SERIES_AHEAD : 0);
	struct db_query *st = NULL;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT s.benchmark, e.machine, s.metric, s.unit, s.better, s.series_id"
		     " FROM series AS s"
		     " CROSS JOIN env AS e ON e.project_id=s.project_id AND e.env_id=s.env_id"
		     " WHERE s.project_id=?1 AND s.series_id BETWEEN ?2 AND ?3",
		     "iii", project, series, last))
		return -1;
	while ((step = db_step(&l->db, st, err)) > 0)
		if (take_row(slot_of(l->names, project, db_integer(st, 5)), st, project, err)) {
			step = -1;
			break;
		}
	db_end(st);
	return step;
}

int names_find(struct ledger *l, int64_t project, int64_t series, struct series_names *out,
	       struct err *err)
{
	struct slot *slot;
	const char *at;

	if (!l->names)
		l->names = calloc(1, sizeof(*l->names));
	if (!l->names)
		return err_nomem(err);
	slot = slot_of(l->names, project, series);
	if ((slot->project != project || slot->series != series) &&
	    read_names(l, project, series, err))
		return -1;
	if (slot->project != project || slot->series != series)
		return 0;
	at = slot->text.data;
	out->n_bytes = slot->text.len;
	out->higher = slot->higher;
	out->benchmark = at;
	out->machine = at += strlen(at) + 1;
	out->metric = at += strlen(at) + 1;
	out->unit = at + strlen(at) + 1;
	return 1;
}
