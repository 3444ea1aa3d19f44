#include "reporter/text/text.h"

#include <stdint.h>
#include <string.h>

#include "lib/base/runner.h"
#include "lib/base/utf8.h"

#include "lib/base/banned.h"

struct range {
	uint32_t from, to;
};

static bool is_in(uint32_t c, const struct range *ranges, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (c >= ranges[i].from && c <= ranges[i].to)
			return true;
	return false;
}

/* C1 controls, soft hyphen, zero-width and bidirectional marks, line separators, no characters. */
static bool is_hidden(uint32_t c)
{
	static const struct range hidden[] = {
		{ 0x7f, 0x9f },	    { 0xad, 0xad },	{ 0x61c, 0x61c },     { 0x115f, 0x1160 },
		{ 0x180e, 0x180e }, { 0x200b, 0x200f }, { 0x2028, 0x202e },   { 0x2060, 0x206f },
		{ 0x3164, 0x3164 }, { 0xfdd0, 0xfdef }, { 0xfeff, 0xfeff },   { 0xffa0, 0xffa0 },
		{ 0xfff9, 0xfffb }, { 0xfffe, 0xffff }, { 0xe0000, 0xe0fff },
	};

	return is_in(c, hidden, sizeof(hidden) / sizeof(hidden[0])) || (c & 0xfffe) == 0xfffe;
}

static bool is_combining(uint32_t c)
{
	static const struct range combining[] = {
		{ 0x300, 0x36f },   { 0x483, 0x489 },	{ 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff },
		{ 0x20d0, 0x20ff }, { 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f },
	};

	return is_in(c, combining, sizeof(combining) / sizeof(combining[0]));
}

/* What East Asian writing and pictures take: two columns (Unicode 15, UAX #11, "W" and "F"). */
static bool is_wide(uint32_t c)
{
	static const struct range wide[] = {
		{ 0x1100, 0x115e },   { 0x231a, 0x231b },   { 0x23e9, 0x23ec },
		{ 0x25fd, 0x25fe },   { 0x2614, 0x2615 },   { 0x26a1, 0x26a1 },
		{ 0x2705, 0x2705 },   { 0x270a, 0x270b },   { 0x2728, 0x2728 },
		{ 0x274c, 0x274c },   { 0x2753, 0x2755 },   { 0x2757, 0x2757 },
		{ 0x2b50, 0x2b50 },   { 0x2e80, 0x303e },   { 0x3041, 0x33ff },
		{ 0x3400, 0x4dbf },   { 0x4e00, 0xa4cf },   { 0xa960, 0xa97c },
		{ 0xac00, 0xd7a3 },   { 0xf900, 0xfaff },   { 0xfe30, 0xfe6b },
		{ 0xff01, 0xff60 },   { 0xffe0, 0xffe6 },   { 0x16fe0, 0x18cff },
		{ 0x1b000, 0x1b2ff }, { 0x1f300, 0x1f320 }, { 0x1f32d, 0x1f335 },
		{ 0x1f337, 0x1f37c }, { 0x1f37e, 0x1f393 }, { 0x1f3a0, 0x1f3ca },
		{ 0x1f3e0, 0x1f3f0 }, { 0x1f3f8, 0x1f43e }, { 0x1f440, 0x1f440 },
		{ 0x1f442, 0x1f4fc }, { 0x1f4ff, 0x1f53d }, { 0x1f550, 0x1f567 },
		{ 0x1f5fb, 0x1f64f }, { 0x1f680, 0x1f6c5 }, { 0x1f6d0, 0x1f6d2 },
		{ 0x1f7e0, 0x1f7eb }, { 0x1f90c, 0x1f93a }, { 0x1f93c, 0x1f9ff },
		{ 0x1fa70, 0x1faf8 }, { 0x20000, 0x3fffd },
	};

	return c >= 0x1100 && is_in(c, wide, sizeof(wide) / sizeof(wide[0]));
}

static int columns_of(uint32_t c)
{
	return is_combining(c) ? 0 : is_wide(c) ? 2 : 1;
}

