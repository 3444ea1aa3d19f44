/* What a value may be, and what is kept of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/utf8.h"
#include "lib/base/when.h"
#include "lib/record/reader/local.h"

#include "lib/base/banned.h"

/* Most characters are: ASCII that is no control character. */
static bool is_plain(char c)
{
	return c >= ' ' && c < 0x7f;
}

static bool holds_control(const struct pull_text *text)
{
	size_t i;

	for (i = 0; !text->is_plain && i < text->n; i++)
		if (!is_plain(text->text[i]) && text->text[i] != '\n' && text->text[i] != '\t' &&
		    utf8_is_control((const unsigned char *)text->text + i))
			return true;
	return false;
}

/* The string that is next, within its limits. */
static bool take_text(struct reader *r, size_t max, struct pull_text *out)
{
	char text[READER_LIMIT];

	if (!reader_is_next(r, PULL_STRING, "must be a string"))
		return false;
	if (!pull_string(&r->pull, out))
		return reader_went_well(r) && false;
	if (out->n > max) {
		reader_limit_text(text, "is longer than", max, "bytes");
		reader_fault_here(r, ERR_LIMIT, text);
	} else if (holds_control(out)) {
		reader_fault_here(r, ERR_RANGE, "holds a control character");
	}
	return !r->failed;
}

const char *reader_text(struct reader *r, size_t max)
{
	struct pull_text text;

	return take_text(r, max, &text) ? text.text : NULL;
}

/* n bytes for what is kept in place of old, which ends; NULL without, the fault recorded. */
static void *room_for(struct reader *r, size_t n, void *old)
{
	void *room = r->kept_in ? arena_take(r->kept_in, n) : malloc(n);

	if (!room)
		reader_fault_here(r, ERR_NOMEM, "out of memory");
	else if (!r->kept_in)
		free(old);
	return room;
}

/* Of n bytes. */
static bool keep(struct reader *r, const char *text, size_t n, char **out)
{
	char *copy;

	if (r->failed || !out)
		return !r->failed;
	copy = room_for(r, n + 1, *out);
	if (!copy)
		return false;
	memcpy(copy, text, n);
	copy[n] = '\0';
	*out = copy;
	return true;
}

bool reader_keep(struct reader *r, const char *text, char **out)
{
	return keep(r, text, strlen(text), out);
}

bool reader_string(struct reader *r, size_t max, char **out)
{
	struct pull_text text;

	return take_text(r, max, &text) && keep(r, text.text, text.n, out);
}

char *reader_key(struct reader *r)
{
	char *key = NULL;

	if (!keep(r, r->here.key, r->here.n_key, &key))
		return NULL;
	return key;
}

/* The number that is next. */
static bool take_number(struct reader *r, const char *must, struct pull_number *out)
{
	return reader_is_next(r, PULL_NUMBER, must) &&
	       (pull_number(&r->pull, out) || (reader_went_well(r) && false));
}

bool reader_number(struct reader *r, double *out)
{
	struct pull_number number;

	if (!r->failed)
		*out = (double)NAN;
	if (!take_number(r, "must be a number", &number))
		return false;
	*out = number.real;
	return true;
}

bool reader_integer(struct reader *r, int64_t low, int64_t high, int64_t *out)
{
	static const char must[] = "must be a whole number";
	struct pull_number number;

	if (!r->failed)
		*out = 0;
	if (!take_number(r, must, &number))
		return false;
	if (!number.is_whole)
		reader_fault_here(r, ERR_RANGE, must);
	else if (number.whole < low || number.whole > high)
		reader_fault_here(r, ERR_RANGE, "is out of range");
	else
		*out = number.whole;
	return !r->failed;
}

bool reader_bool(struct reader *r, bool *out)
{
	bool truth;

	if (!reader_is_next(r, PULL_BOOL, "must be true or false"))
		return false;
	truth = pull_word(&r->pull);
	if (reader_went_well(r))
		*out = truth;
	return !r->failed;
}

bool reader_time(struct reader *r, int64_t *out_us)
{
	static const char must[] = "must be a time such as 2026-11-20T10:00:00Z";
	struct pull_text text;

	if (!reader_is_next(r, PULL_STRING, must))
		return false;
	if (!pull_string(&r->pull, &text))
		return reader_went_well(r) && false;
	if (!when_parse(text.text, out_us))
		reader_fault_here(r, ERR_RANGE, must);
	return !r->failed;
}

bool reader_word(struct reader *r, const char *const *words, int n, int *out)
{
	static const char must[] = "is not one of the known words";
	struct pull_text text;
	int i;

	if (!reader_is_next(r, PULL_STRING, must))
		return false;
	if (!pull_string(&r->pull, &text))
		return reader_went_well(r) && false;
	for (i = 0; i < n; i++) {
		if (words[i][0] != text.text[0] || strcmp(words[i], text.text) != 0)
			continue;
		*out = i;
		return true;
	}
	reader_fault_here(r, ERR_RANGE, must);
	return false;
}

bool reader_strings(struct reader *r, size_t max_items, size_t max, struct strv *out)
{
	if (!reader_array(r, max_items))
		return false;
	while (reader_item(r)) {
		const char *text;

		if (reader_kind(r) == PULL_NULL)
			reader_fault_here(r, ERR_RANGE, "must be a string");
		text = reader_text(r, max);
		if (text && strv_add(out, text, r->err))
			r->failed = true;
	}
	reader_leave(r);
	return !r->failed;
}

/* Room for one more number; -1 with the fault recorded. */
static int more_numbers(struct reader *r)
{
	size_t cap = r->cap ? 2 * r->cap : 64;
	double *more = realloc(r->numbers, cap * sizeof(*more));

	if (!more) {
		reader_fault(r, ERR_NOMEM, NULL, "out of memory");
		return -1;
	}
	r->numbers = more;
	r->cap = cap;
	return 0;
}

static void add_few(struct reader *r, size_t few, size_t *n)
{
	*n += few;
	r->here.index += few;
}

/*
 * The items of the array that was entered: how many; at most one more than max.  They are in
 * r->numbers where they are of use.
 */
static size_t take_numbers(struct reader *r, size_t max, bool of_use)
{
	struct pull_number number;
	size_t n = 0, at, room, few;

	while (n <= max) {
		if (!of_use)
			add_few(r, pull_pass(&r->pull, max + 1 - n), &n);
		at = of_use ? n : 0;
		if (at == r->cap && more_numbers(r))
			return 0;
		room = r->cap - at < max + 1 - n ? r->cap - at : max + 1 - n;
		few = pull_short(&r->pull, r->numbers + at, room);
		add_few(r, few, &n);
		if (few == room)
			continue;
		if (!reader_item(r))
			break;
		n++;
		if (pull_kind(&r->pull) == PULL_NUMBER && pull_number(&r->pull, &number))
			r->numbers[at + few] = number.real;
		else if (reader_went_well(r))
			reader_fault(r, ERR_RANGE, NULL, "must hold numbers only");
	}
	return n;
}

bool reader_numbers(struct reader *r, size_t max, double **out, size_t *out_n)
{
	double *x;
	size_t n;

	if (!reader_array(r, max))
		return false;
	n = take_numbers(r, max, out != NULL);
	if (!r->failed && n > max)
		reader_beyond(r, NULL, "has more than", max, "items");
	reader_leave(r);
	if (r->failed)
		return false;
	if (!n || !out)
		return true;
	x = room_for(r, n * sizeof(*x), *out);
	if (!x)
		return false;
	memcpy(x, r->numbers, n * sizeof(*x));
	*out = x;
	*out_n = n;
	return true;
}
