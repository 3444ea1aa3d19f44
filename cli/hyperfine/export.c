/*
 * hyperfine_export - the files of hyperfine's --export-... options.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/hyperfine/show.h"
#include "lib/base/jsonw.h"
#include "lib/base/number.h"
#include "lib/process/output.h"
#include "reporter/text/csv.h"

#include "lib/base/banned.h"

#define EXPORT_INDENT 2

/* ---- JSON -------------------------------------------------------------------------------- */

static void add_json_runs(const struct hyperfine_result *r, struct jsonw *w)
{
	size_t i;

	jsonw_knumbers(w, "times", r->times, r->n);
	jsonw_key(w, "exit_codes");
	jsonw_array_flat(w);
	for (i = 0; i < r->n; i++)
		jsonw_integer(w, r->statuses[i]);
	jsonw_array_end(w);
}

static void add_json_result(const struct hyperfine_result *r, struct jsonw *w)
{
	const struct strv *p = &r->command->parameters;
	size_t i;

	jsonw_object(w);
	jsonw_kstring(w, "command", r->command->name);
	jsonw_knumber(w, "mean", r->mean);
	jsonw_knumber(w, "stddev", r->sd);
	jsonw_knumber(w, "median", r->median);
	jsonw_knumber(w, "user", r->user);
	jsonw_knumber(w, "system", r->in_kernel);
	jsonw_knumber(w, "min", r->min);
	jsonw_knumber(w, "max", r->max);
	add_json_runs(r, w);
	if (p->n) {
		jsonw_key(w, "parameters");
		jsonw_object(w);
		for (i = 0; i + 1 < p->n; i += 2)
			jsonw_kstring(w, p->v[i], p->v[i + 1]);
		jsonw_object_end(w);
	}
	jsonw_object_end(w);
}

static void add_json(const struct hyperfine_results *r, const struct hyperfine_unit *unit,
		     struct buf *out)
{
	struct jsonw w;
	size_t i;

	(void)unit;
	jsonw_init(&w, out, EXPORT_INDENT);
	jsonw_object(&w);
	jsonw_key(&w, "results");
	jsonw_array(&w);
	for (i = 0; i < r->n; i++)
		add_json_result(&r->v[i], &w);
	jsonw_array_end(&w);
	jsonw_object_end(&w);
	buf_addc(out, '\n');
}

/* ---- CSV --------------------------------------------------------------------------------- */

/* Quoted only where it must be, as hyperfine does. */
static void add_csv_text(const char *text, struct buf *out)
{
	if (*text && !strpbrk(text, ",\"\r\n")) {
		buf_adds(out, text);
		return;
	}
	buf_addc(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			buf_addc(out, '"');
		buf_addc(out, *text);
	}
	buf_addc(out, '"');
}

/* A reference has no parameters: its cells are empty. */
static void add_csv(const struct hyperfine_results *r, const struct hyperfine_unit *unit,
		    struct buf *out)
{
	const struct strv *names = &r->v[r->n - 1].command->parameters;
	size_t i, k;

	(void)unit;
	buf_adds(out, "command,mean,stddev,median,user,system,min,max");
	for (k = 0; k + 1 < names->n; k += 2) {
		buf_adds(out, ",parameter_");
		add_csv_text(names->v[k], out);
	}
	buf_addc(out, '\n');
	for (i = 0; i < r->n; i++) {
		const struct hyperfine_result *v = &r->v[i];
		/* of one run hyperfine writes 0 here, and null in JSON */
		const double sd = isfinite(v->sd) ? v->sd : 0;
		const double figures[] = { v->mean,	 sd,	 v->median, v->user,
					   v->in_kernel, v->min, v->max };

		add_csv_text(v->command->name, out);
		for (k = 0; k < sizeof(figures) / sizeof(figures[0]); k++)
			csv_number(figures[k], out);
		for (k = 0; k + 1 < names->n; k += 2) {
			buf_addc(out, ',');
			if (v->command->parameters.n)
				add_csv_text(v->command->parameters.v[k + 1], out);
		}
		buf_addc(out, '\n');
	}
}

/* ---- tables ------------------------------------------------------------------------------- */

/* How a table is written in a markup. */
struct markup {
	const char *start;	  /* before all */
	const char *row;	  /* before a row */
	const char *first, *next; /* behind its first cell, and the others */
	const char *end;	  /* behind a row */
	const char *rule;	  /* below the first row */
	const char *quote, *last; /* around a command; below all */
};

