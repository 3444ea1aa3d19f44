#include "cli/hyperfine/show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reporter/text/text.h"

#include "lib/base/banned.h"

#define CELL 32

int hyperfine_unit_of(const char *word, double mean, struct hyperfine_unit *out, struct err *err)
{
	static const struct {
		const char *word;
		struct hyperfine_unit unit;
	} units[] = {
		{ "second", { "s", 1, 3 } },
		{ "millisecond", { "ms", 1e3, 1 } },
		{ "microsecond", { "µs", 1e6, 1 } },
	};
	size_t i;

	if (!word)
		word = mean < 1 ? "millisecond" : "second";
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i].word, word)) {
			*out = units[i].unit;
			return 0;
		}
	return err_set(err, ERR_USAGE,
		       "--time-unit takes microsecond, millisecond or second, not '%s'", word);
}

struct hyperfine_relative hyperfine_relative_of(const struct hyperfine_results *r)
{
	struct hyperfine_relative found = { 0, true };
	size_t i;

	for (i = 0; i < r->n; i++) {
		if (r->v[i].mean < r->v[found.fastest].mean)
			found.fastest = i;
		found.known = found.known && r->v[i].mean > 0;
	}
	return found;
}

double hyperfine_ratio(const struct hyperfine_results *r, size_t fastest, size_t i, double *out_sd)
{
	const struct hyperfine_result *a = &r->v[i], *b = &r->v[fastest];
	double ratio = a->mean / b->mean;

	/* Of a quotient of two that do not depend on each other, to first order. */
	*out_sd = ratio * sqrt(pow(a->sd / a->mean, 2) + pow(b->sd / b->mean, 2));
	return ratio;
}

static const char *cell(double seconds, const struct hyperfine_unit *unit, char out[CELL])
{
	snprintf(out, CELL, "%.*f %s", unit->decimals, seconds * unit->per_second, unit->name);
	return out;
}

/* printf() counts bytes, and a unit may have two for one letter. */
static void add_cell(double seconds, const struct hyperfine_unit *unit, struct buf *out)
{
	char text[CELL];
	int width = text_width(cell(seconds, unit, text));

	buf_addf(out, "%*s%s", width < 8 ? 8 - width : 0, "", text);
}

static int add_result(const struct hyperfine_result *r, size_t number, const char *word,
		      struct buf *out, struct err *err)
{
	struct hyperfine_unit unit;
	char user[CELL], in_kernel[CELL];

	if (hyperfine_unit_of(word, r->mean, &unit, err))
		return -1;
	buf_addf(out, "Benchmark %zu: ", number);
	text_visible(r->command->name, true, out);
	buf_adds(out, r->n > 1 ? "\n  Time (mean ± σ):     " : "\n  Time (abs ≡):        ");
	add_cell(r->mean, &unit, out);
	if (r->n > 1) {
		buf_adds(out, " ± ");
		add_cell(r->sd, &unit, out);
	} else {
		buf_adds(out, "           ");
	}
	buf_addf(out, "    [User: %s, System: %s]\n", cell(r->user, &unit, user),
		 cell(r->in_kernel, &unit, in_kernel));
	if (r->n > 1) {
		buf_adds(out, "  Range (min … max):   ");
		add_cell(r->min, &unit, out);
		buf_adds(out, " … ");
		add_cell(r->max, &unit, out);
		buf_addf(out, "    %zu runs\n", r->n);
	}
	buf_addc(out, '\n');
	return 0;
}

/* Slowest last, as hyperfine does: each time the next that is slower than the one before. */
static size_t next_slower(const struct hyperfine_results *r, size_t after)
{
	size_t i, found = r->n;

	for (i = 0; i < r->n; i++) {
		bool is_later = r->v[i].mean > r->v[after].mean ||
				(i > after && !(r->v[i].mean < r->v[after].mean));

		if (i != after && is_later && (found == r->n || r->v[i].mean < r->v[found].mean))
			found = i;
	}
	return found;
}

static void add_summary(const struct hyperfine_results *r, struct buf *out)
{
	struct hyperfine_relative rel = hyperfine_relative_of(r);
	size_t i;

	if (r->n < 2 || !rel.known)
		return;
	buf_adds(out, "Summary\n  '");
	text_visible(r->v[rel.fastest].command->name, true, out);
	buf_adds(out, "' ran\n");
	for (i = next_slower(r, rel.fastest); i < r->n; i = next_slower(r, i)) {
		double sd, ratio = hyperfine_ratio(r, rel.fastest, i, &sd);

		buf_addf(out, "    %.2f", ratio);
		if (isfinite(sd))
			buf_addf(out, " ± %.2f", sd);
		buf_adds(out, " times faster than '");
		text_visible(r->v[i].command->name, true, out);
		buf_adds(out, "'\n");
	}
	buf_addc(out, '\n');
}

int hyperfine_text(const struct hyperfine_results *r, const char *unit, struct buf *out,
		   struct err *err)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (add_result(&r->v[i], i + 1, unit, out, err))
			return -1;
	add_summary(r, out);
	return buf_check(out, err);
}
