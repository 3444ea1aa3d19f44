#include "lib/store/history/answer.h"

#include <stdlib.h>
#include <string.h>

#include "lib/store/ledger/names.h"

#include "lib/base/banned.h"

enum { COMMIT, TIME, VALUE, LOW, HIGH, N, VERDICT, RATIO, MACHINE, ID, UNTRUSTED, SUSPECT };

static const char *const names[ANSWER_N_COLUMNS] = { "commit",	"time", "value",     "low",
						     "high",	"n",	"verdict",   "ratio",
						     "machine", "id",	"untrusted", "suspect" };

static void column_init(struct column *c)
{
	c->text = (struct buf)BUF_INIT;
	jsonw_init(&c->w, &c->text, 0);
	jsonw_array(&c->w);
}

void answer_init(struct answer *a, struct ledger *l, int64_t project, const struct chosen *c,
		 enum history_form form)
{
	int i;

	*a = (struct answer){ .l = l, .project = project, .chosen = c, .form = form };
	for (i = 0; i < ANSWER_N_COLUMNS; i++)
		column_init(&a->columns[i]);
	column_init(&a->changes);
}

void answer_release(struct answer *a)
{
	int i;

	for (i = 0; i < ANSWER_N_COLUMNS; i++)
		buf_release(&a->columns[i].text);
	for (i = 0; i < ANSWER_N_NUMBERS; i++)
		buf_release(&a->numbers[i]);
	buf_release(&a->changes.text);
	buf_release(&a->rows);
	buf_release(&a->machine);
	buf_release(&a->machine_json);
}

static int find_machine(struct answer *a, int64_t series, struct err *err)
{
	struct series_names its;
	int found;

	if (series == a->series)
		return 0;
	found = names_find(a->l, a->project, series, &its, err);
	if (found < 0)
		return -1;
	buf_reset(&a->machine);
	buf_reset(&a->machine_json);
	buf_adds(&a->machine, found ? its.machine : "");
	json_quote(&a->machine_json, buf_str(&a->machine), a->machine.len);
	a->series = series;
	return buf_check(&a->machine, err) || buf_check(&a->machine_json, err) ? -1 : 0;
}

static void raw(struct jsonw *w, const char *json)
{
	jsonw_raw(w, json, strlen(json));
}

static void kraw(struct jsonw *w, const char *key, const char *json)
{
	jsonw_key(w, key);
	raw(w, json);
}

static int add_change(struct answer *a, const struct answer_row *row, struct err *err)
{
	const struct ledger_point *p = row->p;
	const struct run_facts *f = row->f;
	struct jsonw *w = &a->changes.w;
	char *base = NULL;

	if (ledger_base(a->l, a->project, p->base, &base, err))
		return -1;
	jsonw_object(w);
	kraw(w, "commit", f->sha);
	kraw(w, "time", f->time);
	jsonw_kstring(w, "base", base);
	jsonw_kbool(w, "exact", (p->flags & POINT_EXACT) != 0);
	jsonw_kstring(w, "verdict", ledger_verdict(p->verdict));
	jsonw_knumber(w, "ratio", p->ratio);
	jsonw_knumber(w, "low", p->ratio_low);
	jsonw_knumber(w, "high", p->ratio_high);
	kraw(w, "machine", buf_str(&a->machine_json));
	kraw(w, "id", f->id);
	jsonw_kbool(w, "untrusted", f->apart);
	jsonw_object_end(w);
	free(base);
	return 0;
}

static int json_add(struct answer *a, const struct answer_row *row, struct err *err)
{
	const struct ledger_point *p = row->p;

	if (point_is_change(p) && add_change(a, row, err))
		return -1;
	raw(&a->columns[COMMIT].w, row->f->sha);
	raw(&a->columns[TIME].w, row->f->time);
	jsonw_number(&a->columns[VALUE].w, p->v);
	jsonw_number(&a->columns[LOW].w, p->low);
	jsonw_number(&a->columns[HIGH].w, p->high);
	jsonw_integer(&a->columns[N].w, p->n);
	jsonw_string(&a->columns[VERDICT].w, ledger_verdict(p->verdict));
	jsonw_number(&a->columns[RATIO].w, p->ratio);
	jsonw_raw(&a->columns[MACHINE].w, buf_str(&a->machine_json), a->machine_json.len);
	raw(&a->columns[ID].w, row->f->id);
	jsonw_bool(&a->columns[UNTRUSTED].w, row->f->apart);
	jsonw_bool(&a->columns[SUSPECT].w, (p->flags & POINT_SUSPECT) != 0);
	return 0;
}

int answer_add(struct answer *a, const struct ledger_point *p, struct err *err)
{
	struct answer_row row = { .p = p };
	int result = 0;

	if (runs_find(a->l, a->project, p->run, &row.f, err) || find_machine(a, p->series, err))
		return -1;
	if (a->form == HISTORY_CSV)
		answer_csv_add(a, &row);
	else if (a->form == HISTORY_F64)
		answer_f64_add(a, &row);
	else
		result = json_add(a, &row, err);
	a->n += !result;
	return result;
}

static void put_column(struct jsonw *w, const char *name, struct column *c)
{
	jsonw_array_end(&c->w);
	jsonw_key(w, name);
	jsonw_raw(w, buf_str(&c->text), c->text.len);
	/* A column without memory would make an answer that is no JSON. */
	w->out->failed = w->out->failed || c->text.failed;
}

static void write_columns(struct answer *a, bool with_suspect, struct jsonw *w)
{
	int i, n = with_suspect ? ANSWER_N_COLUMNS : SUSPECT;

	jsonw_key(w, "points");
	jsonw_object(w);
	for (i = 0; i < n; i++)
		put_column(w, names[i], &a->columns[i]);
	jsonw_object_end(w);
	put_column(w, "change_points", &a->changes);
}

static void write_thinned(const struct answer_head *head, struct jsonw *w)
{
	jsonw_key(w, "thinned");
	if (!head->q->px) {
		jsonw_null(w);
		return;
	}
	jsonw_object(w);
	jsonw_kinteger(w, "of", (int64_t)head->total);
	jsonw_kinteger(w, "buckets", (int64_t)head->buckets);
	jsonw_object_end(w);
}

static void write_json(struct answer *a, const struct answer_head *head, struct buf *out)
{
	const struct chosen *c = a->chosen;
	struct jsonw w;

	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "project", head->q->project);
	jsonw_kstring(&w, "benchmark", head->q->benchmark);
	jsonw_kstring(&w, "metric", c->metric);
	jsonw_kstring(&w, "unit", c->unit);
	jsonw_kstring(&w, "better", c->higher ? "higher" : "lower");
	kraw(&w, "other_units", head->others);
	if (a->form == HISTORY_JSON)
		write_columns(a, head->q->with_outcome, &w);
	if (head->q->with_outcome)
		kraw(&w, "outcome", head->outcome);
	write_thinned(head, &w);
	jsonw_kstring(&w, "next", head->next);
	jsonw_object_end(&w);
}

int answer_write(struct answer *a, const struct answer_head *head, struct buf *out, struct err *err)
{
	struct buf json = BUF_INIT;

	if (a->form == HISTORY_CSV) {
		answer_csv_write(a, out);
	} else if (a->form == HISTORY_F64) {
		write_json(a, head, &json);
		answer_f64_write(a, &json, out);
	} else {
		write_json(a, head, out);
	}
	out->failed |= json.failed;
	buf_release(&json);
	return buf_check(out, err);
}
