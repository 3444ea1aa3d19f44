/* Strings: undone behind each other in the text. */
#include <string.h>

#include "lib/base/utf8.h"
#include "lib/json/local.h"

#include "lib/base/banned.h"

/* The four hex digits at p; -1 when they are none. */
static long read_hex(const struct pull *s, const char *p)
{
	long value = 0;
	int i;

	if (s->end - p < 4)
		return -1;
	for (i = 0; i < 4; i++) {
		int digit = pull_is_digit(p[i])		 ? p[i] - '0'
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
static bool undo_unicode(struct pull *s)
{
	long c = read_hex(s, s->p), low;

	if (c <= 0)
		return pull_fault(s, c ? "a \\u without four hex digits" : "a string holds a NUL");
	s->p += 4;
	if (c >= 0xdc00 && c <= 0xdfff)
		return pull_fault(s, "half of a character");
	if (c >= 0xd800 && c <= 0xdbff) {
		low = s->end - s->p > 2 && s->p[0] == '\\' && s->p[1] == 'u' ? read_hex(s, s->p + 2)
									     : -1;
		if (low < 0xdc00 || low > 0xdfff)
			return pull_fault(s, "half of a character");
		s->p += 6;
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	}
	s->to = write_utf8(s->to, (unsigned long)c);
	return true;
}

static bool undo_escape(struct pull *s)
{
	static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	const char *at;
	char c;

	s->p++;
	c = pull_peek(s);
	if (c == 'u') {
		s->p++;
		return undo_unicode(s);
	}
	at = c ? strchr(letters, c) : NULL;
	if (!at)
		return pull_unexpected(s, "an escape that is none");
	s->p++;
	*s->to++ = meant[at - letters];
	return true;
}

/* What is no printable ASCII: an escape, DEL, or a character of several bytes. */
static bool take_special(struct pull *s)
{
	size_t n;
	char c = pull_peek(s);

	if (c == '\\')
		return undo_escape(s);
	if ((unsigned char)c < 0x7f)
		return pull_unexpected(s, "a control character in a string");
	n = utf8_length((const unsigned char *)s->p, (size_t)(s->end - s->p));
	if (!n)
		return pull_fault(s, "a string is not UTF-8");
	memcpy(s->to, s->p, n);
	s->to += n;
	s->p += n;
	return true;
}

static inline bool is_plain(char c)
{
	return c != '"' && c != '\\' && c >= ' ' && c < 0x7f;
}

/* Copies what is printable ASCII. */
static void take_plain(struct pull *s)
{
	const char *p = s->p, *end = s->end;
	char *to = s->to;
	int n = 8;

	while (PULL_EIGHT && n == 8 && end - p >= 8) {
		/* There is room: a string takes at most what it took in the document. */
		memcpy(to, p, 8);
		n = pull_before(pull_mark_special(pull_eight(p)));
		p += n;
		to += n;
	}
	while (p < end && is_plain(*p))
		*to++ = *p++;
	s->p = p;
	s->to = to;
}

/* A NUL stands where its quote was or before, as the text goes. */
bool pull_read_string(struct pull *s, struct pull_text *out)
{
	out->text = s->to;
	out->is_plain = true;
	out->in_place = false;
	s->p++;
	take_plain(s);
	while (pull_peek(s) != '"') {
		out->is_plain = false;
		if (!take_special(s))
			return false;
		take_plain(s);
	}
	s->p++;
	out->n = (size_t)(s->to - out->text);
	*s->to++ = '\0';
	return true;
}
