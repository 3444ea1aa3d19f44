/* What is there of a summary before it is stored: one question, since each may cost a journey. */
#include <stdio.h>

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
	"  WHERE project_id=?1 AND apart=?2 AND parent=?6 AND place IS NOT NULL";

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
		a->child_place = has_place ? place : INT64_MAX;
		break;
	}
}

int put_look(struct put *put, const char *facts, struct err *err)
{
	const struct summary *s = put->post->summary;
	const struct commit_tag *c = &s->commit;
	struct put_ahead *a = &put->ahead;
	struct db_query *st = NULL;
	int step;

	*a = (struct put_ahead){ .place = INT64_MIN,
				 .parent_place = INT64_MIN,
				 .child_place = INT64_MAX };
	if (db_start(&put->l->db, &st, err, question, "iitttttt", put->project,
		     (int64_t)put->post->untrusted, s->id, s->machine.id, facts, c->id,
		     s->baseline.commit, c->parents.n ? c->parents.v[0] : NULL))
		return -1;
	while ((step = db_step(&put->l->db, st, err)) > 0)
		take_row(st, a);
	db_end(st);
	return step;
}
