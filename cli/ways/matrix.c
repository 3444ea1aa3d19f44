#include "cli/ways/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "cli/ways/matrix_tell.h"
#include "lib/base/buf.h"
#include "lib/base/utf8.h"

#include "lib/base/banned.h"

#define NUMBER_ROOM 16 /* " (... #64)" and more */
void matrix_release(struct matrix *m)
{
	size_t i;

	for (i = 0; i < m->n; i++)
		strv_release(&m->rows[i]);
	free(m->rows);
	free(m->title);
	*m = (struct matrix)MATRIX_INIT;
}

/* ---- what is asked for ------------------------------------------------------------------ */

/* The value at i of a text "NAME=A,B"; *out_n its bytes.  NULL: there are fewer. */
static const char *value_at(const char *text, size_t i, size_t *out_n)
{
	const char *at = strchr(text, '=') + 1;

	for (; i; i--) {
		at += strcspn(at, ",");
		if (!*at++)
			return NULL;
	}
	*out_n = strcspn(at, ",");
	return at;
}

static size_t count_values(const char *text)
{
	size_t i, n;

	for (i = 0; value_at(text, i, &n); i++)
		;
	return i;
}

static int check_values(const char *text, struct err *err)
{
	const char *a, *b;
	size_t i, k, n, m;

	for (i = 0; text[i]; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 127)
			return err_set(err, ERR_USAGE, "--matrix takes no control characters");
	for (i = 0; (a = value_at(text, i, &n)); i++)
		for (k = 0; k < i; k++) {
			b = value_at(text, k, &m);
			if (b && n == m && !strncmp(a, b, n))
				return err_set(err, ERR_USAGE, "--matrix '%s' has '%.*s' twice",
					       text, (int)n, a);
		}
	return 0;
}

static int check_one(const struct strv *given, size_t i, struct err *err)
{
	const char *text = given->v[i];
	size_t n = compare_way_variable(text);

	if (!n) {
		err_set(err, ERR_USAGE, "--matrix takes NAME=VALUE,VALUE..., not '%s'", text);
		return err_hint(err, "for example: --matrix CC=gcc,clang --matrix CFLAGS=-O2,-O3");
	}
	if (compare_way_is_twice(given, i))
		return err_set(err, ERR_USAGE, "--matrix has '%.*s' twice", (int)n, text);
	return check_values(text, err);
}

/* How many combinations there are; 0 with an error. */
static size_t count_rows(const struct strv *given, struct err *err)
{
	size_t i, n = 1;

	for (i = 0; i < given->n; i++) {
		if (check_one(given, i, err))
			return 0;
		n *= count_values(given->v[i]);
		if (n > MATRIX_MOST) {
			err_set(err, ERR_USAGE, "--matrix has more than %d combinations",
				MATRIX_MOST);
			return 0;
		}
	}
	if (n > 1)
		return n;
	err_set(err, ERR_USAGE, "--matrix '%s' is one combination alone", given->v[0]);
	err_hint(err, "name a second value: the first combination is what all others are "
		      "compared with");
	return 0;
}

static int make_row(const struct strv *given, size_t row, struct strv *out, struct err *err)
{
	size_t i, n, below = 1;

	for (i = given->n; i-- > 0; below *= n) {
		const char *text = given->v[i];
		const char *value;
		size_t bytes;

		n = count_values(text);
		value = value_at(text, row / below % n, &bytes);
		if (strv_addf(out, err, "%.*s%.*s", (int)(strchr(text, '=') + 1 - text), text,
			      (int)bytes, value))
			return -1;
	}
	/* The names in the order in which they were given. */
	for (i = 0; i < out->n / 2; i++) {
		char *last = out->v[out->n - 1 - i];

		out->v[out->n - 1 - i] = out->v[i];
		out->v[i] = last;
	}
	return 0;
}

static int join_words(const struct strv *words, char **out, struct err *err)
{
	struct buf text = BUF_INIT;
	size_t i;
	int result;

	for (i = 0; i < words->n; i++)
		buf_addf(&text, "%s%s", i ? " " : "", words->v[i]);
	result = buf_check(&text, err) || str_set(out, buf_str(&text), err) ? -1 : 0;
	buf_release(&text);
	return result;
}

int matrix_of(const struct strv *given, struct matrix *m, struct err *err)
{
	size_t n, i;

	if (!given->n)
		return 0;
	n = count_rows(given, err);
	if (!n)
		return -1;
	m->rows = calloc(n, sizeof(*m->rows));
	if (!m->rows)
		return err_nomem(err);
	m->n = n;
	for (i = 0; i < n; i++)
		if (make_row(given, i, &m->rows[i], err))
			return -1;
	return join_words(given, &m->title, err);
}

