#include "lib/store/archive/archive.h"

#include "lib/base/when.h"
#include "lib/digest/digest.h"
#include "lib/store/ledger/document.h"

#include "lib/base/banned.h"

/* What is hidden of the run, with the reason that was given last: null stands for all of it. */
static int write_hidden(struct ledger *l, int64_t project, int64_t run, struct jsonw *w,
			struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT x.benchmark, (SELECT a.why FROM audit AS a WHERE a.project_id=?1"
		     "  AND a.id=r.id AND coalesce(a.benchmark, '')=x.benchmark"
		     "  AND a.action='retract' ORDER BY a.audit_id DESC LIMIT 1)"
		     " FROM retracted AS x JOIN run AS r ON r.project_id=x.project_id"
		     " AND r.run_id=x.run_id WHERE x.project_id=?1 AND x.run_id=?2"
		     " ORDER BY x.benchmark",
		     "ii", project, run))
		return -1;
	jsonw_key(w, "retracted");
	jsonw_array(w);
	while ((step = db_step(&l->db, st, err)) > 0) {
		const char *benchmark = db_text(st, 0);

		jsonw_object(w);
		jsonw_kstring(w, "benchmark", *benchmark ? benchmark : NULL);
		jsonw_kstring(w, "why", db_is_null(st, 1) ? NULL : db_text(st, 1));
		jsonw_object_end(w);
	}
	jsonw_array_end(w);
	db_end(st);
	return step;
}

/* A file, and the digest of what was written to it. */
struct sink {
	FILE *to;
	struct digest digest;
};

/* Ends a line with its own digest. */
static int end_line(struct jsonw *w, struct buf *out, struct err *err)
{
	char digest[DIGEST_HEX] = "";

	if (buf_check(out, err) || digest_of(out->data, out->len, digest, err))
		return -1;
	jsonw_kstring(w, "head", digest);
	jsonw_object_end(w);
	buf_addc(out, '\n');
	return buf_check(out, err);
}

/* The row: run_id, id, apart, received_us, sha256. */
static int write_head(struct ledger *l, const char *name, int64_t project, struct db_query *st,
		      size_t n_bytes, struct buf *out, struct err *err)
{
	struct jsonw w;

	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "export", ARCHIVE_FORM);
	jsonw_kstring(&w, "project", name);
	jsonw_kstring(&w, "id", db_text(st, 1));
	jsonw_kbool(&w, "untrusted", db_integer(st, 2) != 0);
	jsonw_kinteger(&w, "received_us", db_integer(st, 3));
	jsonw_kstring(&w, "sha256", db_text(st, 4));
	if (write_hidden(l, project, db_integer(st, 0), &w, err))
		return -1;
	jsonw_kinteger(&w, "bytes", (int64_t)n_bytes);
	return end_line(&w, out, err);
}

static int put(struct sink *to, const struct buf *bytes, struct err *err)
{
	digest_add(&to->digest, buf_str(bytes), bytes->len);
	return fwrite(buf_str(bytes), 1, bytes->len, to->to) == bytes->len
		       ? 0
		       : err_sys(err, ERR_IO, "cannot write");
}

/* That the file is whole. */
static int put_end(struct sink *to, int64_t n, struct err *err)
{
	char digest[DIGEST_HEX];
	struct buf line = BUF_INIT;
	struct jsonw w;
	int result = -1;

	if (digest_end(&to->digest, digest, err))
		return -1;
	jsonw_init(&w, &line, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "export", ARCHIVE_FORM);
	jsonw_kinteger(&w, "end", n);
	jsonw_kstring(&w, "sha256", digest);
	if (!end_line(&w, &line, err))
		result = put(to, &line, err);
	buf_release(&line);
	return result;
}

static int write_one(struct ledger *l, const char *name, int64_t project, struct db_query *st,
		     struct sink *to, struct archive_count *count, struct err *err)
{
	struct buf document = BUF_INIT, head = BUF_INIT;
	struct err fault = ERR_INIT;
	int result = ledger_document(l, project, db_integer(st, 0), &document, &fault);

	if (result && (fault.code == ERR_ABSENT || fault.code == ERR_CORRUPT)) {
		result = ledger_document_is_dropped(l, project, db_integer(st, 0), err);
		count->n_without += result > 0;
		count->n_lost += !result;
		result = result < 0 ? -1 : 0;
		goto out;
	}
	if (result) {
		*err = fault;
		goto out;
	}
	result = write_head(l, name, project, st, document.len, &head, err);
	buf_addc(&document, '\n');
	if (!result)
		result = buf_check(&document, err) || put(to, &head, err) || put(to, &document, err)
				 ? -1
				 : 0;
	count->n += !result;
out:
	buf_release(&document);
	buf_release(&head);
	return result;
}

int archive_export(struct ledger *l, const char *project, FILE *file, struct archive_count *out,
		   struct err *err)
{
	struct sink to = { file, DIGEST_INIT };
	struct db_query *st = NULL;
	int64_t id = 0;
	int step = -1;

	*out = (struct archive_count){ .n = 0 };
	if (db_begin_read(&l->db, err))
		return -1;
	if (digest_begin(&to.digest, err) || ledger_find_project(l, project, &id, err) ||
	    db_start(&l->db, &st, err,
		     "SELECT run_id, id, apart, received_us, sha256 FROM run WHERE project_id=?1"
		     " ORDER BY run_id",
		     "i", id))
		goto out;
	while ((step = db_step(&l->db, st, err)) > 0)
		if (write_one(l, project, id, st, &to, out, err)) {
			step = -1;
			break;
		}
	db_end(st);
	if (!step)
		step = put_end(&to, out->n, err);
out:
	digest_release(&to.digest);
	db_rollback(&l->db);
	return step;
}
