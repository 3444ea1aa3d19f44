#include "lib/store/ledger/document.h"

#include <string.h>

#include "lib/digest/digest.h"
#include "lib/squeeze/squeeze.h"

#include "lib/base/banned.h"

static int damaged(const char *id, struct err *err)
{
	return err_set(err, ERR_CORRUPT, "summary '%s' is damaged: its SHA-256 does not fit", id);
}

/* How the bytes are kept. */
enum { AS_POSTED = 0, AS_FRAME = 1, DROPPED = 2 };

/* The plain bytes of the row. */
static int read_plain(struct db_query *st, const char *id, struct buf *out, struct err *err)
{
	struct err fault = ERR_INIT;
	size_t n;
	const void *bytes = db_bytes(st, 0, &n);

	if (db_row_check(st, err))
		return -1;
	if (db_integer(st, 2) == DROPPED)
		return err_set(err, ERR_ABSENT,
			       "the document of summary '%s' is not kept any longer", id);
	if (db_integer(st, 2) == AS_POSTED) {
		buf_add(out, bytes, n);
		return buf_check(out, err);
	}
	if (!unsqueeze_document(bytes, n, SUMMARY_MAX_BYTES, out, &fault))
		return 0;
	if (fault.code != ERR_NOMEM && fault.code != ERR_IO)
		return damaged(id, err);
	if (err)
		*err = fault;
	return -1;
}

int ledger_document(struct ledger *l, int64_t project, int64_t run, struct buf *out,
		    struct err *err)
{
	struct db_query *st = NULL;
	char sha256[DIGEST_HEX];
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT d.json, r.sha256, d.coding, r.id FROM run AS r"
		     " JOIN document AS d ON d.project_id=r.project_id AND d.run_id=r.run_id"
		     " WHERE r.project_id=?1 AND r.run_id=?2",
		     "ii", project, run))
		return -1;
	step = db_step(&l->db, st, err);
	if (!step)
		step = err_set(err, ERR_ABSENT, "run %lld has no document", (long long)run);
	if (step > 0)
		step = read_plain(st, db_text(st, 3), out, err);
	if (!step)
		step = digest_of(buf_str(out), out->len, sha256, err);
	if (!step && strcmp(sha256, db_text(st, 1)))
		step = damaged(db_text(st, 3), err);
	db_end(st);
	return step ? -1 : 0;
}

bool ledger_document_is_lost(const struct err *fault)
{
	return fault->code == ERR_ABSENT || err_is_of_bytes(fault);
}

int ledger_document_is_dropped(struct ledger *l, int64_t project, int64_t run, struct err *err)
{
	int64_t coding = AS_POSTED;
	int found =
		db_get(&l->db, &coding, err,
		       "SELECT coalesce(coding, 0) FROM document WHERE project_id=?1 AND run_id=?2",
		       "ii", project, run);

	return found < 0 ? -1 : coding == DROPPED;
}

int ledger_document_bare(struct ledger *l, int64_t project, int64_t run, struct buf *out,
			 struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT json, '', coding FROM document WHERE project_id=?1 AND run_id=?2",
		     "ii", project, run))
		return -1;
	step = db_step(&l->db, st, err);
	if (!step)
		step = err_set(err, ERR_ABSENT, "its document is lost, too");
	if (step > 0)
		step = read_plain(st, "without a row", out, err);
	db_end(st);
	return step;
}

static int retracted(const char *id, const char *benchmark, struct err *err)
{
	if (benchmark)
		return err_set(err, ERR_ABSENT, "benchmark '%s' of summary '%s' is retracted",
			       benchmark, id);
	return err_set(err, ERR_ABSENT, "summary '%s' is retracted", id);
}

/* benchmark: NULL, or the one that it is wanted for. */
static int read_summary(struct ledger *l, const char *project, const char *id,
			const char *benchmark, bool untrusted, struct buf *out, struct err *err)
{
	static const char find[] = "SELECT r.project_id, r.run_id, " IS_SHOWN_OF(
		"?4") " FROM project AS p"
		      " JOIN run AS r ON r.project_id=p.project_id"
		      " WHERE p.name=?1 AND r.id=?2 AND r.apart<=?3 ORDER BY r.apart LIMIT 1";
	struct buf plain = BUF_INIT;
	struct db_query *st = NULL;
	int64_t project_id = 0, run = 0;
	int step;

	if (db_start(&l->db, &st, err, find, "ttit", project, id, (int64_t)untrusted, benchmark))
		return -1;
	step = db_step(&l->db, st, err);
	if (step > 0) {
		project_id = db_integer(st, 0);
		run = db_integer(st, 1);
		if (!db_integer(st, 2))
			step = retracted(id, benchmark, err);
	}
	db_end(st);
	if (!step)
		step = err_set(err, ERR_ABSENT, "no summary '%s' in project '%s'", id, project);
	if (step < 0 || ledger_document(l, project_id, run, &plain, err)) {
		buf_release(&plain);
		return -1;
	}
	buf_add(out, plain.data, plain.len);
	buf_release(&plain);
	return buf_check(out, err);
}

int ledger_summary(struct ledger *l, const char *project, const char *id, bool untrusted,
		   struct buf *out, struct err *err)
{
	return read_summary(l, project, id, NULL, untrusted, out, err);
}

int ledger_summary_for(struct ledger *l, const char *project, const char *id, const char *benchmark,
		       struct buf *out, struct err *err)
{
	return read_summary(l, project, id, benchmark, false, out, err);
}