/* ---- comparing -------------------------------------------------------------------------- */

/* "NAME (COMBINATION)"; of a long one the start, and its number, which no other has. */
static void add_name(const char *name, const char *combination, size_t number, struct buf *out)
{
	size_t room = SUMMARY_MAX_NAME - NUMBER_ROOM, taken = strlen(name);
	size_t n = utf8_fitting(combination, taken < room ? room - taken : 0);

	if (!combination[n])
		buf_addf(out, "%s (%s)", name, combination);
	else
		buf_addf(out, "%.*s (%.*s... #%zu)", (int)utf8_fitting(name, room), name, (int)n,
			 combination, number);
}

static int name_all(struct summary *s, const char *combination, size_t number, struct err *err)
{
	struct buf name = BUF_INIT;
	size_t i;
	int result = 0;

	for (i = 0; i < s->n_benchmarks && !result; i++) {
		buf_reset(&name);
		add_name(s->benchmarks[i].name, combination, number, &name);
		result = buf_check(&name, err) ||
			 str_set(&s->benchmarks[i].name, buf_str(&name), err);
	}
	buf_release(&name);
	return result ? -1 : 0;
}

/* "WHAT: CURE": what is seen has figures of its own each time. */
static bool has_same_cure(const char *a, const char *b)
{
	const char *x = strstr(a, ": "), *y = strstr(b, ": ");

	return x && y ? !strcmp(x, y) : !strcmp(a, b);
}

static int add_warnings(const struct strv *from, struct strv *to, struct err *err)
{
	size_t i, k;

	for (i = 0; i < from->n; i++) {
		for (k = 0; k < to->n && !has_same_cure(to->v[k], from->v[i]); k++)
			;
		if (k == to->n && strv_add(to, from->v[i], err))
			return -1;
	}
	return 0;
}

/* Moves the benchmarks of one behind those of the other. */
static int append(struct summary *from, struct summary *to, struct err *err)
{
	size_t i;

	for (i = 0; i < from->n_benchmarks; i++) {
		if (!summary_add_bench(to, from->benchmarks[i].name, err))
			return -1;
		summary_replace(to, &from->benchmarks[i]);
	}
	to->finished_us = from->finished_us;
	return add_warnings(&from->environment.warnings, &to->environment.warnings, err);
}

/* *out gets the first one whole, and of each later one what it measured. */
static int compare_one(const struct matrix *m, size_t i, struct compare_request *rq,
		       struct summary *out, struct err *err)
{
	struct summary s;
	char *combination = NULL;
	int result = -1;

	summary_init(&s);
	rq->head_way.env = &m->rows[i];
	if (join_words(&m->rows[i], &combination, err))
		goto out;
	talk_note(rq->talk, "%zu of %zu: %s", i, m->n - 1, combination);
	if (compare(rq, &s, err) || matrix_tell_overridden(m, i, rq, &s, err) ||
	    name_all(&s, combination, i, err))
		goto out;
	if (i > 1) {
		result = append(&s, out, err);
		goto out;
	}
	result = str_set(&s.sides.head, m->title, err);
	if (!result) {
		*out = s;
		summary_init(&s);
	}
out:
	free(combination);
	summary_release(&s);
	return result;
}

/* Those that are finished are kept: n of them. */
static int end_early(const struct matrix *m, size_t n, struct summary *out, struct err *ended,
		     struct err *err)
{
	if (ended->code == ERR_NOMEM) {
		*err = *ended;
		return -1;
	}
	err_in(ended, "after %zu of %zu combinations", n, m->n - 1);
	return strv_addf(&out->environment.warnings, err,
			 "%zu of %zu combinations were compared: run it again for the others", n,
			 m->n - 1);
}

int matrix_compare(const struct matrix *m, struct compare_request *rq, struct summary *out,
		   struct err *out_ended, struct err *err)
{
	int result;
	size_t i;

	summary_init(out);
	rq->comparisons = (unsigned)(m->n - 1);
	rq->budget_ns /= m->n - 1;
	rq->base_way.env = &m->rows[0];
	result = compare_one(m, 1, rq, out, err);
	for (i = 2; i < m->n && !result; i++)
		if (compare_one(m, i, rq, out, out_ended)) {
			result = end_early(m, i - 1, out, out_ended, err);
			break;
		}
	if (result)
		summary_release(out);
	return result;
}
