/*
 * GitLab's code quality report: an issue for each benchmark that regressed, failed, is suspected,
 * or prints something else than before; what failed for the same reason is one.  An issue that the
 * target branch has too is not shown, so the fingerprint names the benchmark and what is wrong with
 * it, and no figure.
 */
#include "lib/base/jsonw.h"
#include "lib/digest/digest.h"
#include "reporter/parts/reason.h"
#include "reporter/render/render.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

/* Where the benchmarks are named: the report has to point to a file of the repository. */
#define PLACE ".pawlconfig"

static const char *severity_of(const struct row *row)
{
	switch ((int)row->kind) {
	case ROW_FAILED:
		return "critical";
	case ROW_REGRESSED:
		return "major";
	case ROW_SUSPECT:
		return "minor";
	default:
		return row->bench->output == OUTPUT_DIFFERS ? "minor" : NULL;
	}
}

/* Of all that it is about: one that fails only here is new beside those that failed before. */
static int fingerprint(const struct summary *s, const struct rows *rows, size_t at,
		       const char *check, char out[DIGEST_HEX], struct err *err)
{
	size_t left = rows->v[at].n_alike, i;
	struct digest d = DIGEST_INIT;

	if (digest_begin(&d, err))
		return -1;
	digest_adds(&d, s->project);
	for (i = at; left && i < rows->n; i++)
		if (rows->v[i].alike == at) {
			digest_adds(&d, rows->v[i].bench->name);
			left--;
		}
	digest_adds(&d, check);
	return digest_end(&d, out, err);
}

static int add_issue(const struct summary *s, const struct rows *rows, size_t i, struct jsonw *w,
		     struct err *err)
{
	const struct row *row = &rows->v[i];
	bool has_word =
		row->kind == ROW_FAILED || row->kind == ROW_REGRESSED || row->kind == ROW_SUSPECT;
	const char *check = has_word ? row_word(row->kind) : "output-differs";
	struct buf name = BUF_INIT, reason = BUF_INIT, visible = BUF_INIT;
	char id[DIGEST_HEX];
	int rc = -1;

	buf_addf(&name, "pawl-%s", check);
	reason_whose(rows, i, &reason);
	buf_adds(&reason, ": ");
	if (fingerprint(s, rows, i, check, id, err) || reason_of_row(s, row, &reason, err))
		goto out;
	text_visible(buf_str(&reason), true, &visible);
	if (buf_check(&name, err) || buf_check(&visible, err))
		goto out;
	jsonw_object(w);
	jsonw_kstring(w, "type", "issue");
	jsonw_kstring(w, "description", buf_str(&visible));
	jsonw_kstring(w, "check_name", buf_str(&name));
	jsonw_kstring(w, "fingerprint", id);
	jsonw_kstring(w, "severity", severity_of(row));
	jsonw_key(w, "location");
	jsonw_object(w);
	jsonw_kstring(w, "path", PLACE);
	jsonw_key(w, "lines");
	jsonw_object(w);
	jsonw_kinteger(w, "begin", 1);
	jsonw_object_end(w);
	jsonw_object_end(w);
	jsonw_object_end(w);
	rc = 0;
out:
	buf_release(&name);
	buf_release(&reason);
	buf_release(&visible);
	return rc;
}

int render_codequality(const struct summary *s, const struct render_options *opt, struct buf *out,
		       struct err *err)
{
	struct rows rows = { 0 };
	struct jsonw w;
	size_t i;
	int rc = 0;

	(void)opt;
	if (rows_of(s, &rows, err))
		return -1;
	jsonw_init(&w, out, 2);
	jsonw_array(&w);
	for (i = 0; i < rows.n && !rc; i++)
		if (severity_of(&rows.v[i]) && reason_count(&rows, i, NULL))
			rc = add_issue(s, &rows, i, &w, err);
	jsonw_array_end(&w);
	buf_addc(out, '\n');
	rows_release(&rows);
	return rc;
}
