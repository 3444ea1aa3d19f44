#include "lib/record/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/when.h"
#include "lib/record/summary.h"

#include "lib/base/banned.h"

/* Whether brackets outside strings nest deeper than max: before a recursive parser sees them. */
static bool too_deep(const char *json, size_t n, int max)
{
	bool in_string = false;
	int depth = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		char c = json[i];

		if (in_string && c == '\\')
			i++;
		else if (c == '"')
			in_string = !in_string;
		else if (!in_string && (c == '{' || c == '['))
			depth++;
		else if (!in_string && (c == '}' || c == ']'))
			depth--;
		if (depth > max)
			return true;
	}
	return false;
}

int reader_check(const char *json, size_t n, size_t max_bytes, int max_depth, struct err *err)
{
	if (n > max_bytes)
		return err_set(err, ERR_LIMIT, "document of %zu bytes, at most %zu are accepted", n,
			       max_bytes);
	if (too_deep(json, n, max_depth))
		return err_set(err, ERR_LIMIT, "document nests deeper than %d levels", max_depth);
	return 0;
}

json_t *reader_parse_part(const char *json, size_t n, struct err *err)
{
	json_error_t fault;
	json_t *root = json_loadb(json, n, JSON_REJECT_DUPLICATES, &fault);

	if (!root)
		err_set(err, ERR_SYNTAX, "not JSON: line %d, column %d: %s", fault.line,
			fault.column, fault.text);
	return root;
}

json_t *reader_parse(const char *json, size_t n, size_t max_bytes, int max_depth, struct err *err)
{
	if (reader_check(json, n, max_bytes, max_depth, err))
		return NULL;
	return reader_parse_part(json, n, err);
}

void reader_init(struct reader *r, struct err *err)
{
	r->err = err;
	r->failed = false;
	r->len = 0;
	r->path[0] = '\0';
	r->room = SIZE_MAX;
}

bool reader_failed(const struct reader *r)
{
	return r->failed;
}

static void append(struct reader *r, const char *text)
{
	size_t room = sizeof(r->path) - r->len;
	int n = snprintf(r->path + r->len, room, "%s", text);

	r->len += (size_t)n < room ? (size_t)n : room - 1;
}

size_t reader_enter(struct reader *r, const char *key)
{
	size_t len = r->len;

	if (len)
		append(r, ".");
	append(r, key);
	return len;
}

size_t reader_enter_item(struct reader *r, size_t index)
{
	size_t len = r->len;
	char text[32];

	snprintf(text, sizeof(text), "[%zu]", index);
	append(r, text);
	return len;
}

void reader_leave(struct reader *r, size_t len)
{
	r->len = len;
	r->path[len] = '\0';
}

void reader_fault(struct reader *r, enum err_code code, const char *key, const char *what)
{
	size_t len = r->len;

	if (r->failed)
		return;
	r->failed = true;
	if (key)
		len = reader_enter(r, key);
	err_set(r->err, code, "%s: %s", r->len ? r->path : "document", what);
	reader_leave(r, len);
}

/* The field, or NULL when it is absent; a needed one then is a fault. */
static json_t *field(struct reader *r, json_t *parent, const char *key, enum need need)
{
	json_t *value;

	if (r->failed)
		return NULL;
	value = json_object_get(parent, key);
	if (json_is_null(value))
		value = NULL;
	if (!value && need == NEED)
		reader_fault(r, ERR_RANGE, key, "is missing");
	return value;
}

json_t *reader_object(struct reader *r, json_t *parent, const char *key, enum need need)
{
	json_t *value = field(r, parent, key, need);

	if (value && !json_is_object(value)) {
		reader_fault(r, ERR_RANGE, key, "must be an object");
		return NULL;
	}
	return value;
}

json_t *reader_array(struct reader *r, json_t *parent, const char *key, enum need need, size_t max)
{
	json_t *value = field(r, parent, key, need);

	if (!value)
		return NULL;
	if (!json_is_array(value)) {
		reader_fault(r, ERR_RANGE, key, "must be an array");
		return NULL;
	}
	if (json_array_size(value) > max) {
		reader_fault(r, ERR_LIMIT, key, "has too many items");
		return NULL;
	}
	return value;
}

