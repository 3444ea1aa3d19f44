#include "lib/store/move/same.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/store/ledger/document.h"
#include "lib/store/ledger/local.h"

#include "lib/base/banned.h"

static int check_documents(struct ledger *copy, struct move_counts *out, struct err *err)
{
	struct buf json = BUF_INIT;
	struct db_query *q = NULL;
	int step;

	if (db_scan(&copy->db, &q, err, "SELECT project_id, run_id FROM run ORDER BY 1, 2", ""))
		return -1;
	while ((step = db_step(&copy->db, q, err)) > 0) {
		int64_t project = db_integer(q, 0), run = db_integer(q, 1);

		buf_reset(&json);
		if (!ledger_document(copy, project, run, &json, err)) {
			out->n_documents++;
		} else if (ledger_document_is_dropped(copy, project, run, NULL) > 0) {
			err_clear(err);
			out->n_dropped++;
		} else {
			step = err_hint(err,
					"the copy is not to be used; pawld fsck looks at both");
			break;
		}
	}
	db_end(q);
	buf_release(&json);
	return step;
}

/* What is asked of both. */
struct asked {
	struct ledger *of, *copy;
	struct history_query query;
	struct buf mine, theirs;
};

static int compare_page(struct asked *a, struct err *err)
{
	buf_reset(&a->mine);
	buf_reset(&a->theirs);
	if (ledger_history(a->of, &a->query, &a->mine, err) ||
	    ledger_history(a->copy, &a->query, &a->theirs, err))
		return -1;
	if (a->mine.len == a->theirs.len && !memcmp(a->mine.data, a->theirs.data, a->mine.len))
		return 0;
	err_set(err, ERR_CORRUPT, "the history of '%s', metric '%s', in project '%s' differs",
		a->query.benchmark, a->query.metric, a->query.project);
	return err_hint(err, "stop all pawld that write, and copy again to an empty store");
}

static int compare_pages(struct asked *a, struct err *err)
{
	char next[LEDGER_CURSOR] = "", at[LEDGER_CURSOR];

	a->query.next = next;
	do {
		memcpy(at, next, sizeof(at));
		a->query.cursor = *at ? at : NULL;
		if (compare_page(a, err))
			return -1;
	} while (*next);
	return 0;
}

static int check_histories(struct ledger *of, struct ledger *copy, struct move_counts *out,
			   struct err *err)
{
	struct asked a = { .of = of, .copy = copy };
	struct db_query *q = NULL;
	int step;

	if (db_scan(&of->db, &q, err,
		    "SELECT DISTINCT p.name, s.benchmark, s.metric, s.unit, s.better"
		    " FROM series AS s JOIN project AS p ON p.project_id=s.project_id"
		    " ORDER BY 1, 2, 3, 4, 5",
		    ""))
		return -1;
	while ((step = db_step(&of->db, q, err)) > 0) {
		a.query = (struct history_query){ .project = db_text(q, 0),
						  .benchmark = db_text(q, 1),
						  .metric = db_text(q, 2),
						  .unit = db_text(q, 3),
						  .better = db_integer(q, 4) ? "higher" : "lower",
						  .limit = LEDGER_MAX_POINTS,
						  .untrusted = true };
		if (compare_pages(&a, err)) {
			step = -1;
			break;
		}
		out->n_histories++;
	}
	db_end(q);
	buf_release(&a.mine);
	buf_release(&a.theirs);
	return step;
}

int same_check(struct ledger *of, struct ledger *copy, struct move_counts *out, struct err *err)
{
	return check_documents(copy, out, err) || check_histories(of, copy, out, err) ||
			       db_get(&copy->db, &out->n_points, err,
				      "SELECT CAST(coalesce(sum(n), 0) AS BIGINT) FROM sheet", "")
		       ? -1
		       : 0;
}
