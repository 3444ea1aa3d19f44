#include "lib/json/pull.h"

#include <limits.h>
#include <stdlib.h>

#include "lib/json/local.h"

#include "lib/base/banned.h"

static inline bool count(struct pull *s)
{
	return s->n++ < s->max || pull_too_many(s);
}

/* ---- begin and end ----------------------------------------------------------------------- */

static inline void skip_blanks(struct pull *s)
{
	while (s->p < s->end && (unsigned char)*s->p <= ' ' &&
	       (*s->p == ' ' || *s->p == '\n' || *s->p == '\t' || *s->p == '\r'))
		s->p++;
}

/* What is next behind blanks. */
static inline char next(struct pull *s)
{
	skip_blanks(s);
	return pull_peek(s);
}

void pull_open(struct pull *s, const char *json, size_t n, size_t max, unsigned max_depth,
	       struct err *err)
{
	char c;

	*s = (struct pull){ .json = json,
			    .end = json + n,
			    .p = json,
			    .max = max,
			    .max_keys = max / 2,
			    .sure = json,
			    .max_depth = max_depth,
			    .is_pending = true,
			    .err = err };
	s->frames = malloc((max_depth + 1) * sizeof(*s->frames));
	s->text = s->to = malloc(n + 1); /* what no string needs takes no memory */
	if (!s->text || !s->frames) {
		pull_no_memory(s);
		return;
	}
	c = next(s);
	if (c != '{' && c != '[')
		pull_unexpected(s, "a document is an object or an array");
}

void pull_release(struct pull *s)
{
	free(s->text);
	free(s->frames);
	free(s->keys);
	s->text = NULL;
	s->frames = NULL;
	s->keys = NULL;
	s->failed = true;
}

int pull_finish(struct pull *s)
{
	struct pull_text key;

	if (!s->failed && s->is_pending && !s->depth)
		pull_skip(s);
	while (!s->failed && s->depth) {
		if (s->frames[s->depth - 1].is_object)
			pull_key(s, &key);
		else
			pull_item(s);
	}
	if (s->failed)
		return -1;
	skip_blanks(s);
	return s->p == s->end || pull_fault(s, "something follows the document") ? 0 : -1;
}

/* ---- values ------------------------------------------------------------------------------ */

enum pull_kind pull_kind(struct pull *s)
{
	static const unsigned char kinds[UCHAR_MAX + 1] = {
		['{'] = PULL_OBJECT, ['['] = PULL_ARRAY,  ['"'] = PULL_STRING, ['t'] = PULL_BOOL,
		['f'] = PULL_BOOL,   ['n'] = PULL_NULL,	  ['-'] = PULL_NUMBER, ['0'] = PULL_NUMBER,
		['1'] = PULL_NUMBER, ['2'] = PULL_NUMBER, ['3'] = PULL_NUMBER, ['4'] = PULL_NUMBER,
		['5'] = PULL_NUMBER, ['6'] = PULL_NUMBER, ['7'] = PULL_NUMBER, ['8'] = PULL_NUMBER,
		['9'] = PULL_NUMBER
	};
	enum pull_kind kind;
	char c;

	if (s->failed)
		return PULL_NONE;
	c = next(s);
	kind = (enum pull_kind)kinds[(unsigned char)c];
	if (kind == PULL_NONE && s->is_loose && (c == 'N' || c == 'I'))
		return PULL_NUMBER;
	if (kind == PULL_NONE)
		pull_unexpected(s, "a value is missing");
	return kind;
}

bool pull_string(struct pull *s, struct pull_text *out)
{
	char *to = s->to;

	if (pull_kind(s) != PULL_STRING || !count(s) || !pull_read_string(s, out))
		return false;
	s->is_pending = false;
	if (!s->keeps)
		s->to = to;
	return true;
}

bool pull_number(struct pull *s, struct pull_number *out)
{
	if (pull_kind(s) != PULL_NUMBER || !count(s) || !pull_read_number(s, out))
		return false;
	s->is_pending = false;
	return true;
}

