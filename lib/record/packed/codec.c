#include "lib/record/packed/codec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/record/packed/bytes.h"
#include "lib/record/packed/column.h"

#include "lib/base/banned.h"

/* How a number stands there: the first byte. */
enum {
	AS_NAN,
	AS_INFINITE,
	AS_MINUS_INFINITE,
	AS_BITS,
	AS_LAST,    /* the same as the number before */
	AS_DECIMAL, /* a whole number over 10^0, 10^1 ... */
};

#define DECIMALS 10

bool codec_reads(const struct codec *c)
{
	return !c->out;
}

void codec_broken(struct codec *c, const char *what)
{
	if (!c->failed)
		err_set(c->err, ERR_CORRUPT, "a packed result is broken: %s", what);
	c->failed = true;
}

int codec_end(struct codec *c)
{
	if (!codec_reads(c))
		return c->failed || buf_check(c->out, c->err) ? -1 : 0;
	if (c->p != c->end)
		codec_broken(c, "something is left over");
	return c->failed ? -1 : 0;
}

void codec_unsigned(struct codec *c, uint64_t *value)
{
	const unsigned char *next;

	if (c->failed)
		return;
	if (!codec_reads(c)) {
		bytes_add(c->out, *value);
		return;
	}
	next = bytes_get(c->p, c->end, value);
	if (next)
		c->p = next;
	else
		codec_broken(c, "a number");
}

void codec_signed(struct codec *c, int64_t *value)
{
	uint64_t bits = (uint64_t)*value << 1;

	bits = *value < 0 ? ~bits : bits;
	codec_unsigned(c, &bits);
	*value = (int64_t)(bits & 1 ? ~(bits >> 1) : bits >> 1);
}

void codec_count(struct codec *c, size_t *n, size_t most)
{
	uint64_t value = *n;

	codec_unsigned(c, &value);
	if (value > most) {
		if (codec_reads(c))
			codec_broken(c, "a count");
		else if (!c->failed)
			c->failed = err_set(c->err, ERR_LIMIT,
					    "a result has %zu of what it may "
					    "have %zu of",
					    *n, most);
		value = 0;
	}
	*n = c->failed ? 0 : (size_t)value;
}

void codec_int(struct codec *c, int *value)
{
	int64_t wide = *value;

	codec_signed(c, &wide);
	if (wide < INT32_MIN || wide > INT32_MAX)
		codec_broken(c, "a number");
	else
		*value = (int)wide;
}

void codec_word(struct codec *c, int *value, int n)
{
	uint64_t word = (uint64_t)*value;

	codec_unsigned(c, &word);
	if (word >= (uint64_t)n)
		codec_broken(c, "a word");
	else
		*value = (int)word;
}

void codec_bool(struct codec *c, bool *value)
{
	int word = *value;

	codec_word(c, &word, 2);
	*value = word;
}

static double power_of(int k)
{
	static const double powers[DECIMALS] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };

	return powers[k];
}

