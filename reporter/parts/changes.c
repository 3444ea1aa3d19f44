#include "reporter/parts/changes.h"

#include <string.h>

#include "lib/base/banned.h"

#define MOST_NAMES 8 /* unless all are asked for */

static void add_names(const struct strv *names, size_t n, bool all, struct buf *out)
{
	size_t shown = all || names->n < MOST_NAMES ? names->n : MOST_NAMES, i;

	for (i = 0; i < shown; i++)
		buf_addf(out, "%s%s", i ? ", " : "", names->v[i]);
	if (n > shown)
		buf_addf(out, " and %zu more", n - shown);
}

static void add_counts(const struct code_changes *c, struct buf *out)
{
	buf_addf(out, "of %zu functions ", c->n_functions);
	if (c->n_changed)
		buf_addf(out, "%zu changed", c->n_changed);
	else
		buf_adds(out, "none changed");
}

void changes_note(const struct bench *b, bool verbose, struct buf *out)
{
	const struct code_changes *c = &b->changes;
	bool all = verbose || c->is_explained;

	if (!c->is_known)
		return;
	if (!c->executed.n) {
		add_counts(c, out);
		buf_adds(out, c->n_changed ? ", none is executed by it" : ", and no data it uses");
		if (c->changed.n) {
			buf_adds(out, " (");
			add_names(&c->changed, c->n_changed, all, out);
			buf_addc(out, ')');
		}
	} else if (all) {
		add_counts(c, out);
		buf_adds(out, "; it executes what changed: ");
		add_names(&c->executed, c->executed.n, true, out);
	}
}

static bool is_same_code(const struct bench *b)
{
	return b->binary_id && b->base_binary_id && !strcmp(b->binary_id, b->base_binary_id);
}

static bool is_same_reason(const struct bench *a, const struct bench *b)
{
	return a->changes.why && b->changes.why && !strcmp(a->changes.why, b->changes.why) &&
	       is_same_code(a) == is_same_code(b);
}

static bool is_told(const struct summary *s, size_t i)
{
	size_t k;

	for (k = 0; k < i; k++)
		if (is_same_reason(&s->benchmarks[k], &s->benchmarks[i]))
			return true;
	return false;
}

/* ---- what compilers leave in one piece ------------------------------------------------------ */

#define DATA_OF_A_FUNCTION " (data)"
#define CODE_OF_AN_OBJECT ".text of "

static bool is_data(const char *executed)
{
	size_t n = strlen(executed), k = strlen(DATA_OF_A_FUNCTION);

	return n > k && !strcmp(executed + n - k, DATA_OF_A_FUNCTION);
}

static bool is_code(const char *executed)
{
	return str_starts(executed, CODE_OF_AN_OBJECT);
}

/* Whether nothing else is known to be executed of what changed. */
static bool is_all(const struct bench *b, bool (*is_one)(const char *executed))
{
	const struct strv *executed = &b->changes.executed;
	size_t i;

	for (i = 0; i < executed->n && is_one(executed->v[i]); i++)
		;
	return b->changes.is_known && executed->n && i == executed->n;
}

/* One line for all of them, with the first one as the example. */
static int add_coarse(const struct summary *s, bool (*is_one)(const char *executed),
		      const char *what, const char *cure, struct strv *out, struct err *err)
{
	const struct bench *first = NULL;
	struct buf who = BUF_INIT;
	size_t i, n = 0;
	int result = 0;

	for (i = 0; i < s->n_benchmarks; i++) {
		if (!is_all(&s->benchmarks[i], is_one))
			continue;
		first = first ? first : &s->benchmarks[i];
		n++;
	}
	if (!first)
		return 0;
	buf_adds(&who, first->name);
	if (n > 1)
		buf_addf(&who, " and %zu more", n - 1);
	result = buf_check(&who, err) || strv_addf(out, err, "%s: %s (%s); %s", buf_str(&who), what,
						   first->changes.executed.v[0], cure)
			 ? -1
			 : 0;
	buf_release(&who);
	return result;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Of the same code, which was measured all the same. */
static int add_measured(const struct bench *b, size_t n, struct strv *out, struct err *err)
{
	return n > 1 ? strv_addf(out, err,
				 "%s and %zu more are measured although their code is the same: %s",
				 b->name, n - 1, b->changes.why)
		     : strv_addf(out, err, "%s is measured although its code is the same: %s",
				 b->name, b->changes.why);
}

static int add_unknown(const struct bench *b, size_t n, struct strv *out, struct err *err)
{
	return n > 1 ? strv_addf(out, err,
				 "what %s and %zu more execute of what changed is not known (%s)",
				 b->name, n - 1, b->changes.why)
		     : strv_addf(out, err, "what %s executes of what changed is not known (%s)",
				 b->name, b->changes.why);
}

static int add_reasons(const struct summary *s, struct strv *out, struct err *err)
{
	size_t i, k, n;

	for (i = 0; i < s->n_benchmarks; i++) {
		const struct bench *b = &s->benchmarks[i];

		if (!b->changes.why || is_told(s, i))
			continue;
		for (k = i, n = 0; k < s->n_benchmarks; k++)
			n += is_same_reason(b, &s->benchmarks[k]);
		if ((is_same_code(b) ? add_measured : add_unknown)(b, n, out, err))
			return -1;
	}
	return 0;
}

int changes_remarks(const struct summary *s, struct strv *out, struct err *err)
{
	return add_reasons(s, out, err) ||
			       add_coarse(
				       s, is_data,
				       "no function that changed runs, but it may read data that "
				       "did",
				       "with -ffunction-sections -fdata-sections each variable is "
				       "compared by itself",
				       out, err) ||
			       add_coarse(s, is_code,
					  "code changed that cannot be cut into functions, so that "
					  "it is taken to run",
					  "with -ffunction-sections it can be cut", out, err)
		       ? -1
		       : 0;
}
