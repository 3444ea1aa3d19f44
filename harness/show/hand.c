/* SPDX-License-Identifier: MIT */
#include "harness/show/hand.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/cell.h"
#include "harness/clock/say.h"
#include "harness/show/table.h"
#include "harness/speak/ask.h"
#include "harness/speak/record.h"

/* The benchmarks that were chosen and what became of them; opened once, in one piece each. */
struct chosen {
	const struct pawl_bench **bench;
	struct outcome *outcome;
	size_t n;
};

static bool choose(const struct session *s, struct chosen *out)
{
	size_t most = s->count ? s->count : 1;
	struct chosen c = { calloc(most, sizeof(*c.bench)), calloc(most, sizeof(*c.outcome)), 0 };
	if (!c.bench || !c.outcome) {
		free(c.bench);
		free(c.outcome);
		return false;
	}
	for (size_t i = 0; i < s->count; i++)
		if (pawl_filter_takes(s->options.filter, s->list[i].name))
			c.bench[c.n++] = &s->list[i];
	*out = c;
	return true;
}

static void print_record(struct session *s)
{
	(void)fputs(s->text.at, stdout);
	pawl_text_clear(&s->text);
}

static void print_json(struct session *s, const struct chosen *c)
{
	(void)fputs("{\"harness\":", stdout);
	pawl_record_hello(&s->text, &s->in.wall, pawl_session_ticks_hz(s));
	print_record(s);
	if (s->options.shuffle) {
		(void)fputs(",\"order\":", stdout);
		pawl_record_order(&s->text, s->options.seed);
		print_record(s);
	}
	(void)fputs(",\"benchmarks\":[", stdout);
	for (size_t i = 0; i < c->n; i++) {
		struct outcome *o = &c->outcome[i];
		(void)fputs(i ? ",\n" : "\n", stdout);
		if (pawl_session_measure(s, c->bench[i], o))
			pawl_record_result(&s->text, c->bench[i], &o->measured, s->in.empty_ns,
					   o->counted ? o->counters : NULL);
		else
			pawl_record_error(&s->text, c->bench[i]->name, o->fault);
		print_record(s);
	}
	(void)fputs("\n],\"warnings\":", stdout);
	pawl_clock_warnings(&s->text, &s->in.wall);
	print_record(s);
	(void)fputs("}\n", stdout);
}

static void print_table(struct session *s, const struct chosen *c)
{
	struct table t = { .to = stdout, .name_width = pawl_cell_width("per iteration") };
	t.details = s->options.details;
	for (size_t i = 0; i < c->n; i++) {
		int width = pawl_cell_width(c->bench[i]->name);
		t.name_width = width > t.name_width ? width : t.name_width;
		t.rates = t.rates || c->bench[i]->items > 0 || c->bench[i]->bytes > 0;
	}
	pawl_table_begin(&t, s);
	for (size_t i = 0; i < c->n; i++) {
		(void)pawl_session_measure(s, c->bench[i], &c->outcome[i]);
		pawl_table_line(&t, c->bench[i], &c->outcome[i]);
	}
	pawl_table_counters(&t, c->bench, c->outcome, c->n);
	pawl_table_warnings(&t, &s->in.wall);
}

static void print_list(const struct chosen *c)
{
	for (size_t i = 0; i < c->n; i++)
		(void)printf("%s\n", c->bench[i]->name);
}

static int worst(const struct chosen *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->outcome[i].fault[0] || c->outcome[i].measured.iterations == 0)
			return STATUS_FAILED;
	return STATUS_OK;
}

int pawl_hand(struct session *s)
{
	struct chosen c;
	int status = STATUS_OK;
	if (!choose(s, &c))
		return pawl_ask_refuse(s, strerror(ENOMEM));
	if (c.n == 0 && s->options.filter) {
		char why[160];
		(void)snprintf(why, sizeof(why), "no benchmark matches '%.80s': see --list",
			       s->options.filter);
		status = pawl_ask_refuse(s, why);
	} else if (s->options.action == ACTION_LIST) {
		print_list(&c);
	} else if (s->options.json) {
		print_json(s, &c);
	} else {
		print_table(s, &c);
	}
	if (status == STATUS_OK && s->options.action == ACTION_MEASURE)
		status = worst(&c);
	free(c.bench);
	free(c.outcome);
	return status;
}
