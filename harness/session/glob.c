/* SPDX-License-Identifier: MIT */
#include "harness/session/glob.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* Bytes of the character at s, which is not the end. */
static size_t length(const char *s)
{
	size_t n = 1;
	while ((unsigned char)*s >= 0xc0 && ((unsigned char)s[n] & 0xc0) == 0x80 && n < 4)
		n++;
	return n;
}

/* The character at s as a number that sorts as code points do. */
static unsigned long number(const char *s)
{
	unsigned long value = 0;
	for (size_t i = 0, n = length(s); i < n; i++)
		value = value << 8 | (unsigned char)s[i];
	return value;
}

/* Whether the character is of the class whose name is s[0..n). */
static bool is_of_class(const char *s, size_t n, unsigned long c)
{
	static const struct {
		const char *name;
		int (*is)(int c);
	} classes[] = {
		{ "alnum", isalnum }, { "alpha", isalpha }, { "blank", isblank },
		{ "cntrl", iscntrl }, { "digit", isdigit }, { "graph", isgraph },
		{ "lower", islower }, { "print", isprint }, { "punct", ispunct },
		{ "space", isspace }, { "upper", isupper }, { "xdigit", isxdigit },
	};
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (strlen(classes[i].name) == n && strncmp(classes[i].name, s, n) == 0)
			return c < 0x80 && classes[i].is((int)c);
	return false;
}

/* The end of the class that begins at s with "[:", behind its "]"; NULL: it is no class. */
static const char *class_end(const char *s)
{
	const char *end = strstr(s + 2, ":]");
	return end && strspn(s + 2, "abcdefghijklmnopqrstuvwxyz") == (size_t)(end - s - 2) ? end + 2
											   : NULL;
}

/*
 * Whether the set that begins at s, behind its [, has the character.  *out_end is behind its ],
 * or NULL when there is none.
 */
static bool set_has(const char *s, unsigned long c, const char **out_end)
{
	bool other = *s == '!' || *s == '^', found = false;
	const char *first = s += other;
	*out_end = NULL;
	while (*s && (*s != ']' || s == first)) {
		const char *end = s[0] == '[' && s[1] == ':' ? class_end(s) : NULL;
		unsigned long low, high;
		if (end) {
			found = found || is_of_class(s + 2, (size_t)(end - s - 4), c);
			s = end;
			continue;
		}
		s += s[0] == '\\' && s[1];
		low = high = number(s);
		s += length(s);
		if (s[0] == '-' && s[1] && s[1] != ']') {
			s += 1 + (s[1] == '\\' && s[2]);
			high = number(s);
			s += length(s);
		}
		found = found || (low <= c && c <= high);
	}
	if (*s)
		*out_end = s + 1;
	return found != other;
}

/* What is behind the part of the pattern that takes the one character at text; NULL: it does not.
 */
static const char *take_one(const char *pattern, const char *text)
{
	const char *end;
	if (*pattern == '?')
		return pattern + 1;
	if (*pattern == '[') {
		bool has = set_has(pattern + 1, number(text), &end);
		if (end)
			return has ? end : NULL;
	}
	pattern += *pattern == '\\' && pattern[1];
	return *pattern && number(pattern) == number(text) ? pattern + length(pattern) : NULL;
}

bool pawl_glob_takes(const char *pattern, const char *text)
{
	const char *star = NULL, *from = NULL;
	while (*text) {
		const char *next;
		if (*pattern == '*') {
			star = ++pattern;
			from = text;
			continue;
		}
		next = take_one(pattern, text);
		if (next) {
			pattern = next;
			text += length(text);
			continue;
		}
		/* The last star takes one more. */
		if (!star)
			return false;
		from += length(from);
		text = from;
		pattern = star;
	}
	return pattern[strspn(pattern, "*")] == '\0';
}
