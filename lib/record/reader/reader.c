#include "lib/record/reader/reader.h"

#include <stdio.h>
#include <stdlib.h>

#include "lib/record/reader/local.h"

#include "lib/base/banned.h"

void reader_open(struct reader *r, const char *json, size_t n, size_t max_values,
		 unsigned max_depth, struct err *err)
{
	r->err = err;
	r->n_steps = 0;
	r->here = (struct reader_step){ .key = NULL };
	r->room = SIZE_MAX;
	r->brief = r->kept_in = NULL;
	r->numbers = NULL;
	r->cap = 0;
	pull_open(&r->pull, json, n, max_values, max_depth, err);
	r->failed = r->pull.failed;
}

bool reader_failed(const struct reader *r)
{
	return r->failed;
}

/* ---- faults ------------------------------------------------------------------------------ */

/* The path to the first n steps: "benchmarks[2].metrics[0]", "document" for all of it. */
static void write_path(const struct reader *r, size_t n, char out[READER_PATH])
{
	size_t i, len = 0;

	snprintf(out, READER_PATH, "document");
	for (i = 0; i < n && i < READER_STEPS && len < READER_PATH; i++) {
		const struct reader_step *step = &r->steps[i];
		char *to = out + len;
		size_t room = READER_PATH - len;

		len += (size_t)(step->key ? snprintf(to, room, "%s%.*s", i ? "." : "",
						     (int)step->n_key, step->key)
					  : snprintf(to, room, "[%zu]", step->index));
	}
}

static void fault_at(struct reader *r, enum err_code code, const struct reader_step *last,
		     const char *what)
{
	size_t n = r->n_steps;
	char path[READER_PATH];

	if (r->failed)
		return;
	r->failed = true;
	if (last && n < READER_STEPS)
		r->steps[n++] = *last;
	write_path(r, n, path);
	err_set(r->err, code, "%s: %s", path, what);
}

void reader_fault(struct reader *r, enum err_code code, const char *key, const char *what)
{
	const struct reader_step last = { key, key ? strlen(key) : 0, 0, 0 };

	fault_at(r, code, key ? &last : NULL, what);
}

/* Of the document itself there is no step. */
void reader_fault_here(struct reader *r, enum err_code code, const char *what)
{
	fault_at(r, code, r->pull.depth ? &r->here : NULL, what);
}

void reader_limit_text(char text[READER_LIMIT], const char *than, size_t most, const char *what)
{
	snprintf(text, 80, "%s %zu %s", than, most, what);
}

void reader_beyond(struct reader *r, const char *key, const char *than, size_t most,
		   const char *what)
{
	char text[READER_LIMIT];

	reader_limit_text(text, than, most, what);
	reader_fault(r, ERR_LIMIT, key, text);
}

void reader_need(struct reader *r, bool is_there, const char *key)
{
	if (!is_there)
		reader_fault(r, ERR_RANGE, key, "is missing");
}

/* ---- the end ----------------------------------------------------------------------------- */

/*
 * Goes through what is left after a fault: it may be worse.  No JSON, or deeper than is accepted;
 * or an array that the fault is in has too many items: the outermost such.
 */
static void look_for_worse(struct reader *r)
{
	struct err worse = ERR_INIT;
	struct pull *s = &r->pull;
	struct pull_text key;
	char text[READER_LIMIT];

	s->err = &worse;
	if (s->depth)
		s->max = SIZE_MAX;
	while (s->depth && !s->failed) {
		size_t at = s->depth - 1;
		const struct pull_frame *f = &s->frames[at];
		size_t most = at < r->n_steps ? r->steps[at].most : r->here.most;

		if (f->is_object) {
			pull_key(s, &key);
		} else if (pull_item(s) && f->n == most + 1) {
			r->failed = false;
			r->n_steps = at;
			reader_limit_text(text, "has more than", most, "items");
			fault_at(r, ERR_LIMIT, NULL, text);
		}
	}
	if (pull_finish(s) && worse.code != ERR_NOMEM && r->err)
		*r->err = worse;
}