bool pull_word(struct pull *s)
{
	static const char *const words[] = { "true", "false", "null" };
	enum pull_kind kind = pull_kind(s);
	const char *word = kind == PULL_NULL ? words[2] : words[pull_peek(s) != 't'];
	size_t n = strlen(word);

	if (kind != PULL_NULL && kind != PULL_BOOL)
		return false;
	if ((size_t)(s->end - s->p) < n || memcmp(s->p, word, n) != 0)
		return pull_fault(s, "a value is missing");
	s->p += n;
	s->is_pending = false;
	return count(s) && word == words[0];
}

/* One that holds nothing else. */
static void skip_simple(struct pull *s, enum pull_kind kind)
{
	struct pull_number number;
	struct pull_text text;

	if (kind == PULL_STRING)
		pull_string(s, &text);
	else if (kind == PULL_NUMBER)
		pull_number(s, &number);
	else
		pull_word(s);
}

void pull_skip(struct pull *s)
{
	unsigned depth = s->depth;
	struct pull_text key;

	do {
		enum pull_kind kind = pull_kind(s);

		if (kind == PULL_ARRAY || kind == PULL_OBJECT)
			pull_enter(s);
		else
			skip_simple(s, kind);
		while (!s->failed && s->depth > depth &&
		       !(s->frames[s->depth - 1].is_object ? pull_key(s, &key) : pull_item(s)))
			;
	} while (!s->failed && s->depth > depth);
}

/* ---- arrays and objects ------------------------------------------------------------------ */

bool pull_enter(struct pull *s)
{
	enum pull_kind kind = pull_kind(s);

	if (kind != PULL_ARRAY && kind != PULL_OBJECT)
		return false;
	if (s->depth >= s->max_depth) {
		s->failed = true;
		err_set(s->err, ERR_LIMIT, "document nests deeper than %u levels", s->max_depth);
		return false;
	}
	if (!count(s))
		return false;
	s->frames[s->depth++] = (struct pull_frame){ .first_key = s->n_keys,
						     .to = s->to,
						     .is_object = kind == PULL_OBJECT };
	s->p++;
	s->is_pending = false;
	return true;
}

/* Behind the bracket that closes the innermost.  Returns false. */
static bool close_frame(struct pull *s)
{
	struct pull_frame *f = &s->frames[s->depth - 1];

	s->p++;
	if (f->is_object && f->n > PULL_FEW_KEYS && !pull_check_keys(s, f))
		return false;
	s->n_keys = f->first_key;
	if (!s->keeps)
		s->to = f->to;
	s->depth--;
	return false;
}

/* To the next one of the innermost, which `end` closes; false: there is none. */
static inline bool go_on(struct pull *s, char end, const char *wanted)
{
	struct pull_frame *f;
	char c;

	if (s->is_pending)
		pull_skip(s);
	if (s->failed)
		return false;
	f = &s->frames[s->depth - 1];
	c = next(s);
	if (c == end)
		return close_frame(s);
	if (f->n) {
		if (c != ',')
			return pull_unexpected(s, wanted);
		s->p++;
	}
	f->n++;
	s->is_pending = true;
	return true;
}

bool pull_item(struct pull *s)
{
	return go_on(s, ']', "',' or ']' is missing");
}

/*
 * Who is given a member keeps it, or looks for others by it: of a key that is there a thousand
 * times that is too much before the object is closed.  What is within is gone through, too, once.
 */
static bool look_through(struct pull *s)
{
	size_t max = s->max;
	struct pull_mark mark;
	struct pull_text key;

	pull_mark(s, &mark);
	s->max = SIZE_MAX; /* what is too many is told when it is read */
	s->sure = s->end;
	while (pull_key(s, &key))
		;
	s->max = max;
	if (s->failed)
		return false;
	s->sure = s->p;
	pull_back(s, &mark);
	return true;
}

bool pull_key(struct pull *s, struct pull_text *out)
{
	if (!go_on(s, '}', "',' or '}' is missing"))
		return false;
	s->is_pending = false;
	if (next(s) != '"')
		return pull_unexpected(s, "a key is missing");
	if (!count(s) || !pull_take_key(s, out))
		return false;
	if (next(s) != ':')
		return pull_unexpected(s, "':' is missing");
	s->p++;
	s->is_pending = true;
	if (s->frames[s->depth - 1].n == PULL_FEW_KEYS + 1 && !s->keeps && s->p > s->sure)
		return look_through(s);
	return true;
}
