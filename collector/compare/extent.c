#include "collector/compare/extent.h"

#include <stdlib.h>
#include <string.h>

#include "collector/compare/alike.h"
#include "collector/compare/beside.h"
#include "collector/compare/extent_run.h"
#include "collector/extent/differ.h"
#include "collector/extent/executed.h"
#include "collector/enter/unwinders.h"

#include "lib/base/banned.h"

#define CODE_DIGITS 64 /* of an identity: what stands behind them is of arguments and inputs */

/* Both builds of one program, compared. */
struct programs {
	char *ids[2];	  /* code of the base and of the head */
	char *folders[2]; /* of their layouts */
	struct parts base, head;
	struct difference difference;
	char *why; /* they cannot be compared; NULL: they are */
};

struct look {
	const struct extent_request *rq;
	struct programs **v;
	size_t n;
	char *trees; /* of the last unit that was looked at: whether their names are the same */
	bool same_names;
	char *here; /* extent_run.h */
};

static void programs_free(struct programs *p)
{
	free(p->ids[0]);
	free(p->ids[1]);
	free(p->folders[0]);
	free(p->folders[1]);
	differ_release(&p->difference);
	parts_release(&p->base);
	parts_release(&p->head);
	free(p->why);
	free(p);
}

/* ---- both programs -------------------------------------------------------------------------- */

static const char *why_not_read(const struct side *side)
{
	if (side->beside)
		return side->beside;
	if (side->stays)
		return "it asks where its own file lies";
	if (side->library_path)
		return "it loads shared objects of the project";
	return NULL;
}

/* Nobody sees a program's own unwinder at work. */
static bool has_unwinder(const struct parts *p)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (p->v[i].kind == PART_FUNCTION && unwinders_is_one(p->v[i].name))
			return true;
	return false;
}

static int read_side(const struct side *side, struct parts *out, char **out_folder, struct err *err)
{
	struct layouts l = LAYOUTS_INIT;
	const char *why = why_not_read(side);
	int result = -1;

	if (why)
		return err_set(err, ERR_ABSENT, "%s", why);
	if (!layouts_open(side->dir, side->exe, &l, err) && !parts_read(&l, out, err))
		result = str_set(out_folder, l.folder, err);
	layouts_close(&l);
	if (!result && has_unwinder(out))
		result = err_set(err, ERR_ABSENT, "what unwinds its stack is linked into it");
	return result;
}

static int read_both(const struct unit *u, struct programs *p, struct err *err)
{
	struct err fault = ERR_INIT;

	p->ids[0] = strndup(u->base.binary_id, CODE_DIGITS);
	p->ids[1] = strndup(u->head.binary_id, CODE_DIGITS);
	if (!p->ids[0] || !p->ids[1])
		return err_nomem(err);
	if (!read_side(&u->base, &p->base, &p->folders[0], &fault) &&
	    !read_side(&u->head, &p->head, &p->folders[1], &fault) &&
	    !differ_make(&p->base, &p->head, &p->difference, &fault)) {
		if (p->difference.is_elsewhere)
			return str_set(&p->why,
				       "more than functions changed: how it is linked, what it "
				       "loads, or what runs before them",
				       err);
		return 0;
	}
	if (!err_is_fatal(&fault))
		return str_set(&p->why, fault.text, err);
	*err = fault;
	return -1;
}

/* Those of the unit, read once for all benchmarks of the program; NULL: a fault. */
static struct programs *find(struct look *l, const struct unit *u, struct err *err)
{
	struct programs **grown, *new;
	size_t i;

	for (i = 0; i < l->n; i++)
		if (!strncmp(l->v[i]->ids[0], u->base.binary_id, CODE_DIGITS) &&
		    !strncmp(l->v[i]->ids[1], u->head.binary_id, CODE_DIGITS))
			return l->v[i];
	grown = realloc(l->v, (l->n + 1) * sizeof(struct programs *));
	new = calloc(1, sizeof(*new));
	if (grown)
		l->v = grown;
	if (!grown || !new) {
		free(new);
		err_nomem(err);
		return NULL;
	}
	talk_progress(l->rq->talk, 0, 0, "looking at what changed in %s", u->name);
	l->v[l->n++] = new;
	return read_both(u, new, err) ? NULL : new;
}