static void write_double(struct codec *c, double value)
{
	uint64_t bits = bytes_of_double(value);
	int k;

	if (isnan(value)) {
		buf_addc(c->out, AS_NAN);
	} else if (isinf(value)) {
		buf_addc(c->out, value > 0 ? AS_INFINITE : AS_MINUS_INFINITE);
	} else if (bits == bytes_of_double(c->last)) {
		buf_addc(c->out, AS_LAST);
	} else {
		for (k = 0; k < DECIMALS; k++) {
			double scaled = value * power_of(k);
			int64_t whole;

			if (!(fabs(scaled) < 1e12))
				break;
			whole = (int64_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
			if (bytes_of_double((double)whole / power_of(k)) != bits)
				continue;
			buf_addc(c->out, (char)(AS_DECIMAL + k));
			bytes_add_signed(c->out, whole);
			return;
		}
		buf_addc(c->out, AS_BITS);
		bytes_add_fixed(c->out, bits);
	}
}

static double read_double(struct codec *c)
{
	int how = c->p < c->end ? *c->p++ : AS_DECIMAL + DECIMALS;
	const unsigned char *next = c->p;
	uint64_t bits = 0;
	int64_t whole = 0;

	switch (how) {
	case AS_NAN:
		return (double)NAN;
	case AS_INFINITE:
		return HUGE_VAL;
	case AS_MINUS_INFINITE:
		return -HUGE_VAL;
	case AS_LAST:
		return c->last;
	case AS_BITS:
		next = bytes_get_fixed(c->p, c->end, &bits);
		break;
	default:
		if (how >= AS_DECIMAL + DECIMALS)
			next = NULL;
		next = next ? bytes_get_signed(next, c->end, &whole) : NULL;
	}
	if (!next) {
		codec_broken(c, "a number");
		return 0;
	}
	c->p = next;
	return how == AS_BITS ? bytes_to_double(bits) : (double)whole / power_of(how - AS_DECIMAL);
}

void codec_double(struct codec *c, double *value)
{
	if (c->failed)
		return;
	if (codec_reads(c))
		*value = read_double(c);
	else
		write_double(c, *value);
	c->last = *value;
}

/* Samples near each other share their first bits; of others each stands for itself. */
void codec_doubles(struct codec *c, double *const *values, size_t n)
{
	double x[8];
	const unsigned char *next;
	size_t i;

	if (c->failed)
		return;
	if (!codec_reads(c)) {
		for (i = 0; i < n; i++)
			x[i] = isnan(*values[i]) ? (double)NAN : *values[i];
		column_write(x, n, 0, c->out);
		return;
	}
	next = column_read(c->p, c->end, x, n, 0);
	if (!next) {
		codec_broken(c, "its figures");
		return;
	}
	c->p = next;
	for (i = 0; i < n; i++)
		*values[i] = x[i];
}

const char *codec_borrow(struct codec *c, const char *text)
{
	uint64_t number = 0;
	size_t found = 0;

	if (c->failed)
		return NULL;
	if (!codec_reads(c) && text) {
		if (texts_number(c->texts, text, &found, c->err)) {
			c->failed = true;
			return NULL;
		}
		number = found + 1;
	}
	codec_unsigned(c, &number);
	if (!codec_reads(c) || c->failed || !number)
		return c->failed ? NULL : text;
	if (number <= c->texts->n)
		return texts_get(c->texts, (size_t)number - 1);
	codec_broken(c, "a text");
	return NULL;
}

void codec_text(struct codec *c, char **text)
{
	const char *found = codec_borrow(c, codec_reads(c) ? NULL : *text);

	if (codec_reads(c) && found && str_set(text, found, c->err))
		c->failed = true;
}

const char *codec_name(struct codec *c, const char *text)
{
	const char *found = codec_borrow(c, codec_reads(c) ? NULL : text ? text : "");

	if (!found && !c->failed)
		codec_broken(c, "a name");
	return found ? found : "";
}

void codec_list(struct codec *c, struct strv *list, size_t most)
{
	size_t n = list->n, i;

	codec_count(c, &n, most);
	for (i = 0; i < n && !c->failed; i++) {
		const char *text = codec_name(c, codec_reads(c) ? NULL : list->v[i]);

		if (!c->failed && codec_reads(c) && strv_add(list, text, c->err))
			c->failed = true;
	}
}

/* Room for n > 0, up to a power of 2: samples_add() may go on from there. */
static double *room_for(size_t n, struct err *err)
{
	size_t cap = 1;
	double *x;

	while (cap < n)
		cap *= 2;
	x = malloc(cap * sizeof(*x));
	if (!x)
		err_nomem(err);
	return x;
}

static void write_column(struct codec *c, const double *x, size_t n)
{
	size_t start = 0;

	if (c->shared && shared_find(c->shared, x, n, &start)) {
		buf_addc(c->out, (char)COLUMN_NONE);
		bytes_add(c->out, start);
	} else {
		column_write(x, n, c->iterations, c->out);
	}
}

static void read_column(struct codec *c, double *x, size_t n)
{
	const unsigned char *next;
	uint64_t start = 0;
	size_t i;

	if (c->p < c->end && *c->p == COLUMN_NONE) {
		c->p++;
		codec_unsigned(c, &start);
		if (c->failed || !c->shared || start > SIZE_MAX ||
		    !shared_read(c->shared, (size_t)start, x, n))
			codec_broken(c, "a column that others have, too");
	} else {
		next = column_read(c->p, c->end, x, n, c->iterations);
		if (next)
			c->p = next;
		else
			codec_broken(c, "a column");
	}
	for (i = 0; i < n && !c->failed; i++)
		if (!isfinite(x[i]))
			codec_broken(c, "a sample");
}

void codec_column(struct codec *c, double **x, size_t *n, size_t most)
{
	codec_count(c, n, most);
	if (c->failed || !*n)
		return;
	if (!codec_reads(c)) {
		write_column(c, *x, *n);
		return;
	}
	*x = room_for(*n, c->err);
	if (!*x) {
		c->failed = true;
		*n = 0;
		return;
	}
	read_column(c, *x, *n);
}
