/* Strings: undone where they lie. */
#include <string.h>

#include "lib/base/jsonw.h"
#include "lib/json/local.h"

#include "lib/base/banned.h"

/* The four hex digits behind "\u"; -1 when they are none. */
static long read_hex(const char *p)
{
	long value = 0;
	int i;

	for (i = 0; i < 4; i++) {
		int digit = parser_is_digit(p[i])	 ? p[i] - '0'
			    : p[i] >= 'a' && p[i] <= 'f' ? p[i] - 'a' + 10
			    : p[i] >= 'A' && p[i] <= 'F' ? p[i] - 'A' + 10
							 : -1;

		if (digit < 0)
			return -1;
		value = value << 4 | digit;
	}
	return value;
}

static char *write_utf8(char *to, unsigned long c)
{
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 63));
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 63));
		*to++ = (char)(0x80 | (c & 63));
	} else {
		*to++ = (char)(0xf0 | c >> 18);
		*to++ = (char)(0x80 | (c >> 12 & 63));
		*to++ = (char)(0x80 | (c >> 6 & 63));
		*to++ = (char)(0x80 | (c & 63));
	}
	return to;
}

/* Behind "\u", where a second half follows a first one; what it stands for is never longer. */
static int undo_unicode(struct parser *s, char **to)
{
	long c = read_hex(s->p), low;

	if (c <= 0)
		return parser_fault(s,
				    c ? "a \\u without four hex digits" : "a string holds a NUL");
	s->p += 4;
	if (c >= 0xdc00 && c <= 0xdfff)
		return parser_fault(s, "half of a character");
	if (c >= 0xd800 && c <= 0xdbff) {
		low = s->p[0] == '\\' && s->p[1] == 'u' ? read_hex(s->p + 2) : -1;
		if (low < 0xdc00 || low > 0xdfff)
			return parser_fault(s, "half of a character");
		s->p += 6;
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	}
	*to = write_utf8(*to, (unsigned long)c);
	return 0;
}

static int undo_escape(struct parser *s, char **to)
{
	static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	const char *at;

	s->p++;
	if (*s->p == 'u') {
		s->p++;
		return undo_unicode(s, to);
	}
	at = *s->p ? strchr(letters, *s->p) : NULL;
	if (!at)
		return parser_unexpected(s, "an escape that is none");
	s->p++;
	*(*to)++ = meant[at - letters];
	return 0;
}

/* What is no plain ASCII: an escape, or a character of several bytes. */
static int take_special(struct parser *s, char **to)
{
	size_t n;

	if (*s->p == '\\')
		return undo_escape(s, to);
	if ((unsigned char)*s->p < 0x80)
		return parser_unexpected(s, "a control character in a string");
	n = utf8_length((const unsigned char *)s->p, (size_t)(s->end - s->p));
	if (!n)
		return parser_fault(s, "a string is not UTF-8");
	memmove(*to, s->p, n);
	*to += n;
	s->p += n;
	return 0;
}

/* Undoes the string in its place and ends it with a NUL, there where its quote was or before. */
int parser_string(struct parser *s)
{
	char *text = ++s->p, *to;
	struct jtree *v;

	while (*s->p != '"' && *s->p != '\\' && (signed char)*s->p >= 0x20)
		s->p++;
	for (to = s->p; *s->p != '"';) {
		if (*s->p != '\\' && (signed char)*s->p >= 0x20)
			*to++ = *s->p++;
		else if (take_special(s, &to))
			return -1;
	}
	s->p++;
	*to = '\0';
	v = parser_add(s, JTREE_STRING);
	if (!v)
		return -1;
	v->is.text = text;
	v->n = (uint32_t)(to - text);
	return 0;
}
