#include "lib/record/narrow.h"

#include <string.h>

#include "lib/base/jsonw.h"

#include "lib/base/banned.h"

/* What is still to be read; p == NULL: the document is broken. */
struct scan {
	const char *p, *end;
};

static void skip_blanks(struct scan *s)
{
	while (s->p && s->p < s->end &&
	       (*s->p == ' ' || *s->p == '\n' || *s->p == '\t' || *s->p == '\r'))
		s->p++;
}

/* Takes one character that must stand here. */
static void expect(struct scan *s, char c)
{
	skip_blanks(s);
	s->p = s->p && s->p < s->end && *s->p == c ? s->p + 1 : NULL;
}

static bool at(struct scan *s, char c)
{
	skip_blanks(s);
	return s->p && s->p < s->end && *s->p == c;
}

/* Behind the string that starts here. */
static void skip_string(struct scan *s)
{
	expect(s, '"');
	while (s->p && s->p < s->end && *s->p != '"')
		s->p += *s->p == '\\' && s->p + 1 < s->end ? 2 : 1;
	s->p = s->p && s->p < s->end ? s->p + 1 : NULL;
}

/* Behind the array or object that starts here; which bracket closes which is not looked at. */
static void skip_nested(struct scan *s)
{
	size_t depth = 0;

	while (s->p && s->p < s->end) {
		char c = *s->p;

		if (c == '"') {
			skip_string(s);
			continue;
		}
		s->p++;
		if (c == '[' || c == '{')
			depth++;
		else if ((c == ']' || c == '}') && --depth == 0)
			return;
	}
	s->p = NULL;
}

static void skip_value(struct scan *s)
{
	if (at(s, '"')) {
		skip_string(s);
	} else if (at(s, '[') || at(s, '{')) {
		skip_nested(s);
	} else {
		const char *start = s->p;

		while (s->p && s->p < s->end && !strchr(",]} \n\t\r", *s->p))
			s->p++;
		if (s->p == start)
			s->p = NULL;
	}
}

/*
 * Goes into the object that starts here, up to the value of the member whose quoted key is given.
 * False: there is none, and the object lies behind.
 */
static bool enter_member(struct scan *s, const char *key)
{
	size_t n = strlen(key);

	expect(s, '{');
	while (s->p && !at(s, '}')) {
		const char *start = s->p;

		skip_string(s);
		if (s->p && (size_t)(s->p - start) == n && !memcmp(start, key, n)) {
			expect(s, ':');
			skip_blanks(s);
			return s->p != NULL;
		}
		expect(s, ':');
		skip_value(s);
		if (!at(s, '}'))
			expect(s, ',');
	}
	expect(s, '}');
	return false;
}

/* Whether the element at[0..end) is an object of that quoted name. */
static bool has_name(const char *start, const char *end, const char *name)
{
	struct scan s = { start, end };
	size_t n = strlen(name);

	return at(&s, '{') && enter_member(&s, "\"name\"") && (size_t)(s.end - s.p) >= n &&
	       !memcmp(s.p, name, n);
}

int summary_narrow(const char *json, size_t n, const char *name, struct buf *out, struct err *err)
{
	const char *first, *start = NULL, *stop = NULL;
	struct scan s = { json, json + n };
	struct buf quoted = BUF_INIT;
	size_t before = out->len;
	int result = -1;

	json_quote(&quoted, name, strlen(name));
	if (buf_check(&quoted, err))
		goto out;
	if (!enter_member(&s, "\"benchmarks\""))
		s.p = NULL;
	expect(&s, '[');
	first = s.p;
	while (s.p && !at(&s, ']')) {
		const char *element = s.p;

		skip_value(&s);
		if (s.p && !start && has_name(element, s.p, buf_str(&quoted))) {
			start = element;
			stop = s.p;
		}
		if (!at(&s, ']'))
			expect(&s, ',');
	}
	if (!s.p) {
		err_set(err, ERR_SYNTAX, "the document is no summary");
		goto out;
	}
	if (!start) {
		err_set(err, ERR_ABSENT, "no benchmark '%s'", name);
		goto out;
	}
	buf_add(out, json, (size_t)(first - json));
	buf_add(out, start, (size_t)(stop - start));
	buf_add(out, s.p, (size_t)(s.end - s.p));
	result = buf_check(out, err);
	if (result)
		buf_truncate(out, before);
out:
	buf_release(&quoted);
	return result;
}
