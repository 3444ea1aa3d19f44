#include "cli/hyperfine/parameters.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"

#include "lib/base/banned.h"

#define DIGITS_MOST 15

void hyperfine_parameters_free(struct hyperfine_parameter *v, size_t n)
{
	size_t i;

	for (i = 0; v && i < n; i++)
		strv_release(&v[i].values);
	free(v);
}

/* A decimal number: its digits as a whole number, and how many stand behind the point. */
struct decimal {
	int64_t digits;
	int scale;
};

static bool decimal_of(const char *text, struct decimal *out)
{
	const char *at = text + (*text == '-' || *text == '+');
	int64_t digits = 0;
	int n = 0, scale = -1;

	for (; *at; at++) {
		if (*at == '.' && scale < 0) {
			scale = 0;
			continue;
		}
		if (*at < '0' || *at > '9' || ++n > DIGITS_MOST)
			return false;
		digits = digits * 10 + (*at - '0');
		scale += scale >= 0;
	}
	*out = (struct decimal){ *text == '-' ? -digits : digits, scale < 0 ? 0 : scale };
	return n > 0;
}

static bool widen(struct decimal *d, int scale)
{
	for (; d->scale < scale; d->scale++) {
		if (d->digits > INT64_MAX / 100 || d->digits < INT64_MIN / 100)
			return false;
		d->digits *= 10;
	}
	return true;
}

static int add_decimal(const struct decimal *d, struct strv *out, struct err *err)
{
	int64_t unit = 1, size = d->digits < 0 ? -d->digits : d->digits;
	int i;

	for (i = 0; i < d->scale; i++)
		unit *= 10;
	if (!d->scale)
		return strv_addf(out, err, "%" PRId64, d->digits);
	return strv_addf(out, err, "%s%" PRId64 ".%0*" PRId64, d->digits < 0 ? "-" : "",
			 size / unit, d->scale, size % unit);
}

/* The first value is written as it was given; the others have the digits of the step, too. */
static int scan(const struct hyperfine_line *line, size_t most, struct strv *out, struct err *err)
{
	const char *const *given = (const char *const *)line->scan.v;
	struct decimal first, last, step;
	int scale;

	if (!decimal_of(given[1], &first) || !decimal_of(given[2], &last) ||
	    !decimal_of(line->step ? line->step : "1", &step))
		return err_set(
			err, ERR_USAGE,
			"--parameter-scan takes numbers of at most %d digits, not '%s %s'%s%s",
			DIGITS_MOST, given[1], given[2], line->step ? " in steps of " : "",
			line->step ? line->step : "");
	if (add_decimal(&first, out, err))
		return -1;
	scale = first.scale > step.scale ? first.scale : step.scale;
	if (last.scale > scale)
		scale = last.scale;
	if (!widen(&first, scale) || !widen(&last, scale) || !widen(&step, scale))
		return err_set(err, ERR_USAGE, "--parameter-scan has too many digits");
	if (step.digits <= 0 || last.digits < first.digits) {
		err_set(err, ERR_USAGE, "--parameter-scan goes from '%s' to '%s' in steps of '%s'",
			given[1], given[2], line->step ? line->step : "1");
		return err_hint(err, "the smaller one first, and a step above 0");
	}
	for (first.digits += step.digits; first.digits <= last.digits; first.digits += step.digits)
		if (out->n >= most)
			return err_set(err, ERR_USAGE, "--parameter-scan has more than %zu values",
				       most);
		else if (add_decimal(&first, out, err))
			return -1;
	return 0;
}

/* Separated by commas; "\," is one in a value. */
static int list(const char *text, struct strv *out, struct err *err)
{
	struct buf value = BUF_INIT;
	int result = 0;

	for (; !result; text++) {
		if (*text == '\\' && (text[1] == ',' || text[1] == '\\')) {
			buf_addc(&value, *++text);
		} else if (*text && *text != ',') {
			buf_addc(&value, *text);
		} else {
			result = buf_check(&value, err) || strv_add(out, buf_str(&value), err);
			buf_reset(&value);
			if (!*text)
				break;
		}
	}
	buf_release(&value);
	return result ? -1 : 0;
}

static int check_name(const struct hyperfine_parameter *v, size_t i, struct err *err)
{
	size_t k;

	if (!*v[i].name)
		return err_set(err, ERR_USAGE, "a parameter has no name");
	for (k = 0; k < i; k++)
		if (!strcmp(v[k].name, v[i].name))
			return err_set(err, ERR_USAGE, "the parameter '%s' is given twice",
				       v[i].name);
	return 0;
}

int hyperfine_parameters(const struct hyperfine_line *line, size_t most,
			 struct hyperfine_parameter **out, size_t *out_n, struct err *err)
{
	size_t n = line->scan.n ? 1 : line->lists.n / 2, i;
	struct hyperfine_parameter *v = calloc(n ? n : 1, sizeof(*v));

	if (!v)
		return err_nomem(err);
	for (i = 0; i < n; i++) {
		v[i].name = line->scan.n ? line->scan.v[0] : line->lists.v[2 * i];
		if (check_name(v, i, err) ||
		    (line->scan.n ? scan(line, most, &v[i].values, err)
				  : list(line->lists.v[2 * i + 1], &v[i].values, err))) {
			hyperfine_parameters_free(v, n);
			return -1;
		}
	}
	*out = v;
	*out_n = n;
	return 0;
}
