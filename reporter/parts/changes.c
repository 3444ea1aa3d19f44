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

static bool is_told(const struct summary *s, size_t i)
{
	size_t k;

	for (k = 0; k < i; k++)
		if (s->benchmarks[k].changes.why &&
		    !strcmp(s->benchmarks[k].changes.why, s->benchmarks[i].changes.why))
			return true;
	return false;
}

int changes_remarks(const struct summary *s, struct strv *out, struct err *err)
{
	size_t i, k, n;

	for (i = 0; i < s->n_benchmarks; i++) {
		const char *why = s->benchmarks[i].changes.why;

		if (!why || is_told(s, i))
			continue;
		for (k = i, n = 0; k < s->n_benchmarks; k++)
			n += s->benchmarks[k].changes.why &&
			     !strcmp(s->benchmarks[k].changes.why, why);
		if (n > 1 ? strv_addf(out, err,
				      "what %s and %zu more execute of what changed is not known "
				      "(%s)",
				      s->benchmarks[i].name, n - 1, why)
			  : strv_addf(out, err,
				      "what %s executes of what changed is not known (%s)",
				      s->benchmarks[i].name, why))
			return -1;
	}
	return 0;
}
