/* How text becomes a tree: one pass over it. */
#include <stdlib.h>
#include <string.h>

#include "lib/json/local.h"

#include "lib/base/banned.h"

/* Members that are compared each with each; more are sorted. */
#define FEW_KEYS 24

#define ROOT 1 /* behind the value that holds the text */

/* Room to begin with where only one element at a time is there. */
#define APART_VALUES 1024

static int parse_value(struct parser *s);

static inline void skip_blanks(struct parser *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\n' || *s->p == '\t' || *s->p == '\r'))
		s->p++;
}

/* What is next behind blanks. */
static inline char next(struct parser *s)
{
	skip_blanks(s);
	return parser_peek(s);
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

/* Whether the key that was read last is one of those before it; *bits are theirs. */
static int check_key(struct parser *s, size_t object, size_t key, size_t n, uint32_t *bits)
{
	const struct jtree *v = &s->v[key];
	uint32_t bit = jtree_key_bit(v->is.text, v->n);

	if ((*bits & bit) && n < FEW_KEYS && is_among(v, &s->v[object + 1]))
		return parser_fault(s, "a duplicate key in an object");
	*bits |= bit;
	return 0;
}

static int parse_apart(struct parser *s);

/* Whether the member of that key has its elements taken apart: the first such one does. */
static bool is_apart(struct parser *s, size_t object, size_t key)
{
	const struct jtree *v = &s->v[key];

	return s->apart && object == ROOT && !strcmp(v->is.text, s->apart->key) && next(s) == '[';
}

/* A key, its colon, and the value; the object has n members before it. */
static int parse_member(struct parser *s, size_t object, size_t n, uint32_t *bits)
{
	size_t key = s->n;

	if (parser_peek(s) != '"')
		return parser_unexpected(s, "a key is missing");
	if (parser_string(s) || check_key(s, object, key, n, bits))
		return -1;
	if (next(s) != ':')
		return parser_unexpected(s, "':' is missing");
	s->p++;
	return is_apart(s, object, key) ? parse_apart(s) : parse_value(s);
}

/* s->p is at the opening bracket. */
static int parse_object(struct parser *s)
{
	size_t at = s->n, n = 0;
	uint32_t bits = 0;
	char c;

	if (!parser_add(s, JTREE_OBJECT))
		return -1;
	s->p++;
	for (c = next(s); n || c != '}'; c = next(s)) {
		if (parse_member(s, at, n, &bits))
			return -1;
		n++;
		c = next(s);
		if (c == '}')
			break;
		if (c != ',')
			return parser_unexpected(s, "',' or '}' is missing");
		s->p++;
	}
	s->p++;
	s->v[at].n = (uint32_t)n;
	s->v[at].is.in.span = (uint32_t)(s->n - at);
	s->v[at].is.in.keys = bits;
	return n > FEW_KEYS ? check_many(s, &s->v[at]) : 0;
}

/* The elements one after the other, until the bracket that closes: what is read of one stays. */
static int parse_elements(struct parser *s, int (*parse)(struct parser *s, size_t i), size_t *out_n)
{
	size_t n = 0;
	char c;

	s->p++;
	for (c = next(s); n || c != ']'; c = next(s)) {
		if (parse(s, n))
			return -1;
		n++;
		c = next(s);
		if (c == ']')
			break;
		if (c != ',')
			return parser_unexpected(s, "',' or ']' is missing");
		s->p++;
	}
	s->p++;
	*out_n = n;
	return 0;
}

static int parse_element(struct parser *s, size_t i)
{
	char c = parser_peek(s);

	(void)i;
	return parser_is_digit(c) || c == '-' ? parser_number(s) : parse_value(s);
}

static int parse_array(struct parser *s)
{
	size_t at = s->n, n = 0;

	if (!parser_add(s, JTREE_ARRAY) || parse_elements(s, parse_element, &n))
		return -1;
	s->v[at].n = (uint32_t)n;
	s->v[at].is.in.span = (uint32_t)(s->n - at);
	return 0;
}

static int go_down(struct parser *s)
{
	if (s->depth <= 0)
		return err_set(s->err, ERR_LIMIT, "document nests deeper than %d levels",
			       s->max_depth);
	s->depth--;
	return 0;
}

/* What was read of the element is forgotten once it is taken. */
static int take_element(struct parser *s, size_t i)
{
	size_t at = s->n;
	char *to = s->to;

	s->element = i;
	if (parse_value(s) || s->apart->take(s->apart->arg, i, &s->v[at], s->err))
		return -1;
	s->n = at;
	s->to = to;
	return 0;
}

/* The same as an array, which is empty in the tree. */
static int parse_apart(struct parser *s)
{
	size_t at = s->n, max = s->max, n;

	if (!parser_add(s, JTREE_ARRAY) || go_down(s))
		return -1;
	s->v[at].is.in.span = 1;
	s->within = s->apart->key;
	s->max = max < UINT32_MAX - s->n ? max + s->n : UINT32_MAX;
	if (parse_elements(s, take_element, &n))
		return -1;
	s->depth++;
	s->max = max;
	s->within = NULL;
	s->apart = NULL;
	return 0;
}

static int parse_word(struct parser *s, const char *word, enum jtree_kind kind, bool truth)
{
	size_t n = strlen(word);
	struct jtree *v;

	if ((size_t)(s->end - s->p) < n || memcmp(s->p, word, n))
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
	int result;

	if (go_down(s))
		return -1;
	result = *s->p == '{' ? parse_object(s) : parse_array(s);
	s->depth++;
	return result;
}

static int parse_value(struct parser *s)
{
	char c = next(s);

	switch (c) {
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
		if (c == '-' || parser_is_digit(c))
			return parser_number(s);
		return parser_unexpected(s, "a value is missing");
	}
}

static int parse_document(struct parser *s)
{
	char c;

	if (!parser_add(s, JTREE_ABSENT))
		return -1;
	c = next(s);
	if (c != '{' && c != '[')
		return parser_unexpected(s, "a document is an object or an array");
	if (parse_value(s))
		return -1;
	skip_blanks(s);
	return s->p == s->end ? 0 : parser_fault(s, "something follows the document");
}

struct jtree *jtree_parse_apart(const char *json, size_t n, size_t max_tree, int max_depth,
				const struct jtree_apart *apart, struct err *err)
{
	size_t cap = apart ? APART_VALUES : n / 12 + 4, max = max_tree / sizeof(struct jtree);
	struct parser s = { .json = json,
			    .end = json + n,
			    .p = json,
			    .max = max < UINT32_MAX ? max : UINT32_MAX,
			    .depth = max_depth,
			    .max_depth = max_depth,
			    .apart = apart,
			    .err = err };

	s.cap = cap < s.max ? cap : s.max;
	s.v = malloc((s.cap + 1) * sizeof(*s.v));
	s.text = s.to = malloc(n + 1); /* what no string needs takes no memory */
	if (!s.text || !s.v) {
		err_nomem(err);
		goto failed;
	}
	if (parse_document(&s))
		goto failed;
	s.v[0].is.text = s.text;
	return s.v + ROOT;
failed:
	free(s.text);
	free(s.v);
	return NULL;
}

struct jtree *jtree_parse_within(const char *json, size_t n, size_t max_tree, int max_depth,
				 struct err *err)
{
	return jtree_parse_apart(json, n, max_tree, max_depth, NULL, err);
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