int reader_close(struct reader *r)
{
	if (r->failed && !r->pull.failed)
		look_for_worse(r);
	else if (pull_finish(&r->pull))
		r->failed = true;
	pull_release(&r->pull);
	free(r->numbers);
	return r->failed ? -1 : 0;
}

/* ---- what is next ------------------------------------------------------------------------ */

enum pull_kind reader_kind(struct reader *r)
{
	enum pull_kind kind = r->failed ? PULL_NONE : pull_kind(&r->pull);

	reader_went_well(r);
	return kind;
}

/* ---- objects and arrays ------------------------------------------------------------------ */

bool reader_is_next(struct reader *r, enum pull_kind wanted, const char *must)
{
	enum pull_kind kind;

	if (r->failed)
		return false;
	kind = pull_kind(&r->pull);
	if (kind == wanted)
		return true;
	if (kind == PULL_NULL)
		pull_word(&r->pull);
	if (reader_went_well(r) && kind != PULL_NULL)
		reader_fault_here(r, ERR_RANGE, must);
	return false;
}

static bool enter(struct reader *r)
{
	bool is_root = !r->pull.depth;

	if (!pull_enter(&r->pull))
		return reader_went_well(r) && false;
	if (!is_root) {
		if (r->n_steps < READER_STEPS)
			r->steps[r->n_steps] = r->here;
		r->n_steps++;
	}
	r->here = (struct reader_step){ .index = SIZE_MAX, .most = SIZE_MAX };
	return true;
}

bool reader_object(struct reader *r)
{
	return reader_is_next(r, PULL_OBJECT, "must be an object") && enter(r);
}

bool reader_array(struct reader *r, size_t max)
{
	if (!reader_is_next(r, PULL_ARRAY, "must be an array") || !enter(r))
		return false;
	r->here.most = max;
	return true;
}

bool reader_next(struct reader *r)
{
	struct pull_text key;

	if (r->failed || !pull_key(&r->pull, &key))
		return reader_went_well(r) && false;
	r->here.key = key.text;
	r->here.n_key = key.n;
	return true;
}

bool reader_item(struct reader *r)
{
	char text[READER_LIMIT];

	if (r->failed || !pull_item(&r->pull))
		return reader_went_well(r) && false;
	if (++r->here.index < r->here.most)
		return true;
	reader_limit_text(text, "has more than", r->here.most, "items");
	reader_fault(r, ERR_LIMIT, NULL, text);
	return false;
}

/* Not after a fault: that is where look_for_worse() begins. */
void reader_leave(struct reader *r)
{
	if (!r->failed && r->n_steps) {
		r->n_steps--;
		r->here = r->steps[r->n_steps];
	}
}

/* Goes on to the member of that key; *out_text: a copy of its text, where it has one. */
static enum pull_kind look_for(struct reader *r, const char *key, char **out_text)
{
	struct pull *s = &r->pull;
	enum pull_kind kind = PULL_NONE;
	struct pull_text text;
	size_t n = strlen(key);

	while (kind == PULL_NONE && pull_key(s, &text))
		if (text.n == n && !memcmp(text.text, key, n))
			kind = pull_kind(s);
	if (out_text && kind == PULL_STRING && pull_string(s, &text))
		*out_text = strdup(text.text);
	return kind;
}

/* As look_for(), and back again. */
static enum pull_kind look_ahead(struct reader *r, const char *key, char **out_text)
{
	size_t max = r->pull.max;
	struct pull_mark mark;
	enum pull_kind kind;

	if (r->failed)
		return PULL_NONE;
	pull_mark(&r->pull, &mark);
	r->pull.max = SIZE_MAX; /* what is too many is told when it is read */
	kind = look_for(r, key, out_text);
	r->pull.max = max;
	if (!reader_went_well(r))
		return PULL_NONE;
	if (kind == PULL_STRING && out_text && !*out_text)
		reader_fault(r, ERR_NOMEM, key, "out of memory");
	pull_back(&r->pull, &mark);
	return kind;
}

enum pull_kind reader_later(struct reader *r, const char *key)
{
	return look_ahead(r, key, NULL);
}

char *reader_later_text(struct reader *r, const char *key)
{
	char *text = NULL;

	look_ahead(r, key, &text);
	return text;
}
