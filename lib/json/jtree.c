#include "lib/json/jtree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/jsonw.h"
#include "lib/json/local.h"

#include "lib/base/banned.h"

void jtree_free(struct jtree *root)
{
	if (!root)
		return;
	free(root[-1].is.text);
	free(root - 1);
}

enum jtree_kind jtree_kind(const struct jtree *v)
{
	return v ? (enum jtree_kind)v->kind : JTREE_ABSENT;
}

bool jtree_next(const struct jtree *object, struct jtree_field *field)
{
	const struct jtree *last = field->at, *next;

	if (!object || object->kind != JTREE_OBJECT)
		return false;
	next = last ? jtree_behind(last) : object + 1;
	if (next >= object + object->is.in.span)
		return false;
	field->key = next->is.text;
	field->value = next + 1;
	field->at = field->value;
	return true;
}

const struct jtree *jtree_get(const struct jtree *v, const char *key)
{
	const struct jtree *p, *end;

	if (!v || v->kind != JTREE_OBJECT || !(v->is.in.keys & pull_key_bit(key, strnlen(key, 3))))
		return NULL;
	end = v + v->is.in.span;
	for (p = v + 1; p < end; p = jtree_behind(p + 1))
		if (p->is.text[0] == key[0] && !strcmp(p->is.text, key))
			return p + 1;
	return NULL;
}

size_t jtree_count(const struct jtree *v)
{
	return v && jtree_holds(v) ? v->n : 0;
}

const struct jtree *jtree_item(const struct jtree *v, size_t i)
{
	const struct jtree *p;

	if (!v || v->kind != JTREE_ARRAY || i >= v->n)
		return NULL;
	for (p = v + 1; i; i--)
		p = jtree_behind(p);
	return p;
}

const struct jtree *jtree_first(const struct jtree *array)
{
	return jtree_item(array, 0);
}

const struct jtree *jtree_after(const struct jtree *array, const struct jtree *item)
{
	const struct jtree *next = jtree_behind(item);

	return next < array + array->is.in.span ? next : NULL;
}

bool jtree_numbers(const struct jtree *array, double *out)
{
	const struct jtree *v;

	if (!array || array->kind != JTREE_ARRAY)
		return false;
	for (v = array + 1; v <= array + array->n; v++) {
		if (v->kind != JTREE_NUMBER)
			return false;
		*out++ = v->is_whole ? (double)v->is.whole : v->is.number;
	}
	return true;
}

const char *jtree_text(const struct jtree *v)
{
	return v && v->kind == JTREE_STRING ? v->is.text : NULL;
}

size_t jtree_length(const struct jtree *v)
{
	return v && v->kind == JTREE_STRING ? v->n : 0;
}

double jtree_number(const struct jtree *v)
{
	if (!v || v->kind != JTREE_NUMBER)
		return (double)NAN;
	return v->is_whole ? (double)v->is.whole : v->is.number;
}

bool jtree_whole(const struct jtree *v, int64_t *out)
{
	if (!v || v->kind != JTREE_NUMBER || !v->is_whole)
		return false;
	*out = v->is.whole;
	return true;
}

bool jtree_is_true(const struct jtree *v)
{
	return v && v->kind == JTREE_BOOL && v->is.truth;
}

static void write_value(struct jsonw *w, const struct jtree *v);

static void write_items(struct jsonw *w, const struct jtree *v)
{
	const struct jtree *item;

	for (item = jtree_first(v); item; item = jtree_after(v, item))
		write_value(w, item);
}

static void write_members(struct jsonw *w, const struct jtree *v)
{
	struct jtree_field field = { NULL, NULL, NULL };

	while (jtree_next(v, &field)) {
		jsonw_key(w, field.key);
		write_value(w, field.value);
	}
}

static void write_value(struct jsonw *w, const struct jtree *v)
{
	switch ((enum jtree_kind)v->kind) {
	case JTREE_OBJECT:
		jsonw_object(w);
		write_members(w, v);
		jsonw_object_end(w);
		break;
	case JTREE_ARRAY:
		jsonw_array(w);
		write_items(w, v);
		jsonw_array_end(w);
		break;
	case JTREE_STRING:
		jsonw_string(w, v->is.text);
		break;
	case JTREE_NUMBER:
		if (v->is_whole)
			jsonw_integer(w, v->is.whole);
		else
			jsonw_number(w, v->is.number);
		break;
	case JTREE_BOOL:
		jsonw_bool(w, v->is.truth);
		break;
	case JTREE_NULL:
	case JTREE_ABSENT:
		jsonw_null(w);
	}
}

int jtree_print(const struct jtree *v, bool bare, struct buf *out, struct err *err)
{
	struct jsonw writer;

	if (bare && jtree_text(v)) {
		buf_adds(out, jtree_text(v));
	} else {
		jsonw_init(&writer, out, 0);
		write_value(&writer, v);
	}
	return buf_check(out, err);
}
