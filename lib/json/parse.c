/* How text becomes a tree: what pull.h reads, value by value. */
#include <stdlib.h>

#include "lib/json/local.h"

#include "lib/base/banned.h"

#define ROOT 1 /* behind the value that holds the text */

/* A tree while it grows. */
struct maker {
	struct pull pull;
	struct jtree *v;
	size_t n, cap, max; /* values */
};

static void add_value(struct maker *m);

/* Makes room for one more value, which moves all that were there. */
static bool grow(struct maker *m)
{
	size_t cap = 2 * m->cap + 4;
	struct jtree *v = realloc(m->v, (cap < m->max ? cap : m->max) * sizeof(*v));

	if (!v) {
		m->pull.failed = true;
		err_nomem(m->pull.err);
		return false;
	}
	m->v = v;
	m->cap = cap < m->max ? cap : m->max;
	return true;
}

/* One more value; NULL without memory, or after a fault.  There are never more than pull.h lets
 * pass. */
static struct jtree *add(struct maker *m, enum jtree_kind kind)
{
	struct jtree *v;

	if (m->pull.failed || (m->n == m->cap && !grow(m)))
		return NULL;
	v = &m->v[m->n++];
	v->n = 0;
	v->kind = (uint8_t)kind;
	v->is_whole = false;
	return v;
}

static void add_text(struct maker *m, const struct pull_text *text)
{
	struct jtree *v = add(m, JTREE_STRING);

	if (!v)
		return;
	v->is.text = m->pull.text + (text->text - m->pull.text);
	v->n = (uint32_t)text->n;
}

static void add_string(struct maker *m)
{
	struct pull_text text;

	if (pull_string(&m->pull, &text))
		add_text(m, &text);
}

static void add_number(struct maker *m)
{
	struct pull_number number;
	struct jtree *v = pull_number(&m->pull, &number) ? add(m, JTREE_NUMBER) : NULL;

	if (!v)
		return;
	v->is_whole = number.is_whole;
	if (number.is_whole)
		v->is.whole = number.whole;
	else
		v->is.number = number.real;
}

static void add_word(struct maker *m, enum jtree_kind kind)
{
	bool truth = pull_word(&m->pull);
	struct jtree *v = add(m, kind);

	if (v)
		v->is.truth = truth;
}

/* An array or object, with all within it. */
static void add_nested(struct maker *m, bool is_object)
{
	size_t at = m->n, n = 0;
	uint32_t bits = 0;
	struct pull_text key;

	if (!pull_enter(&m->pull) || !add(m, is_object ? JTREE_OBJECT : JTREE_ARRAY))
		return;
	while (is_object ? pull_key(&m->pull, &key) : pull_item(&m->pull)) {
		if (is_object) {
			bits |= pull_key_bit(key.text, key.n);
			add_text(m, &key);
		}
		add_value(m);
		n++;
	}
	m->v[at].n = (uint32_t)n;
	m->v[at].is.in.span = (uint32_t)(m->n - at);
	m->v[at].is.in.keys = bits;
}

static void add_value(struct maker *m)
{
	switch (pull_kind(&m->pull)) {
	case PULL_OBJECT:
		add_nested(m, true);
		break;
	case PULL_ARRAY:
		add_nested(m, false);
		break;
	case PULL_STRING:
		add_string(m);
		break;
	case PULL_NUMBER:
		add_number(m);
		break;
	case PULL_BOOL:
		add_word(m, JTREE_BOOL);
		break;
	case PULL_NULL:
		add_word(m, JTREE_NULL);
		break;
	case PULL_NONE:
		break;
	}
}

static struct jtree *parse(const char *json, size_t n, size_t max_tree, int max_depth,
			   bool is_loose, struct err *err)
{
	size_t max = max_tree / sizeof(struct jtree);
	struct maker m = { .max = max < UINT32_MAX ? max : UINT32_MAX };

	pull_open(&m.pull, json, n, m.max, (unsigned)max_depth, err);
	m.pull.keeps = true;
	m.pull.is_loose = is_loose;
	m.pull.n = ROOT;
	m.cap = n / 12 + 4 < m.max ? n / 12 + 4 : m.max;
	m.v = malloc((m.cap + 1) * sizeof(*m.v));
	if (!m.v) {
		m.pull.failed = true;
		err_nomem(err);
	} else if (add(&m, JTREE_ABSENT)) {
		add_value(&m);
	}
	if (pull_finish(&m.pull)) {
		pull_release(&m.pull);
		free(m.v);
		return NULL;
	}
	m.v[0].is.text = m.pull.text;
	m.pull.text = NULL;
	pull_release(&m.pull);
	return m.v + ROOT;
}

struct jtree *jtree_parse_within(const char *json, size_t n, size_t max_tree, int max_depth,
				 struct err *err)
{
	return parse(json, n, max_tree, max_depth, false, err);
}

static bool fits(size_t n, size_t max_bytes, struct err *err)
{
	if (n <= max_bytes)
		return true;
	err_set(err, ERR_LIMIT, "document of %zu bytes, at most %zu are accepted", n, max_bytes);
	return false;
}

struct jtree *jtree_parse(const char *json, size_t n, size_t max_bytes, int max_depth,
			  struct err *err)
{
	return fits(n, max_bytes, err) ? parse(json, n, SIZE_MAX, max_depth, false, err) : NULL;
}

struct jtree *jtree_parse_loose(const char *json, size_t n, size_t max_bytes, int max_depth,
				struct err *err)
{
	return fits(n, max_bytes, err) ? parse(json, n, SIZE_MAX, max_depth, true, err) : NULL;
}
