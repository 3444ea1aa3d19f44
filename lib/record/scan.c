#include "lib/record/scan.h"

#include <string.h>

#include "lib/base/banned.h"

static void skip_blanks(struct scan *s)
{
	while (s->p && s->p < s->end &&
	       (*s->p == ' ' || *s->p == '\n' || *s->p == '\t' || *s->p == '\r'))
		s->p++;
}

void scan_expect(struct scan *s, char c)
{
	skip_blanks(s);
	s->p = s->p && s->p < s->end && *s->p == c ? s->p + 1 : NULL;
}

bool scan_at(struct scan *s, char c)
{
	skip_blanks(s);
	return s->p && s->p < s->end && *s->p == c;
}

/* Behind the string that starts here. */
static void skip_string(struct scan *s)
{
	scan_expect(s, '"');
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

void scan_skip_value(struct scan *s)
{
	if (scan_at(s, '"')) {
		skip_string(s);
	} else if (scan_at(s, '[') || scan_at(s, '{')) {
		skip_nested(s);
	} else {
		const char *start = s->p;

		while (s->p && s->p < s->end && !strchr(",]} \n\t\r", *s->p))
			s->p++;
		if (s->p == start)
			s->p = NULL;
	}
}

bool scan_enter_member(struct scan *s, const char *key)
{
	size_t n = strlen(key);

	scan_expect(s, '{');
	while (s->p && !scan_at(s, '}')) {
		const char *start = s->p;

		skip_string(s);
		if (s->p && (size_t)(s->p - start) == n && !memcmp(start, key, n)) {
			scan_expect(s, ':');
			skip_blanks(s);
			return s->p != NULL;
		}
		scan_expect(s, ':');
		scan_skip_value(s);
		if (!scan_at(s, '}'))
			scan_expect(s, ',');
	}
	scan_expect(s, '}');
	return false;
}
