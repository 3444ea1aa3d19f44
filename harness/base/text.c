/* SPDX-License-Identifier: MIT */
#include "harness/base/text.h"

#include <stdio.h>
#include <string.h>

void pawl_text_init(struct text *t, char *memory, size_t size)
{
	t->at = memory;
	t->size = size;
	pawl_text_clear(t);
}

void pawl_text_clear(struct text *t)
{
	t->used = 0;
	t->full = false;
	t->at[0] = '\0';
}

static void add_bytes(struct text *t, const char *s, size_t n)
{
	if (t->full || n >= t->size - t->used) {
		t->full = true;
		return;
	}
	memcpy(t->at + t->used, s, n);
	t->used += n;
	t->at[t->used] = '\0';
}

void pawl_text_add(struct text *t, const char *s)
{
	add_bytes(t, s, strlen(s));
}

/* Up to the end, or to a character that is escaped. */
static size_t plain_length(const char *s)
{
	size_t n = 0;
	while ((unsigned char)s[n] >= 0x20 && s[n] != 0x7f && s[n] != '"' && s[n] != '\\')
		n++;
	return n;
}

void pawl_text_quote(struct text *t, const char *s)
{
	pawl_text_add(t, "\"");
	for (;;) {
		size_t n = plain_length(s);
		char escaped[8];
		add_bytes(t, s, n);
		s += n;
		if (!*s)
			break;
		if (*s == '"' || *s == '\\')
			(void)snprintf(escaped, sizeof(escaped), "\\%c", *s);
		else
			(void)snprintf(escaped, sizeof(escaped), "\\u%04x", (unsigned char)*s);
		pawl_text_add(t, escaped);
		s++;
	}
	pawl_text_add(t, "\"");
}

/* The program's locale may write another decimal point, of more than one byte. */
static void add_figure(struct text *t, const char *figure)
{
	static const char plain[] = "0123456789+-eE.";
	while (*figure) {
		size_t n = strspn(figure, plain);
		add_bytes(t, figure, n);
		figure += n;
		n = strcspn(figure, plain);
		if (n)
			pawl_text_add(t, ".");
		figure += n;
	}
}

static bool is_finite(double value)
{
	return value - value == 0;
}

void pawl_text_fixed(struct text *t, double value, int decimals)
{
	char figure[400];
	(void)snprintf(figure, sizeof(figure), "%.*f", decimals, value);
	add_figure(t, figure);
}

void pawl_text_number(struct text *t, double value)
{
	char figure[64];
	if (!is_finite(value)) {
		pawl_text_add(t, "null");
		return;
	}
	(void)snprintf(figure, sizeof(figure), "%.17g", value);
	add_figure(t, figure);
}

void pawl_text_whole(struct text *t, double value)
{
	if (is_finite(value))
		pawl_text_fixed(t, value, 0);
	else
		pawl_text_add(t, "null");
}

void pawl_text_count(struct text *t, uint64_t value)
{
	char figure[32];
	(void)snprintf(figure, sizeof(figure), "%llu", (unsigned long long)value);
	pawl_text_add(t, figure);
}

void pawl_text_signed(struct text *t, int64_t value)
{
	char figure[32];
	(void)snprintf(figure, sizeof(figure), "%lld", (long long)value);
	pawl_text_add(t, figure);
}

void pawl_text_key(struct text *t, const char *key)
{
	char last = t->used ? t->at[t->used - 1] : '{';
	if (last != '{' && last != '[')
		pawl_text_add(t, ",");
	pawl_text_quote(t, key);
	pawl_text_add(t, ":");
}

void pawl_text_field(struct text *t, const char *key, const char *value)
{
	pawl_text_key(t, key);
	if (value)
		pawl_text_quote(t, value);
	else
		pawl_text_add(t, "null");
}

/* Length of the UTF-8 character at s, 0 when there is none: overlong, surrogate, cut off. */
static size_t character(const unsigned char *s)
{
	size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (s[0] > 0xf4)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

bool pawl_text_is_clean(const char *s)
{
	const unsigned char *at = (const unsigned char *)s;
	while (*at) {
		size_t n = character(at);
		if (n == 0 || *at < 0x20 || *at == 0x7f)
			return false;
		if (*at == 0xc2 && at[1] < 0xa0)
			return false; /* the C1 control characters */
		at += n;
	}
	return true;
}