/* ---- one benchmark -------------------------------------------------------------------------- */

/* Names are bytes of a file. */
static void make_harmless(char *name)
{
	for (; *name; name++)
		if (*name < ' ' || *name > '~')
			*name = '?';
}

/* Each once, as many as are kept. */
static int take_names(const struct strv *from, struct strv *to, struct err *err)
{
	size_t i;

	for (i = 0; i < from->n && to->n < SUMMARY_MAX_CHANGED; i++) {
		make_harmless(from->v[i]);
		if (strlen(from->v[i]) <= SUMMARY_MAX_NAME && !strv_has(to, from->v[i]) &&
		    strv_add(to, from->v[i], err))
			return -1;
	}
	return 0;
}

/* Names too long to be kept are counted still: what is executed is never lost. */
static int take_executed(const struct strv *executed, struct code_changes *out, struct err *err)
{
	if (take_names(executed, &out->executed, err))
		return -1;
	return executed->n && !out->executed.n ? strv_add(&out->executed, "?", err) : 0;
}

/* Where it is kept. */
static char *kept_at(const struct extent_run *run, const struct programs *p, bool is_head,
		     struct err *err)
{
	const struct side *side = is_head ? &run->unit->head : &run->unit->base;
	struct strv key = STRV_INIT;
	char *path = NULL;

	if (!extent_run_key(run, side, &key, err))
		path = executed_path(p->folders[is_head], &key, err);
	strv_release(&key);
	return path;
}

static int record(const struct look *l, struct unit *u, const struct programs *p,
		  struct executed *out, struct err *err)
{
	struct extent_run run = {
		.runner = l->rq->runner, .unit = u, .here = l->here, .until_ns = l->rq->until_ns
	};
	char *path = kept_at(&run, p, false, err);
	struct executed_way way;
	int result = -1;

	out->runs = calloc(p->base.n + 1, sizeof(*out->runs));
	if (!out->runs)
		err_nomem(err);
	if (out->runs && path) {
		talk_progress(l->rq->talk, 0, 0, "looking at what %s executes", u->name);
		way = extent_run_way(&run);
		result = executed_find(path, &way, &p->base, out, err);
	}
	if (run.is_beside && compare_beside_settle(u, BESIDE_SEEN, err))
		result = -1;
	extent_run_release(&run);
	free(path);
	return result;
}

/* The head does the same, step by step: its next comparison need not record it. */
static int keep_for_head(const struct look *l, const struct unit *u, const struct programs *p,
			 const struct executed *r, struct err *err)
{
	const struct extent_run run = { .runner = l->rq->runner, .unit = u, .here = l->here };
	struct executed of_head = *r;
	char *path = kept_at(&run, p, true, err);
	int result = -1;

	of_head.runs = calloc(p->head.n + 1, sizeof(*of_head.runs));
	if (!of_head.runs)
		err_nomem(err);
	if (of_head.runs && path && !differ_of_head(&p->difference, r->runs, of_head.runs, err)) {
		executed_keep(path, &p->head, &of_head);
		result = 0;
	}
	free(path);
	free(of_head.runs);
	return result;
}

/* What it executes of what changed; a run is spared where that cannot matter. */
static int find_executed(const struct look *l, struct unit *u, const struct programs *p,
			 struct executed *recorded, struct strv *out, struct err *err)
{
	const struct difference *d = &p->difference;

	if (differ_executed(d, NULL, out, err))
		return -1;
	if (out->n && !l->rq->explain)
		return 0;
	strv_cut(out, 0);
	if (record(l, u, p, recorded, err))
		return -1;
	return differ_executed(d, recorded->runs, out, err);
}