static const struct markup markdown = {
	"", "| ", " | ", " | ", " |\n", "|:---|---:|---:|---:|---:|\n", "`", "",
};
static const struct markup asciidoc = {
	"[cols=\"<,>,>,>,>\"]\n|===", "\n| ", " \n| ", " \n| ", " \n", "", "`", "|===\n",
};
static const struct markup orgmode = {
	"", "| ", "  |  ", " |  ", " |\n", "|--+--+--+--+--|\n", "=", "",
};

/* A '|' would end the cell, and a line break the row. */
static void add_command(const struct markup *m, const char *text, struct buf *out)
{
	buf_adds(out, m->quote);
	for (; *text; text++) {
		if (*text == '|')
			buf_addc(out, '\\');
		buf_addc(out, *text == '\n' || *text == '\r' ? ' ' : *text);
	}
	buf_adds(out, m->quote);
}

static void add_relative(const struct hyperfine_results *r, size_t i, struct buf *out)
{
	struct hyperfine_relative rel = hyperfine_relative_of(r);
	double sd, ratio = hyperfine_ratio(r, rel.fastest, i, &sd);

	if (!rel.known)
		return;
	buf_addf(out, "%.2f", ratio);
	if (i != rel.fastest && isfinite(sd))
		buf_addf(out, " ± %.2f", sd);
}

static void add_table(const struct markup *m, const struct hyperfine_results *r,
		      const struct hyperfine_unit *u, struct buf *out)
{
	size_t i;

	buf_addf(out, "%s%sCommand%sMean [%s]%sMin [%s]%sMax [%s]%sRelative%s%s", m->start, m->row,
		 m->first, u->name, m->next, u->name, m->next, u->name, m->next, m->end, m->rule);
	for (i = 0; i < r->n; i++) {
		const struct hyperfine_result *v = &r->v[i];

		buf_adds(out, m->row);
		add_command(m, v->command->name, out);
		buf_addf(out, "%s%.*f", m->first, u->decimals, v->mean * u->per_second);
		if (isfinite(v->sd))
			buf_addf(out, " ± %.*f", u->decimals, v->sd * u->per_second);
		buf_addf(out, "%s%.*f%s%.*f%s", m->next, u->decimals, v->min * u->per_second,
			 m->next, u->decimals, v->max * u->per_second, m->next);
		add_relative(r, i, out);
		buf_adds(out, m->end);
	}
	buf_adds(out, m->last);
}

static void add_markdown(const struct hyperfine_results *r, const struct hyperfine_unit *unit,
			 struct buf *out)
{
	add_table(&markdown, r, unit, out);
}

static void add_asciidoc(const struct hyperfine_results *r, const struct hyperfine_unit *unit,
			 struct buf *out)
{
	add_table(&asciidoc, r, unit, out);
}

static void add_orgmode(const struct hyperfine_results *r, const struct hyperfine_unit *unit,
			struct buf *out)
{
	add_table(&orgmode, r, unit, out);
}

/* ---- all ---------------------------------------------------------------------------------- */

static int write_to(const char *path, const struct buf *text, struct err *err)
{
	if (strcmp(path, "-") != 0)
		return output_write_named(path, text->data, text->len, 0644, err);
	return fwrite(text->data, 1, text->len, stdout) == text->len
		       ? 0
		       : err_sys(err, ERR_IO, "cannot write to stdout");
}

int hyperfine_export(const struct hyperfine_line *line, const struct hyperfine_results *r,
		     struct err *err)
{
	const struct {
		const char *path;
		void (*add)(const struct hyperfine_results *r, const struct hyperfine_unit *unit,
			    struct buf *out);
	} all[] = {
		{ line->json, add_json },	  { line->csv, add_csv },
		{ line->markdown, add_markdown }, { line->asciidoc, add_asciidoc },
		{ line->orgmode, add_orgmode },
	};
	struct hyperfine_unit unit;
	struct buf text = BUF_INIT;
	size_t i;
	int result = hyperfine_unit_of(line->unit, r->v[0].mean, &unit, err);

	for (i = 0; i < sizeof(all) / sizeof(all[0]) && !result; i++) {
		if (!all[i].path)
			continue;
		buf_reset(&text);
		all[i].add(r, &unit, &text);
		result = buf_check(&text, err) || write_to(all[i].path, &text, err);
	}
	buf_release(&text);
	return result ? -1 : 0;
}
