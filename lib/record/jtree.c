#include "lib/record/jtree.h"

#include <math.h>

#include "lib/base/jsonw.h"
#include "lib/record/reader.h"

#include "lib/base/banned.h"

static json_t *json_of(const struct jtree *v)
{
	union {
		const struct jtree *tree;
		json_t *json;
	} same = { v };

	return same.json;
}

static struct jtree *tree_of(json_t *json)
{
	return (struct jtree *)json;
}

struct jtree *jtree_parse(const char *json, size_t n, size_t max_bytes, int max_depth,
			  struct err *err)
{
	return tree_of(reader_parse(json, n, max_bytes, max_depth, err));
}

void jtree_free(struct jtree *root)
{
	json_decref(json_of(root));
}

enum jtree_kind jtree_kind(const struct jtree *v)
{
	if (!v)
		return JTREE_ABSENT;
	switch (json_typeof(json_of(v))) {
	case JSON_OBJECT:
		return JTREE_OBJECT;
	case JSON_ARRAY:
		return JTREE_ARRAY;
	case JSON_STRING:
		return JTREE_STRING;
	case JSON_INTEGER:
	case JSON_REAL:
		return JTREE_NUMBER;
	case JSON_TRUE:
	case JSON_FALSE:
		return JTREE_BOOL;
	case JSON_NULL:
	default:
		return JTREE_NULL;
	}
}

const struct jtree *jtree_get(const struct jtree *v, const char *key)
{
	return tree_of(json_object_get(json_of(v), key));
}

size_t jtree_count(const struct jtree *v)
{
	return jtree_kind(v) == JTREE_OBJECT ? json_object_size(json_of(v))
					     : json_array_size(json_of(v));
}

const struct jtree *jtree_item(const struct jtree *v, size_t i)
{
	return tree_of(json_array_get(json_of(v), i));
}

const char *jtree_text(const struct jtree *v)
{
	return json_string_value(json_of(v));
}

double jtree_number(const struct jtree *v)
{
	return json_is_number(json_of(v)) ? json_number_value(json_of(v)) : (double)NAN;
}

bool jtree_is_true(const struct jtree *v)
{
	return json_is_true(json_of(v));
}

bool jtree_next(const struct jtree *object, struct jtree_field *field)
{
	json_t *json = json_of(object);

	if (!json_is_object(json))
		return false;
	field->at = field->at ? json_object_iter_next(json, field->at) : json_object_iter(json);
	if (!field->at)
		return false;
	field->key = json_object_iter_key(field->at);
	field->value = tree_of(json_object_iter_value(field->at));
	return true;
}

static void write_value(struct jsonw *w, json_t *v)
{
	json_t *item;
	const char *key;
	size_t i;

	switch (json_typeof(v)) {
	case JSON_OBJECT:
		jsonw_object(w);
		json_object_foreach(v, key, item)
		{
			jsonw_key(w, key);
			write_value(w, item);
		}
		jsonw_object_end(w);
		break;
	case JSON_ARRAY:
		jsonw_array(w);
		json_array_foreach(v, i, item) write_value(w, item);
		jsonw_array_end(w);
		break;
	case JSON_STRING:
		jsonw_string(w, json_string_value(v));
		break;
	case JSON_INTEGER:
		jsonw_integer(w, json_integer_value(v));
		break;
	case JSON_REAL:
		jsonw_number(w, json_real_value(v));
		break;
	case JSON_TRUE:
	case JSON_FALSE:
		jsonw_bool(w, json_is_true(v));
		break;
	case JSON_NULL:
	default:
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
		write_value(&writer, json_of(v));
	}
	return buf_check(out, err);
}