/* Once for all units of two trees. */
static int compare_names(struct look *l, const struct unit *u, struct err *err)
{
	struct buf both = BUF_INIT;
	int result = -1;

	buf_addf(&both, "%s %s", u->base.dir, u->head.dir);
	if (buf_check(&both, err))
		goto out;
	result = 0;
	if (l->trees && !strcmp(l->trees, buf_str(&both)))
		goto out;
	l->same_names = alike_names(u->base.dir, u->head.dir);
	result = str_set(&l->trees, buf_str(&both), err);
out:
	buf_release(&both);
	return result;
}

/* Why it may read something else on the head; static; NULL: it does not. */
static const char *why_other_files(const struct look *l, const struct unit *u,
				   const struct executed *r)
{
	size_t i;

	if (!alike_files(&r->files, u->base.dir, u->head.dir))
		return "a file differs that it opens";
	for (i = 0; i < r->asked.n; i++)
		if (!alike_look(r->asked.v[i], u->base.dir, u->head.dir))
			return "a file differs that it looks at";
	return l->same_names ? NULL : "files differ, in name, size or link, that it may look at";
}

static int make_identical(struct look *l, struct unit *u, const struct programs *p,
			  const struct executed *r, struct err *err)
{
	const char *why;

	if (compare_names(l, u, err))
		return -1;
	why = why_other_files(l, u, r);
	if (why) {
		u->changes.is_known = false;
		return str_set(&u->changes.why, why, err);
	}
	u->identical = true;
	u->has_base = false;
	return keep_for_head(l, u, p, r, err);
}

static int decide(struct look *l, struct unit *u, const struct programs *p, struct err *err)
{
	struct code_changes *c = &u->changes;
	struct executed recorded = EXECUTED_INIT;
	struct strv executed = STRV_INIT;
	struct err fault = ERR_INIT;
	int result = -1;

	c->is_explained = l->rq->explain;
	if (p->why)
		return str_set(&c->why, p->why, err);
	if (u->config->prepare || u->config->cleanup)
		return str_set(&c->why, "a command runs before or after each of its runs", err);
	if (extent_run_has_little_memory(u->config))
		return str_set(&c->why,
			       "its memory is limited, and code that is not executed takes some",
			       err);
	if (find_executed(l, u, p, &recorded, &executed, &fault)) {
		if (err_is_fatal(&fault))
			*err = fault;
		else
			result = str_set(&c->why, fault.text, err);
		goto out;
	}
	if (take_names(&p->difference.functions, &c->changed, err) ||
	    take_executed(&executed, c, err))
		goto out;
	c->n_functions = p->difference.n_functions;
	c->n_changed = p->difference.functions.n;
	c->is_known = true;
	result = c->executed.n || l->rq->measure_identical
			 ? 0
			 : make_identical(l, u, p, &recorded, err);
out:
	free(recorded.runs);
	executed_release(&recorded);
	strv_release(&executed);
	return result;
}

/* Sides that differ in more than what was built are measured without a word. */
static bool is_given(const struct side *s)
{
	return s->words.n || s->env.n;
}

/* Of two builds that run on the same inputs. */
static bool is_candidate(const struct unit *u)
{
	const char *base = u->base.binary_id, *head = u->head.binary_id;

	return u->has_base && !u->failure && !is_given(&u->base) && !is_given(&u->head) &&
	       u->base.dir && u->head.dir && base && head && strcmp(base, head) &&
	       strlen(base) > CODE_DIGITS && strlen(head) > CODE_DIGITS &&
	       !strcmp(base + CODE_DIGITS, head + CODE_DIGITS);
}

int compare_extent(const struct extent_request *rq, struct plan *plan, struct err *err)
{
	struct look l = { .rq = rq, .here = extent_run_here(rq->machine, err) };
	size_t i;
	int result = l.here ? 0 : -1;

	for (i = 0; !result && i < plan->n && (rq->explain || !rq->measure_identical); i++) {
		const struct programs *p;

		if (!is_candidate(&plan->units[i]))
			continue;
		p = find(&l, &plan->units[i], err);
		result = p ? decide(&l, &plan->units[i], p, err) : -1;
	}
	for (i = 0; i < l.n; i++)
		programs_free(l.v[i]);
	free(l.v);
	free(l.trees);
	free(l.here);
	return result;
}