/* Copies a JSON string within its limits, or records why not. */
static char *copy_string(struct reader *r, json_t *value, const char *key, size_t max)
{
	const char *text = json_string_value(value);
	char *copy;
	size_t i, n;

	if (!text) {
		reader_fault(r, ERR_RANGE, key, "must be a string");
		return NULL;
	}
	n = json_string_length(value);
	if (n > max) {
		reader_fault(r, ERR_LIMIT, key, "is too long");
		return NULL;
	}
	for (i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) {
			reader_fault(r, ERR_RANGE, key, "holds a control character");
			return NULL;
		}
	}
	copy = strdup(text);
	if (!copy)
		reader_fault(r, ERR_NOMEM, key, "out of memory");
	return copy;
}

void reader_string(struct reader *r, json_t *parent, const char *key, enum need need, size_t max,
		   char **out)
{
	json_t *value = field(r, parent, key, need);
	char *copy;

	if (!value)
		return;
	copy = copy_string(r, value, key, max);
	if (!copy)
		return;
	free(*out);
	*out = copy;
}

void reader_number(struct reader *r, json_t *parent, const char *key, enum need need, double *out)
{
	json_t *value = field(r, parent, key, need);

	if (!r->failed)
		*out = (double)NAN;
	if (!value)
		return;
	if (!json_is_number(value))
		reader_fault(r, ERR_RANGE, key, "must be a number");
	else
		*out = json_number_value(value);
}

void reader_integer(struct reader *r, json_t *parent, const char *key, enum need need, int64_t low,
		    int64_t high, int64_t *out)
{
	json_t *value = field(r, parent, key, need);
	json_int_t number;

	if (!r->failed)
		*out = 0;
	if (!value)
		return;
	if (!json_is_integer(value)) {
		reader_fault(r, ERR_RANGE, key, "must be a whole number");
		return;
	}
	number = json_integer_value(value);
	if (number < low || number > high)
		reader_fault(r, ERR_RANGE, key, "is out of range");
	else
		*out = number;
}

void reader_bool(struct reader *r, json_t *parent, const char *key, enum need need, bool *out)
{
	json_t *value = field(r, parent, key, need);

	if (!value)
		return;
	if (!json_is_boolean(value))
		reader_fault(r, ERR_RANGE, key, "must be true or false");
	else
		*out = json_is_true(value);
}

void reader_time(struct reader *r, json_t *parent, const char *key, int64_t *out_us)
{
	json_t *value = field(r, parent, key, NEED);

	if (!value)
		return;
	if (!json_is_string(value) || !when_parse(json_string_value(value), out_us))
		reader_fault(r, ERR_RANGE, key, "must be a time such as 2026-11-20T10:00:00Z");
}

void reader_word(struct reader *r, json_t *parent, const char *key, enum need need,
		 const char *const *words, int n, int *out)
{
	json_t *value = field(r, parent, key, need);
	int i;

	if (!value)
		return;
	for (i = 0; json_is_string(value) && i < n; i++) {
		if (strcmp(words[i], json_string_value(value)))
			continue;
		*out = i;
		return;
	}
	reader_fault(r, ERR_RANGE, key, "is not one of the known words");
}

void reader_strings(struct reader *r, json_t *parent, const char *key, size_t max_items, size_t max,
		    struct strv *out)
{
	json_t *array = reader_array(r, parent, key, NEED, max_items), *item;
	size_t i, outer = reader_enter(r, key);

	json_array_foreach(array, i, item)
	{
		size_t inner = reader_enter_item(r, i);
		char *copy = r->failed ? NULL : copy_string(r, item, NULL, max);

		if (copy && strv_add(out, copy, r->err))
			r->failed = true;
		free(copy);
		reader_leave(r, inner);
	}
	reader_leave(r, outer);
}

void reader_numbers(struct reader *r, json_t *parent, const char *key, size_t max, double **out,
		    size_t *out_n)
{
	json_t *array = reader_array(r, parent, key, MAY, max), *item;
	size_t i, n = json_array_size(array);
	double *x;

	if (!n)
		return;
	x = malloc(n * sizeof(*x));
	if (!x) {
		reader_fault(r, ERR_NOMEM, key, "out of memory");
		return;
	}
	json_array_foreach(array, i, item)
	{
		if (!json_is_number(item)) {
			reader_fault(r, ERR_RANGE, key, "must hold numbers only");
			free(x);
			return;
		}
		x[i] = json_number_value(item);
	}
	*out = x;
	*out_n = n;
}

const char *summary_library_version(void)
{
	return jansson_version_str();
}
