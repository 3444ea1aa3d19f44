/* How text becomes a tree: one pass over a copy. */
#include <stdlib.h>
#include <string.h>

#include "lib/json/local.h"

#include "lib/base/banned.h"

/* Members that are compared each with each; more are sorted. */
#define FEW_KEYS 24

static int parse_value(struct parser *s);

static void skip_blanks(struct parser *s)
{
	while (*s->p == ' ' || *s->p == '\n' || *s->p == '\t' || *s->p == '\r')
		s->p++;
}

static int order_keys(const void *a, const void *b)
{
	const struct jtree *x = *(const struct jtree *const *)a;
	const struct jtree *y = *(const struct jtree *const *)b;

	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	return memcmp(x->is.text, y->is.text, x->n);
}

/* Whether one of the keys from first on is key; there are `few` of them. */
static bool is_among(const struct jtree *key, const struct jtree *first)
{
	for (; first < key; first = jtree_behind(first + 1))
		if (first->n == key->n && !memcmp(first->is.text, key->is.text, key->n))
			return true;
	return false;
}

/* Of many members.  Their keys are sorted: a table could be filled on purpose with keys that meet.
 */
static int check_many(struct parser *s, const struct jtree *object)
{
	const struct jtree **keys = malloc(object->n * sizeof(*keys)), *p = object + 1;
	size_t i;
	bool twice = false;

	if (!keys)
		return err_nomem(s->err);
	for (i = 0; i < object->n; i++, p = jtree_behind(p + 1))
		keys[i] = p;
	qsort(keys, object->n, sizeof(*keys), order_keys);
	for (i = 1; i < object->n; i++)
		twice = twice || !order_keys(&keys[i - 1], &keys[i]);
	free(keys);
	return twice ? parser_fault(s, "a duplicate key in an object") : 0;
}

/* A key, its colon, and the value. */
static int parse_member(struct parser *s, size_t object, size_t n)
{
	size_t key = s->n;

	if (*s->p != '"')
		return parser_unexpected(s, "a key is missing");
	if (parser_string(s))
		return -1;
	if (n < FEW_KEYS && is_among(&s->v[key], &s->v[object + 1]))
		return parser_fault(s, "a duplicate key in an object");
	skip_blanks(s);
	if (*s->p != ':')
		return parser_unexpected(s, "':' is missing");
	s->p++;
	return parse_value(s);
}

/* s->p is at the opening bracket. */
static int parse_list(struct parser *s, enum jtree_kind kind, char close)
{
	size_t at = s->n, n = 0;

	if (!parser_add(s, kind))
		return -1;
	s->p++;
	skip_blanks(s);
	while (n || *s->p != close) {
		if (kind == JTREE_OBJECT ? parse_member(s, at, n) : parse_value(s))
			return -1;
		n++;
		skip_blanks(s);
		if (*s->p == close)
			break;
		if (*s->p != ',')
			return parser_unexpected(s, kind == JTREE_OBJECT ? "',' or '}' is missing"
									 : "',' or ']' is missing");
		s->p++;
		skip_blanks(s);
	}
	s->p++;
	s->v[at].n = (uint32_t)n;
	s->v[at].is.span = s->n - at;
	return kind == JTREE_OBJECT && n > FEW_KEYS ? check_many(s, &s->v[at]) : 0;
}

static int parse_word(struct parser *s, const char *word, enum jtree_kind kind, bool truth)
{
	size_t n = strlen(word);
	struct jtree *v;

	if (strncmp(s->p, word, n))
		return parser_fault(s, "a value is missing");
	s->p += n;
	v = parser_add(s, kind);
	if (!v)
		return -1;
	v->is.truth = truth;
	return 0;
}

static int parse_nested(struct parser *s)
{
	bool is_object = *s->p == '{';
	int result;

	if (s->depth <= 0)
		return err_set(s->err, ERR_LIMIT, "document nests deeper than %d levels",
			       s->max_depth);
	s->depth--;
	result = parse_list(s, is_object ? JTREE_OBJECT : JTREE_ARRAY, is_object ? '}' : ']');
	s->depth++;
	return result;
}

static int parse_value(struct parser *s)
{
	skip_blanks(s);
	switch (*s->p) {
	case '{':
	case '[':
		return parse_nested(s);
	case '"':
		return parser_string(s);
	case 't':
		return parse_word(s, "true", JTREE_BOOL, true);
	case 'f':
		return parse_word(s, "false", JTREE_BOOL, false);
	case 'n':
		return parse_word(s, "null", JTREE_NULL, false);
	default:
		if (*s->p == '-' || parser_is_digit(*s->p))
			return parser_number(s);
		return parser_unexpected(s, "a value is missing");
	}
}

static int parse_document(struct parser *s)
{
	if (!parser_add(s, JTREE_ABSENT))
		return -1;
	skip_blanks(s);
	if (*s->p != '{' && *s->p != '[')
		return parser_unexpected(s, "a document is an object or an array");
	if (parse_value(s))
		return -1;
	skip_blanks(s);
	return s->p == s->end ? 0 : parser_fault(s, "something follows the document");
}

struct jtree *jtree_parse_within(const char *json, size_t n, size_t max_tree, int max_depth,
				 struct err *err)
{
	struct parser s = { .json = json,
			    .cap = n / 12 + 4,
			    .max = max_tree / sizeof(struct jtree),
			    .depth = max_depth,
			    .max_depth = max_depth,
			    .err = err };
	char *copy = malloc(n + 1);

	if (s.cap > s.max)
		s.cap = s.max;
	s.v = malloc((s.cap + 1) * sizeof(*s.v));
	if (!copy || !s.v) {
		err_nomem(err);
		goto failed;
	}
	if (n)
		memcpy(copy, json, n);
	copy[n] = '\0';
	s.start = s.p = copy;
	s.end = copy + n;
	if (parse_document(&s))
		goto failed;
	s.v[0].is.text = copy;
	return s.v + 1;
failed:
	free(copy);
	free(s.v);
	return NULL;
}

struct jtree *jtree_parse(const char *json, size_t n, size_t max_bytes, int max_depth,
			  struct err *err)
{
	if (n > max_bytes) {
		err_set(err, ERR_LIMIT, "document of %zu bytes, at most %zu are accepted", n,
			max_bytes);
		return NULL;
	}
	return jtree_parse_within(json, n, SIZE_MAX, max_depth, err);
}
