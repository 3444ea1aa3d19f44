#include "lib/record/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/utf8.h"
#include "lib/base/when.h"
#include "lib/record/summary.h"

#include "lib/base/banned.h"

void reader_init(struct reader *r, struct err *err)
{
	r->err = err;
	r->failed = false;
	r->n_steps = 0;
	r->room = SIZE_MAX;
}

bool reader_failed(const struct reader *r)
{
	return r->failed;
}

static size_t enter(struct reader *r, struct reader_step step)
{
	if (r->n_steps < READER_STEPS)
		r->steps[r->n_steps] = step;
	return r->n_steps++;
}

size_t reader_enter(struct reader *r, const char *key)
{
	return enter(r, (struct reader_step){ .key = key });
}

size_t reader_enter_item(struct reader *r, size_t index)
{
	return enter(r, (struct reader_step){ .index = index });
}

void reader_leave(struct reader *r, size_t outer)
{
	r->n_steps = outer;
}

void reader_path(const struct reader *r, char out[READER_PATH])
{
	size_t i, len = 0;

	snprintf(out, READER_PATH, "document");
	for (i = 0; i < r->n_steps && i < READER_STEPS && len < READER_PATH; i++) {
		const struct reader_step *step = &r->steps[i];
		char *to = out + len;
		size_t room = READER_PATH - len;

		len += (size_t)(step->key ? snprintf(to, room, "%s%s", i ? "." : "", step->key)
					  : snprintf(to, room, "[%zu]", step->index));
	}
}

void reader_fault(struct reader *r, enum err_code code, const char *key, const char *what)
{
	size_t outer = r->n_steps;
	char path[READER_PATH];

	if (r->failed)
		return;
	r->failed = true;
	if (key)
		reader_enter(r, key);
	reader_path(r, path);
	err_set(r->err, code, "%s: %s", path, what);
	reader_leave(r, outer);
}

void reader_beyond(struct reader *r, const char *key, const char *than, size_t most,
		   const char *what)
{
	char text[80];

	snprintf(text, sizeof(text), "%s %zu %s", than, most, what);
	reader_fault(r, ERR_LIMIT, key, text);
}

/* The field, or NULL when it is absent; a needed one then is a fault. */
static const struct jtree *field(struct reader *r, const struct jtree *parent, const char *key,
				 enum need need)
{
	const struct jtree *value;

	if (r->failed)
		return NULL;
	value = jtree_get(parent, key);
	if (jtree_kind(value) == JTREE_NULL)
		value = NULL;
	if (!value && need == NEED)
		reader_fault(r, ERR_RANGE, key, "is missing");
	return value;
}

const struct jtree *reader_object(struct reader *r, const struct jtree *parent, const char *key,
				  enum need need)
{
	const struct jtree *value = field(r, parent, key, need);

	if (value && jtree_kind(value) != JTREE_OBJECT) {
		reader_fault(r, ERR_RANGE, key, "must be an object");
		return NULL;
	}
	return value;
}

const struct jtree *reader_array(struct reader *r, const struct jtree *parent, const char *key,
				 enum need need, size_t max)
{
	const struct jtree *value = field(r, parent, key, need);

	if (!value)
		return NULL;
	if (jtree_kind(value) != JTREE_ARRAY) {
		reader_fault(r, ERR_RANGE, key, "must be an array");
		return NULL;
	}
	if (jtree_count(value) > max) {
		reader_beyond(r, key, "has more than", max, "items");
		return NULL;
	}
	return value;
}

/* Most characters are: ASCII that is no control character. */
static bool is_plain(char c)
{
	return c >= ' ' && c < 0x7f;
}

/* The text of a JSON string within its limits; NULL with the fault recorded. */
static const char *check_string(struct reader *r, const struct jtree *value, const char *key,
				size_t max)
{
	const char *text = jtree_text(value);
	size_t i, n;

	if (!text) {
		reader_fault(r, ERR_RANGE, key, "must be a string");
		return NULL;
	}
	n = jtree_length(value);
	if (n > max) {
		reader_beyond(r, key, "is longer than", max, "bytes");
		return NULL;
	}
	for (i = 0; i < n; i++) {
		if (!is_plain(text[i]) && text[i] != '\n' && text[i] != '\t' &&
		    utf8_is_control((const unsigned char *)text + i)) {
			reader_fault(r, ERR_RANGE, key, "holds a control character");
			return NULL;
		}
	}
	return text;
}

