#include "reporter/why/why.h"

#include <math.h>
#include <string.h>

#include "lib/base/jsonw.h"
#include "reporter/why/view.h"

#include "lib/base/banned.h"

#define WHY_ROW(name, description) { #name, why_##name },
static const struct {
	const char *name;
	int (*fn)(const struct why_view *v, const struct render_options *opt, struct buf *out,
		  struct err *err);
} formats[] = { WHY_FORMATS(WHY_ROW) };

#define N_FORMATS (sizeof(formats) / sizeof(formats[0]))

int why_render(const char *format, const struct why_report *why, const struct render_options *opt,
	       struct buf *out, struct err *err)
{
	const struct render_options plain = RENDER_OPTIONS_INIT;
	size_t i, before = out->len;
	struct why_view view;
	int result = -1;

	for (i = 0; i < N_FORMATS && strcmp(formats[i].name, format) != 0; i++)
		;
	if (i == N_FORMATS)
		return err_set(err, ERR_USAGE, "unknown format '%s'", format);
	if (why_view_make(why, &view, err))
		return -1;
	result = formats[i].fn(&view, opt ? opt : &plain, out, err);
	if (!result)
		result = buf_check(out, err);
	if (result)
		buf_truncate(out, before);
	why_view_release(&view);
	return result;
}

static void json_line(struct jsonw *w, const struct why_line *l)
{
	jsonw_object(w);
	jsonw_kstring(w, "file", l->d.file);
	jsonw_key(w, "base_line");
	l->d.base_line ? jsonw_integer(w, l->d.base_line) : jsonw_null(w);
	jsonw_key(w, "head_line");
	l->d.head_line ? jsonw_integer(w, l->d.head_line) : jsonw_null(w);
	jsonw_knumber(w, "base", l->d.base);
	jsonw_knumber(w, "head", l->d.head);
	jsonw_knumber(w, "delta", l->d.delta);
	jsonw_kstring(w, "base_text", l->base_text);
	jsonw_kstring(w, "head_text", l->head_text);
	jsonw_object_end(w);
}

static void json_function(struct jsonw *w, const struct why_function *f)
{
	const struct profile_function *p = function_delta_either(f->d);
	size_t i;

	jsonw_object(w);
	jsonw_kstring(w, "name", p->name);
	jsonw_kstring(w, "file", strcmp(p->file, PROFILE_UNKNOWN) ? p->file : NULL);
	jsonw_kstring(w, "object", strcmp(p->object, PROFILE_UNKNOWN) ? p->object : NULL);
	jsonw_key(w, "base");
	f->d->base ? jsonw_number(w, f->d->base->self) : jsonw_null(w);
	jsonw_key(w, "head");
	f->d->head ? jsonw_number(w, f->d->head->self) : jsonw_null(w);
	jsonw_key(w, "base_inclusive");
	f->d->base ? jsonw_number(w, f->d->base->inclusive) : jsonw_null(w);
	jsonw_key(w, "head_inclusive");
	f->d->head ? jsonw_number(w, f->d->head->inclusive) : jsonw_null(w);
	jsonw_knumber(w, "delta", f->d->delta);
	jsonw_knumber(w, "share", f->share);
	jsonw_key(w, "lines");
	jsonw_array(w);
	for (i = 0; i < f->n_lines; i++)
		json_line(w, &f->lines[i]);
	jsonw_array_end(w);
	jsonw_object_end(w);
}

static void json_counters(struct jsonw *w, const struct bench *b)
{
	size_t i;

	jsonw_array(w);
	for (i = 0; b && i < b->n_metrics; i++) {
		const struct metric *m = &b->metrics[i];

		if (!why_moved(m))
			continue;
		jsonw_object(w);
		jsonw_kstring(w, "name", m->name);
		jsonw_kstring(w, "unit", m->unit);
		jsonw_knumber(w, "ratio", m->delta.ratio);
		jsonw_knumber(w, "low", m->delta.low);
		jsonw_knumber(w, "high", m->delta.high);
		if (m->delta.by_difference) {
			jsonw_knumber(w, "difference", m->delta.difference);
			jsonw_knumber(w, "difference_low", m->delta.difference_low);
			jsonw_knumber(w, "difference_high", m->delta.difference_high);
		}
		jsonw_object_end(w);
	}
	jsonw_array_end(w);
}

int why_json(const struct why_view *v, const struct render_options *opt, struct buf *out,
	     struct err *err)
{
	const struct why_report *why = v->why;
	struct jsonw w;
	size_t i;

	(void)opt;
	jsonw_init(&w, out, 2);
	jsonw_object(&w);
	jsonw_kstring(&w, "schema", "pawl.why/1");
	jsonw_kstring(&w, "benchmark", why->benchmark);
	jsonw_kstring(&w, "base", why->base.commit);
	jsonw_kstring(&w, "head", why->head.commit);
	jsonw_kbool(&w, "identical", why->identical);
	jsonw_kstring(&w, "unit", why_unit(why));
	jsonw_kstring(&w, "how", "valgrind");
	jsonw_knumber(&w, "base_instructions", why->identical ? (double)NAN : v->diff.base);
	jsonw_knumber(&w, "head_instructions", why->identical ? (double)NAN : v->diff.head);
	jsonw_knumber(&w, "ratio", v->ratio);
	jsonw_key(&w, "counters");
	json_counters(&w, why->counters);
	jsonw_knumber(&w, "layout_floor", v->layouts.n ? v->layouts.floor : (double)NAN);
	jsonw_kstring(&w, "layout_metric", v->layouts_metric);
	jsonw_key(&w, "functions");
	jsonw_array(&w);
	for (i = 0; i < v->n; i++)
		json_function(&w, &v->functions[i]);
	jsonw_array_end(&w);
	jsonw_key(&w, "hints");
	jsonw_array(&w);
	for (i = 0; i < v->hints.n; i++)
		jsonw_string(&w, v->hints.v[i]);
	jsonw_array_end(&w);
	jsonw_kstring(&w, "sentence", v->sentence);
	jsonw_object_end(&w);
	buf_addc(out, '\n');
	return buf_check(out, err);
}
