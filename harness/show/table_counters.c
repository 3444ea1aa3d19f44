/* SPDX-License-Identifier: MIT */
#include "harness/show/table.h"

#include <string.h>

#include "harness/base/cell.h"
#include "harness/counter/derive.h"

#define CELL 32
#define WIDTH 100
#define COLUMNS (COUNTER_MAX + DERIVE_N)

/* The counters of all benchmarks, then what is derived from them. */
struct column {
	const char *name;
	bool shown; /* some benchmark has a value */
};

/* One cell; a mark: '*' extrapolated, '~' simulated. */
struct cell {
	char text[CELL];
	bool valued, scaled, simulated;
};

static bool has_value(const struct counter *c)
{
	return c->state == COUNTER_OK || c->state == COUNTER_SCALED;
}

static void read_cell(const struct outcome *o, int i, struct cell *out)
{
	struct cell cell = { .text = "-" };
	if (!o->counted) {
		*out = cell;
		return;
	}
	if (i < COUNTER_MAX) {
		const struct counter *c = &o->counters[i];
		cell.valued = has_value(c);
		cell.scaled = c->state == COUNTER_SCALED;
		cell.simulated = cell.valued && c->simulated;
		if (cell.valued)
			pawl_cell_count(cell.text, sizeof(cell.text), c->value, "");
	} else {
		struct derived derived[DERIVE_N];
		const struct derived *d = &derived[i - COUNTER_MAX];
		pawl_derive(o->counters, derived);
		cell.valued = d->value == d->value;
		cell.scaled = d->scaled;
		cell.simulated = d->simulated;
		if (i - COUNTER_MAX == DERIVE_IPC)
			pawl_cell_count(cell.text, sizeof(cell.text), d->value, "");
		else
			pawl_cell_percent(cell.text, sizeof(cell.text), d->value);
	}
	*out = cell;
}

static void name_columns(const struct outcome *outcomes, size_t n, struct column *out)
{
	for (int i = 0; i < COLUMNS; i++) {
		out[i] = (struct column){ NULL, false };
		if (i < COUNTER_MAX)
			out[i].name = pawl_counter_name((size_t)i);
		else
			out[i].name = pawl_derive_name((enum derive)(i - COUNTER_MAX));
		for (size_t k = 0; k < n && !out[i].shown; k++) {
			struct cell cell;
			read_cell(&outcomes[k], i, &cell);
			out[i].shown = cell.valued;
		}
	}
}

static int column_width(const struct column *c)
{
	int width = (int)strlen(c->name);
	return width < 8 ? 8 : width;
}

/* The column behind the last that fits beside column `from`. */
static int end_of_block(const struct table *t, const struct column *columns, int from)
{
	int names = pawl_table_name_width(t), used = names, i;
	for (i = from; i < COLUMNS; i++) {
		int width = columns[i].shown ? column_width(&columns[i]) + 2 : 0;
		if (used + width > WIDTH && used > names)
			break;
		used += width;
	}
	return i;
}

static void print_row(const struct table *t, const char *name, const struct outcome *o,
		      const struct column *columns, int from, int end)
{
	pawl_table_name(t, name);
	for (int i = from; i < end; i++) {
		struct cell cell;
		char mark = ' ';
		if (!columns[i].shown)
			continue;
		read_cell(o, i, &cell);
		if (cell.simulated)
			mark = '~';
		else if (cell.scaled)
			mark = '*';
		(void)fprintf(t->to, " %*s%c", column_width(&columns[i]), cell.text, mark);
	}
	(void)fputc('\n', t->to);
}

static void print_block(const struct table *t, const struct pawl_bench *const *benches,
			const struct outcome *outcomes, size_t n, const struct column *columns,
			int from, int end)
{
	pawl_table_name(t, "per iteration");
	for (int i = from; i < end; i++)
		if (columns[i].shown)
			(void)fprintf(t->to, " %*s ", column_width(&columns[i]), columns[i].name);
	(void)fputc('\n', t->to);
	for (size_t k = 0; k < n; k++)
		if (outcomes[k].counted)
			print_row(t, benches[k]->name, &outcomes[k], columns, from, end);
	(void)fputc('\n', t->to);
}

/* Text that is wrapped at WIDTH, at its spaces. */
static void wrap(const struct table *t, int *column, const char *text)
{
	while (*text) {
		int space = (int)strspn(text, " "), n = (int)strcspn(text + space, " ") + space;
		if (*column > 0 && *column + n > WIDTH) {
			*column = fprintf(t->to, "\n  ") - 1;
			text += space;
			n -= space;
		}
		*column += fprintf(t->to, "%.*s", n, text);
		text += n;
	}
}

