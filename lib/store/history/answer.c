#include "lib/store/history/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/store/ledger/names.h"

#include "lib/base/banned.h"

const char *const answer_columns[HISTORY_COLUMNS] = {
	"commit",  "time",  "value",   "low", "high",	   "n",
	"verdict", "ratio", "machine", "id",  "untrusted", "suspect",
};

/* Bytes of a value, about. */
static const size_t widths[HISTORY_COLUMNS] = { 44, 24, 12, 12, 12, 4, 16, 8, 20, 30, 6, 6 };

/* Who asks for more may get far fewer. */
#define MOST_EXPECTED 1024

/* Room at once for as many points as are asked for; whether there was is seen in the end. */
static void expect_columns(struct answer *a, size_t n)
{
	size_t i;

	for (i = 0; i < HISTORY_COLUMNS; i++)
		if (a->wanted & 1u << i)
			buf_grow(&a->columns[i],
				 widths[i] * (n < MOST_EXPECTED ? n : MOST_EXPECTED));
}

void answer_init(struct answer *a, struct ledger *l, int64_t project, const struct chosen *c,
		 const struct history_query *q)
{
	*a = (struct answer){ .l = l, .project = project, .chosen = c, .form = q->form };
	jsonw_init(&a->changes_w, &a->changes, 0);
	jsonw_array(&a->changes_w);
	if (q->form != HISTORY_JSON)
		return;
	a->wanted = q->columns ? q->columns : HISTORY_USUAL;
	if (q->with_outcome)
		a->wanted |= 1u << HISTORY_SUSPECT;
	expect_columns(a, q->px ? 2 * q->px : q->limit);
}

void answer_release(struct answer *a)
{
	int i;

	for (i = 0; i < HISTORY_COLUMNS; i++)
		buf_release(&a->columns[i]);
	for (i = 0; i < ANSWER_N_NUMBERS; i++)
		buf_release(&a->numbers[i]);
	buf_release(&a->changes);
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

static void kraw(struct jsonw *w, const char *key, const char *json)
{
	jsonw_key(w, key);
	jsonw_raw(w, json, strlen(json));
}

static int add_change(struct answer *a, const struct answer_row *row, struct err *err)
{
	const struct ledger_point *p = row->p;
	const struct run_facts *f = row->f;
	struct jsonw *w = &a->changes_w;
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

/* Where up to n bytes of one more value go, behind a comma; NULL: it is not wanted. */
static inline char *begin_value(struct answer *a, enum history_column column, size_t n)
{
	char *at = a->wanted & 1u << column ? buf_room(&a->columns[column], n + 1) : NULL;

	if (!at)
		return NULL;
	*at = ',';
	return at + 1;
}

/*
 * n bytes of json, which has room bytes: all of these are copied, since a number that is known here
 * takes a few instructions.
 */
static inline void add_json(struct answer *a, enum history_column column, const char *json,
			    size_t room, size_t n)
{
	char *at = begin_value(a, column, room);

	if (!at)
		return;
	memcpy(at, json, room);
	buf_wrote(&a->columns[column], at + n);
}

static inline void add_null(struct answer *a, enum history_column column)
{
	add_json(a, column, "null", 4, 4);
}

static inline void add_bool(struct answer *a, enum history_column column, bool value)
{
	add_json(a, column, value ? "true " : "false", 5, value ? 4 : 5);
}

static void add_whole(struct answer *a, enum history_column column, int64_t value)
{
	char *at = begin_value(a, column, NUMBER_TEXT);

	if (at)
		buf_wrote(&a->columns[column], at + number_write_whole(value, at));
}

static void add_number(struct answer *a, enum history_column column, double value)
{
	char *at = isfinite(value) ? begin_value(a, column, NUMBER_TEXT) : NULL;

	if (at)
		buf_wrote(&a->columns[column], at + number_write(value, at));
	else if (!isfinite(value))
		add_null(a, column);
}

/* A word of ours, which needs no escape. */
static void add_word(struct answer *a, enum history_column column, const char *word)
{
	size_t n = word ? strlen(word) : 0;
	char *at = word ? begin_value(a, column, n + 2) : NULL;

	if (!word)
		add_null(a, column);
	if (!at)
		return;
	*at++ = '"';
	memcpy(at, word, n);
	at[n] = '"';
	buf_wrote(&a->columns[column], at + n + 1);
}

static int json_add(struct answer *a, const struct answer_row *row, struct err *err)
{
	const struct ledger_point *p = row->p;
	const struct run_facts *f = row->f;

	if (point_is_change(p) && add_change(a, row, err))
		return -1;
	add_json(a, HISTORY_COMMIT, f->sha, sizeof(f->sha), f->n_sha);
	add_json(a, HISTORY_TIME, f->time, sizeof(f->time), f->n_time);
	add_number(a, HISTORY_VALUE, p->v);
	add_number(a, HISTORY_LOW, p->low);
	add_number(a, HISTORY_HIGH, p->high);
	add_whole(a, HISTORY_N, p->n);
	add_word(a, HISTORY_VERDICT, ledger_verdict(p->verdict));
	add_number(a, HISTORY_RATIO, p->ratio);
	add_json(a, HISTORY_MACHINE, a->machine_json.data, a->machine_json.len,
		 a->machine_json.len);
	add_json(a, HISTORY_ID, f->id, sizeof(f->id), f->n_id);
	add_bool(a, HISTORY_UNTRUSTED, f->apart);
	add_bool(a, HISTORY_SUSPECT, (p->flags & POINT_SUSPECT) != 0);
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

static void put_column(struct jsonw *w, const char *name, const struct buf *c)
{
	jsonw_key(w, name);
	jsonw_array(w);
	if (c->len)
		jsonw_raw(w, c->data + 1, c->len - 1);
	jsonw_array_end(w);
	/* A column without memory would make an answer that is no JSON. */
	w->out->failed = w->out->failed || c->failed;
}

static void write_columns(struct answer *a, struct jsonw *w)
{
	size_t i, n = a->changes.len;

	for (i = 0; i < HISTORY_COLUMNS; i++)
		n += a->columns[i].len;
	buf_grow(w->out, n + n / 16);
	jsonw_key(w, "points");
	jsonw_object(w);
	for (i = 0; i < HISTORY_COLUMNS; i++)
		if (a->wanted & 1u << i)
			put_column(w, answer_columns[i], &a->columns[i]);
	jsonw_object_end(w);
	jsonw_array_end(&a->changes_w);
	jsonw_key(w, "change_points");
	jsonw_raw(w, buf_str(&a->changes), a->changes.len);
	w->out->failed = w->out->failed || a->changes.failed;
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
		write_columns(a, &w);
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
