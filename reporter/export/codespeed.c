/*
 * Codespeed: one object a metric, its median with spread and ends, posted as a form.  The
 * executable is the project, the environment the machine's id, which Codespeed wants to know
 * beforehand.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/when.h"
#include "reporter/export/local.h"

#include "lib/base/banned.h"

/* "2026-11-20 10:00:00" */
static void add_date(struct jsonw *w, const char *key, int64_t us)
{
	char iso[WHEN_ISO], text[WHEN_ISO];

	when_iso(us, false, iso);
	snprintf(text, sizeof(text), "%.10s %.8s", iso, iso + 11);
	jsonw_kstring(w, key, text);
}

static int add_result(const struct summary *s, const struct bench *b, const struct metric *m,
		      struct jsonw *w, struct err *err)
{
	struct buf name = BUF_INIT;
	struct description d;

	if (export_figures(b, m, &d, err))
		return -1;
	export_name(b, m, &name);
	jsonw_object(w);
	jsonw_kstring(w, "commitid", s->commit.id);
	jsonw_kstring(w, "branch", s->commit.branch ? s->commit.branch : "default");
	jsonw_kstring(w, "project", s->project);
	jsonw_kstring(w, "executable", s->project);
	jsonw_kstring(w, "benchmark", buf_str(&name));
	jsonw_kstring(w, "environment", s->machine.id);
	jsonw_knumber(w, "result_value", d.median);
	if (isfinite(d.sd))
		jsonw_knumber(w, "std_dev", d.sd);
	if (isfinite(d.min))
		jsonw_knumber(w, "min", d.min);
	if (isfinite(d.max))
		jsonw_knumber(w, "max", d.max);
	jsonw_kstring(w, "units", m->unit);
	jsonw_kstring(w, "units_title", m->name);
	jsonw_kbool(w, "lessisbetter", m->better == BETTER_LOWER);
	add_date(w, "revision_date", s->commit.commit_time_us);
	add_date(w, "result_date", s->finished_us);
	jsonw_object_end(w);
	w->out->failed |= name.failed;
	buf_release(&name);
	return 0;
}

int export_codespeed(const struct summary *s, bool is_first, struct buf *out, struct err *err)
{
	(void)is_first;
	return export_array(s, add_result, out, err);
}

int export_codespeed_wrap(const struct summary *s, const struct buf *document, struct buf *out,
			  struct err *err)
{
	size_t i;

	(void)s;
	buf_adds(out, "json=");
	for (i = 0; i < document->len; i++) {
		unsigned char c = (unsigned char)document->data[i];

		if (c < 0x80 && (isalnum(c) || strchr("-._~", c)))
			buf_addc(out, (char)c);
		else
			buf_addf(out, "%%%02X", c);
	}
	return buf_check(out, err);
}