/* What a counter's reason is put under; NULL: there is nothing to say. */
static const char *label_of(const struct counter *c)
{
	if (has_value(c))
		return c->reason[0] ? "note" : NULL;
	return pawl_counter_state_name(c->state);
}

static bool says_the_same(const struct counter *a, const struct counter *b)
{
	return label_of(b) && strcmp(label_of(a), label_of(b)) == 0 &&
	       strcmp(a->reason, b->reason) == 0;
}

/* One paragraph a reason, with all counters it holds for. */
void pawl_table_reasons(const struct table *t, const struct counter *c)
{
	for (int i = 0; i < COUNTER_MAX; i++) {
		bool said = !label_of(&c[i]);
		char piece[COUNTER_REASON + 8];
		int column = 0;
		for (int j = 0; j < i && !said; j++)
			said = says_the_same(&c[i], &c[j]);
		if (said)
			continue;
		wrap(t, &column, label_of(&c[i]));
		for (int j = i; j < COUNTER_MAX; j++) {
			if (!says_the_same(&c[i], &c[j]))
				continue;
			(void)snprintf(piece, sizeof(piece), " %s", c[j].name);
			wrap(t, &column, j > i ? "," : ":");
			wrap(t, &column, piece);
		}
		(void)snprintf(piece, sizeof(piece), " (%s)", c[i].reason);
		wrap(t, &column, piece);
		(void)fputc('\n', t->to);
	}
}

/* What the marks mean, where they stand. */
static void print_marks(const struct table *t, const struct outcome *outcomes, size_t n)
{
	bool scaled = false, simulated = false;
	for (size_t k = 0; k < n; k++) {
		for (int i = 0; outcomes[k].counted && i < COUNTER_MAX; i++) {
			const struct counter *c = &outcomes[k].counters[i];
			scaled = scaled || c->state == COUNTER_SCALED;
			simulated = simulated || (has_value(c) && c->simulated);
		}
	}
	if (scaled)
		(void)fprintf(t->to, "* counted a part of the time and extrapolated\n");
	if (simulated)
		(void)fprintf(t->to, "~ simulated by valgrind, of a made-up processor\n");
}

/* Whether the same is said of the same counters. */
static bool is_alike(const struct counter *a, const struct counter *b)
{
	for (int i = 0; i < COUNTER_MAX; i++) {
		if (!label_of(&a[i]) != !label_of(&b[i]))
			return false;
		if (label_of(&a[i]) && !says_the_same(&a[i], &b[i]))
			return false;
	}
	return true;
}

/* The first benchmark of whose counters the same is said as of benchmark k's. */
static size_t first_alike(const struct outcome *outcomes, size_t k)
{
	size_t i = 0;
	while (!outcomes[i].counted || !is_alike(outcomes[i].counters, outcomes[k].counters))
		i++;
	return i;
}

/* Once for all benchmarks that are alike; with a name where they are not all. */
static void print_all_reasons(const struct table *t, const struct pawl_bench *const *benches,
			      const struct outcome *outcomes, size_t n)
{
	size_t kinds = 0;
	for (size_t k = 0; k < n; k++)
		kinds += outcomes[k].counted && first_alike(outcomes, k) == k;
	for (size_t k = 0; k < n; k++) {
		if (!outcomes[k].counted || first_alike(outcomes, k) != k)
			continue;
		if (kinds > 1)
			(void)fprintf(t->to, "%s and its like:\n", benches[k]->name);
		pawl_table_reasons(t, outcomes[k].counters);
	}
}

void pawl_table_counters(const struct table *t, const struct pawl_bench *const *benches,
			 const struct outcome *outcomes, size_t n)
{
	struct column columns[COLUMNS];
	size_t counted = 0;
	for (size_t k = 0; k < n; k++)
		counted += outcomes[k].counted;
	if (t->details || !counted)
		return;
	(void)fputc('\n', t->to);
	name_columns(outcomes, n, columns);
	for (int from = 0; from < COLUMNS;) {
		int end;
		for (; from < COLUMNS && !columns[from].shown; from++)
			;
		end = end_of_block(t, columns, from);
		if (from < COLUMNS)
			print_block(t, benches, outcomes, n, columns, from, end);
		from = end;
	}
	print_marks(t, outcomes, n);
	print_all_reasons(t, benches, outcomes, n);
}
