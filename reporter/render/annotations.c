/*
 * Workflow commands of GitHub Actions: ::error of what regressed or failed (one for all that failed
 * for the same reason), ::warning of what is suspected or prints something else than before.  A
 * step shows ten of each and drops the others, so the tenth says how many there are.  No file is
 * named: a benchmark is no line of the change.
 *
 * Nothing of a benchmark can begin a command, end one, or add a property: names are made visible
 * first, and then escaped as the runner reads them.
 */
#include <string.h>

#include "reporter/parts/reason.h"
#include "reporter/render/render.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

#define MOST 10

/* What the runner takes back: %25, %0D, %0A, and in a property also %3A and %2C. */
static void escape(const char *text, bool is_property, struct buf *out)
{
	for (; *text; text++) {
		if (*text == '%' || *text == '\r' || *text == '\n' ||
		    (is_property && (*text == ':' || *text == ',')))
			buf_addf(out, "%%%02X", (unsigned)(unsigned char)*text);
		else
			buf_addc(out, *text);
	}
}

static const char *level_of(const struct row *row)
{
	switch ((int)row->kind) {
	case ROW_REGRESSED:
	case ROW_FAILED:
		return "error";
	case ROW_SUSPECT:
		return "warning";
	default:
		return row->bench->output == OUTPUT_DIFFERS ? "warning" : NULL;
	}
}

/* What failed for the same reason is one. */
static bool is_level(const struct rows *rows, size_t i, const char *level)
{
	const char *mine = level_of(&rows->v[i]);

	return mine && !strcmp(mine, level) && reason_count(rows, i, NULL);
}

static int add_one(const struct summary *s, const struct rows *rows, size_t i, const char *level,
		   struct buf *out, struct err *err)
{
	struct buf raw = BUF_INIT, title = BUF_INIT, message = BUF_INIT;
	int rc = -1;

	reason_whose(rows, i, &raw);
	text_visible(buf_str(&raw), true, &title);
	buf_reset(&raw);
	if (reason_of_row(s, &rows->v[i], &raw, err))
		goto out;
	text_visible(buf_str(&raw), true, &message);
	if (buf_check(&title, err) || buf_check(&message, err))
		goto out;
	buf_addf(out, "::%s title=pawl%%3A ", level);
	escape(buf_str(&title), true, out);
	buf_adds(out, "::");
	escape(buf_str(&title), false, out);
	buf_adds(out, ": ");
	escape(buf_str(&message), false, out);
	buf_addc(out, '\n');
	rc = buf_check(out, err);
out:
	buf_release(&raw);
	buf_release(&title);
	buf_release(&message);
	return rc;
}

static int add_level(const struct summary *s, const struct rows *rows, const char *level,
		     struct buf *out, struct err *err)
{
	size_t i, n = 0, shown = 0;

	for (i = 0; i < rows->n; i++)
		n += is_level(rows, i, level);
	for (i = 0; i < rows->n; i++) {
		if (!is_level(rows, i, level))
			continue;
		if (shown == MOST - 1 && n > MOST) {
			buf_addf(out, "::%s title=pawl::%zu more are in the summary of this job\n",
				 level, n - shown);
			break;
		}
		if (add_one(s, rows, i, level, out, err))
			return -1;
		shown++;
	}
	return 0;
}

int render_annotations(const struct summary *s, const struct render_options *opt, struct buf *out,
		       struct err *err)
{
	struct rows rows = { 0 };
	int rc;

	(void)opt;
	if (rows_of(s, &rows, err))
		return -1;
	rc = add_level(s, &rows, "error", out, err) || add_level(s, &rows, "warning", out, err)
		     ? -1
		     : buf_check(out, err);
	rows_release(&rows);
	return rc;
}