/* The code point at p and its length in bytes; a stray byte is its own value, length 1. */
static uint32_t code_at(const char *p, size_t n, size_t *out_length)
{
	const unsigned char *u = (const unsigned char *)p;
	size_t length = utf8_length(u, n), i;
	uint32_t c;

	*out_length = length ? length : 1;
	if (length < 2)
		return u[0];
	c = u[0] & (0xffu >> (length + 1));
	for (i = 1; i < length; i++)
		c = c << 6 | (u[i] & 0x3f);
	return c;
}

static void add_control(unsigned char c, struct buf *out)
{
	switch (c) {
	case '\n':
		buf_adds(out, "\\n");
		break;
	case '\r':
		buf_adds(out, "\\r");
		break;
	case '\t':
		buf_adds(out, "\\t");
		break;
	case 0x1b:
		buf_adds(out, "\\e");
		break;
	default:
		buf_addf(out, "\\x%02x", c);
	}
}

void text_visible(const char *text, bool utf8, struct buf *out)
{
	const char *p = text;
	size_t left = text ? strlen(text) : 0, length;
	uint32_t c;

	for (; left > 0; p += length, left -= length) {
		c = code_at(p, left, &length);
		if (runner_is_command(text, p))
			buf_addc(out, '\\');
		if (c < 0x20 || c == 0x7f)
			add_control((unsigned char)c, out);
		else if (c < 0x7f)
			buf_addc(out, (char)c);
		else if (length == 1)
			buf_addf(out, "\\x%02x", (unsigned)c);
		else if (!utf8 || is_hidden(c))
			buf_addf(out, "\\u{%x}", (unsigned)c);
		else
			buf_add(out, p, length);
	}
}

int text_width(const char *text)
{
	size_t left = strlen(text), length;
	int width = 0;

	for (; left > 0; text += length, left -= length)
		width += columns_of(code_at(text, left, &length));
	return width;
}

/*
 * Where column `columns` of text begins, the marks that belong to the one before it passed.  What
 * is wide and lies on both sides of it is passed or not.
 */
static const char *at_column(const char *text, int columns, bool passes)
{
	size_t left = strlen(text), length;

	for (; left > 0; text += length, left -= length) {
		int width = columns_of(code_at(text, left, &length));

		if (width > 0 && columns < (passes ? 1 : width))
			break;
		columns -= width;
	}
	return text;
}

static const char *after_columns(const char *text, int columns)
{
	return at_column(text, columns, false);
}

void text_cut(const char *text, int width, bool utf8, struct buf *out)
{
	const char *dots = utf8 ? "\xe2\x80\xa6" : "...";
	int whole = text_width(text), kept = width - (utf8 ? 1 : 3);

	if (whole <= width) {
		buf_adds(out, text);
		return;
	}
	if (kept < 2) {
		buf_add(out, text, (size_t)(after_columns(text, width) - text));
		return;
	}
	buf_add(out, text, (size_t)(after_columns(text, kept - kept / 2) - text));
	buf_adds(out, dots);
	buf_adds(out, at_column(text, whole - kept / 2, true));
}

/* Whether a line may end at p: not before a "%", nor inside "[2.1, 4.7]". */
static bool is_break(const char *start, const char *p)
{
	if (*p != ' ' || p[1] == '%')
		return false;
	return !(p - start >= 2 && p[-1] == ',' && strchr("0123456789?", p[-2]) &&
		 strchr("+-0123456789?", p[1]));
}

/* The end of the line that starts at p: the last blank that fits, or else the first one. */
static const char *line_end(const char *p, int width)
{
	const char *limit = after_columns(p, width), *end;

	if (!*limit)
		return limit;
	for (end = limit; end > p; end--)
		if (is_break(p, end) && strspn(p, " ") < (size_t)(end - p))
			return end;
	for (end = p + strspn(p, " "); *end && !is_break(p, end); end++)
		;
	return end;
}

void text_wrap(const char *text, int width, const char *first, const char *rest, struct buf *out)
{
	const char *prefix = first, *end;

	do {
		int room = width - text_width(prefix);

		end = width > 0 ? line_end(text, room > 0 ? room : 0) : text + strlen(text);
		buf_adds(out, prefix);
		buf_add(out, text, (size_t)(end - text));
		buf_addc(out, '\n');
		text = end + strspn(end, " ");
		prefix = rest;
	} while (*text);
}