const char *reader_text(struct reader *r, const struct jtree *parent, const char *key,
			enum need need, size_t max)
{
	const struct jtree *value = field(r, parent, key, need);

	return value ? check_string(r, value, key, max) : NULL;
}

void reader_string(struct reader *r, const struct jtree *parent, const char *key, enum need need,
		   size_t max, char **out)
{
	const char *text = reader_text(r, parent, key, need, max);
	char *copy;

	if (!text)
		return;
	copy = strdup(text);
	if (!copy) {
		reader_fault(r, ERR_NOMEM, key, "out of memory");
		return;
	}
	free(*out);
	*out = copy;
}

void reader_number(struct reader *r, const struct jtree *parent, const char *key, enum need need,
		   double *out)
{
	const struct jtree *value = field(r, parent, key, need);

	if (!r->failed)
		*out = (double)NAN;
	if (!value)
		return;
	if (jtree_kind(value) != JTREE_NUMBER)
		reader_fault(r, ERR_RANGE, key, "must be a number");
	else
		*out = jtree_number(value);
}

void reader_integer(struct reader *r, const struct jtree *parent, const char *key, enum need need,
		    int64_t low, int64_t high, int64_t *out)
{
	const struct jtree *value = field(r, parent, key, need);
	int64_t number = 0;

	if (!r->failed)
		*out = 0;
	if (!value)
		return;
	if (!jtree_whole(value, &number))
		reader_fault(r, ERR_RANGE, key, "must be a whole number");
	else if (number < low || number > high)
		reader_fault(r, ERR_RANGE, key, "is out of range");
	else
		*out = number;
}

void reader_bool(struct reader *r, const struct jtree *parent, const char *key, enum need need,
		 bool *out)
{
	const struct jtree *value = field(r, parent, key, need);

	if (!value)
		return;
	if (jtree_kind(value) != JTREE_BOOL)
		reader_fault(r, ERR_RANGE, key, "must be true or false");
	else
		*out = jtree_is_true(value);
}

void reader_time(struct reader *r, const struct jtree *parent, const char *key, int64_t *out_us)
{
	const struct jtree *value = field(r, parent, key, NEED);

	if (!value)
		return;
	if (jtree_kind(value) != JTREE_STRING || !when_parse(jtree_text(value), out_us))
		reader_fault(r, ERR_RANGE, key, "must be a time such as 2026-11-20T10:00:00Z");
}

void reader_word(struct reader *r, const struct jtree *parent, const char *key, enum need need,
		 const char *const *words, int n, int *out)
{
	const struct jtree *value = field(r, parent, key, need);
	int i;

	if (!value)
		return;
	for (i = 0; jtree_kind(value) == JTREE_STRING && i < n; i++) {
		if (strcmp(words[i], jtree_text(value)))
			continue;
		*out = i;
		return;
	}
	reader_fault(r, ERR_RANGE, key, "is not one of the known words");
}

void reader_strings(struct reader *r, const struct jtree *parent, const char *key, enum need need,
		    size_t max_items, size_t max, struct strv *out)
{
	const struct jtree *array = reader_array(r, parent, key, need, max_items), *item;
	size_t i, outer = reader_enter(r, key);

	for (i = 0, item = jtree_first(array); item; i++, item = jtree_after(array, item)) {
		size_t inner = reader_enter_item(r, i);
		const char *text = r->failed ? NULL : check_string(r, item, NULL, max);

		if (text && strv_add(out, text, r->err))
			r->failed = true;
		reader_leave(r, inner);
	}
	reader_leave(r, outer);
}

void reader_numbers(struct reader *r, const struct jtree *parent, const char *key, size_t max,
		    double **out, size_t *out_n)
{
	const struct jtree *array = reader_array(r, parent, key, MAY, max);
	size_t n = jtree_count(array);
	double *x;

	if (!n)
		return;
	x = malloc(n * sizeof(*x));
	if (!x) {
		reader_fault(r, ERR_NOMEM, key, "out of memory");
	} else if (!jtree_numbers(array, x)) {
		reader_fault(r, ERR_RANGE, key, "must hold numbers only");
		free(x);
	} else {
		*out = x;
		*out_n = n;
	}
}
