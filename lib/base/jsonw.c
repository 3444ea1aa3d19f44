#include "lib/base/jsonw.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/base/runner.h"
#include "lib/base/utf8.h"

#include "lib/base/banned.h"

/* How many bytes from here on are ASCII that stands for itself. */
static size_t plain_length(const unsigned char *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (p[i] < 0x20 || p[i] >= 0x7f || p[i] == '"' || p[i] == '\\' || p[i] == '#')
			break;
	return i;
}

void json_quote(struct buf *out, const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t i = 0;

	buf_addc(out, '"');
	while (i < n) {
		size_t len = plain_length(p + i, n - i);

		if (len) {
			buf_add(out, p + i, len);
			i += len;
			continue;
		}
		len = utf8_length(p + i, n - i);
		if (!len) {
			buf_adds(out, "\xef\xbf\xbd");
			len = 1;
		} else if (p[i] == '"' || p[i] == '\\') {
			buf_addc(out, '\\');
			buf_addc(out, (char)p[i]);
		} else if (utf8_is_control(p + i) || runner_is_hash(text, text + i)) {
			buf_addf(out, "\\u%04x", p[i + len - 1]);
		} else {
			buf_add(out, p + i, len);
		}
		i += len;
	}
	buf_addc(out, '"');
}

void jsonw_init(struct jsonw *w, struct buf *out, int indent)
{
	memset(w, 0, sizeof(*w));
	w->out = out;
	w->indent = indent;
	w->flat[0] = true;
}

static void new_line(struct jsonw *w)
{
	if (!w->indent || w->flat[w->depth])
		return;
	buf_addc(w->out, '\n');
	buf_addn(w->out, ' ', (size_t)w->indent * (size_t)w->depth);
}

/* What stands before an item: a comma, a line break. */
static void separate(struct jsonw *w)
{
	if (w->has_items[w->depth])
		buf_addc(w->out, ',');
	if (w->has_items[w->depth] && w->indent && w->flat[w->depth])
		buf_addc(w->out, ' ');
	w->has_items[w->depth] = true;
	if (w->depth)
		new_line(w);
}

static void before_value(struct jsonw *w)
{
	if (w->after_key) {
		w->after_key = false;
		return;
	}
	assert(!w->object[w->depth]);
	separate(w);
}

static void open_level(struct jsonw *w, bool object, bool flat)
{
	before_value(w);
	buf_addc(w->out, object ? '{' : '[');
	assert(w->depth + 1 < JSONW_DEPTH);
	flat = flat || (w->depth && w->flat[w->depth]);
	w->depth++;
	w->has_items[w->depth] = false;
	w->flat[w->depth] = flat;
	w->object[w->depth] = object;
}

static void close_level(struct jsonw *w, bool object)
{
	bool had = w->has_items[w->depth], flat = w->flat[w->depth];

	assert(w->depth > 0 && !w->after_key && w->object[w->depth] == object);
	w->depth--;
	if (had && !flat && w->indent) {
		buf_addc(w->out, '\n');
		buf_addn(w->out, ' ', (size_t)w->indent * (size_t)w->depth);
	}
	buf_addc(w->out, object ? '}' : ']');
}

void jsonw_object(struct jsonw *w)
{
	open_level(w, true, false);
}

void jsonw_object_end(struct jsonw *w)
{
	close_level(w, true);
}

void jsonw_array(struct jsonw *w)
{
	open_level(w, false, false);
}

void jsonw_array_flat(struct jsonw *w)
{
	open_level(w, false, true);
}

void jsonw_array_end(struct jsonw *w)
{
	close_level(w, false);
}

void jsonw_key(struct jsonw *w, const char *key)
{
	assert(!w->after_key && w->object[w->depth]);
	separate(w);
	json_quote(w->out, key, strlen(key));
	buf_adds(w->out, w->indent ? ": " : ":");
	w->after_key = true;
}

void jsonw_string(struct jsonw *w, const char *text)
{
	if (!text) {
		jsonw_null(w);
		return;
	}
	before_value(w);
	json_quote(w->out, text, strlen(text));
}

void jsonw_number(struct jsonw *w, double value)
{
	char text[NUMBER_TEXT];

	if (!isfinite(value)) {
		jsonw_null(w);
		return;
	}
	before_value(w);
	buf_add(w->out, text, number_write(value, text));
}

void jsonw_integer(struct jsonw *w, int64_t value)
{
	char text[NUMBER_TEXT];

	before_value(w);
	buf_add(w->out, text, number_write_whole(value, text));
}

void jsonw_bool(struct jsonw *w, bool value)
{
	before_value(w);
	buf_adds(w->out, value ? "true" : "false");
}

void jsonw_null(struct jsonw *w)
{
	before_value(w);
	buf_adds(w->out, "null");
}

void jsonw_raw(struct jsonw *w, const char *json, size_t n)
{
	before_value(w);
	buf_add(w->out, json, n);
}

void jsonw_kstring(struct jsonw *w, const char *key, const char *text)
{
	jsonw_key(w, key);
	jsonw_string(w, text);
}

void jsonw_knumber(struct jsonw *w, const char *key, double value)
{
	jsonw_key(w, key);
	jsonw_number(w, value);
}

void jsonw_kinteger(struct jsonw *w, const char *key, int64_t value)
{
	jsonw_key(w, key);
	jsonw_integer(w, value);
}

void jsonw_kbool(struct jsonw *w, const char *key, bool value)
{
	jsonw_key(w, key);
	jsonw_bool(w, value);
}

void jsonw_knumbers(struct jsonw *w, const char *key, const double *x, size_t n)
{
	size_t i;

	jsonw_key(w, key);
	jsonw_array_flat(w);
	for (i = 0; i < n; i++)
		jsonw_number(w, x[i]);
	jsonw_array_end(w);
}
