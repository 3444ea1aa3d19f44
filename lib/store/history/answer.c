#include "lib/store/history/answer.h"

#include <string.h>

#include "lib/store/ledger/runs.h"

#include "lib/base/banned.h"

enum { COMMIT, TIME, VALUE, LOW, HIGH, N, VERDICT, RATIO, MACHINE, ID, UNTRUSTED };

static const char *const names[ANSWER_N_COLUMNS] = { "commit",	"time", "value",    "low",
						     "high",	"n",	"verdict",  "ratio",
						     "machine", "id",	"untrusted" };

static void column_init(struct column *c)
{
	c->text = (struct buf)BUF_INIT;
	jsonw_init(&c->w, &c->text, 0);
	jsonw_array(&c->w);
}

void answer_init(struct answer *a, struct ledger *l, int64_t project)
{
	int i;

	a->l = l;
	a->project = project;
	a->env = 0;
	a->machine = (struct buf)BUF_INIT;
	for (i = 0; i < ANSWER_N_COLUMNS; i++)
		column_init(&a->columns[i]);
	column_init(&a->changes);
}

void answer_release(struct answer *a)
{
	int i;

	for (i = 0; i < ANSWER_N_COLUMNS; i++)
		buf_release(&a->columns[i].text);
	buf_release(&a->changes.text);
	buf_release(&a->machine);
}

static int find_machine(struct answer *a, int64_t env, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (env == a->env)
		return 0;
	if (db_start(&a->l->db, &st, err,
		     "SELECT machine FROM env WHERE project_id=?1 AND env_id=?2", "ii", a->project,
		     env))
		return -1;
	step = db_step(&a->l->db, st, err);
	if (step > 0) {
		buf_reset(&a->machine);
		json_quote(&a->machine, db_text(st, 0), strlen(db_text(st, 0)));
		a->env = env;
	}
	db_end(st);
	return step < 0 ? -1 : buf_check(&a->machine, err);
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

static int add_change(struct answer *a, const struct run_facts *f, const struct ledger_point *p,
		      struct err *err)
{
	struct jsonw *w = &a->changes.w;

	jsonw_object(w);
	kraw(w, "commit", f->sha);
	kraw(w, "time", f->time);
	if (ledger_write_base(a->l, a->project, p->base, &a->changes.w, err))
		return -1;
	jsonw_kbool(w, "exact", (p->flags & POINT_EXACT) != 0);
	jsonw_kstring(w, "verdict", ledger_verdict(p->verdict));
	jsonw_knumber(w, "ratio", p->ratio);
	jsonw_knumber(w, "low", p->ratio_low);
	jsonw_knumber(w, "high", p->ratio_high);
	kraw(w, "machine", buf_str(&a->machine));
	kraw(w, "id", f->id);
	jsonw_kbool(w, "untrusted", f->apart);
	jsonw_object_end(w);
	return 0;
}

int answer_add(struct answer *a, const struct ledger_point *p, struct err *err)
{
	const struct run_facts *f = NULL;

	if (runs_find(a->l, a->project, p->run, &f, err) || find_machine(a, f->env, err))
		return -1;
	raw(&a->columns[COMMIT].w, f->sha);
	raw(&a->columns[TIME].w, f->time);
	jsonw_number(&a->columns[VALUE].w, p->v);
	jsonw_number(&a->columns[LOW].w, p->low);
	jsonw_number(&a->columns[HIGH].w, p->high);
	jsonw_integer(&a->columns[N].w, p->n);
	jsonw_string(&a->columns[VERDICT].w, ledger_verdict(p->verdict));
	jsonw_number(&a->columns[RATIO].w, p->ratio);
	jsonw_raw(&a->columns[MACHINE].w, buf_str(&a->machine), a->machine.len);
	raw(&a->columns[ID].w, f->id);
	jsonw_bool(&a->columns[UNTRUSTED].w, f->apart);
	return point_is_change(p) ? add_change(a, f, p, err) : 0;
}

static void put_column(struct jsonw *w, const char *name, struct column *c)
{
	jsonw_array_end(&c->w);
	jsonw_key(w, name);
	jsonw_raw(w, buf_str(&c->text), c->text.len);
	/* A column without memory would make an answer that is no JSON. */
	w->out->failed = w->out->failed || c->text.failed;
}

void answer_write(struct answer *a, struct jsonw *w)
{
	int i;

	jsonw_key(w, "points");
	jsonw_object(w);
	for (i = 0; i < ANSWER_N_COLUMNS; i++)
		put_column(w, names[i], &a->columns[i]);
	jsonw_object_end(w);
	put_column(w, "change_points", &a->changes);
}
