/*
 * callgrind - the totals of a callgrind.out file: one benchmark, named as the command.
 *
 * lib/profile reads the whole and holds its costs against its own totals, so that a file that was
 * cut short is found out.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/foreign/formats.h"
#include "lib/profile/profile.h"

#include "lib/base/banned.h"

/* What stands behind "key:", without blanks in front; false for another line. */
static bool value_of(const struct doc_line *line, const char *key, struct doc_line *out)
{
	size_t n = strlen(key);

	if (line->n < n || memcmp(line->p, key, n))
		return false;
	*out = *line;
	out->p += n;
	out->n -= n;
	for (; out->n && *out->p == ' '; out->p++)
		out->n--;
	return true;
}

bool callgrind_recognise(const struct foreign_doc *doc)
{
	struct doc_line line = { 0 }, value;
	bool is_ours = false;

	if (doc->json || doc->xml || doc->n_lines)
		return false;
	while (doc_next_line(doc, &line) && line.number < 64) {
		is_ours = is_ours || value_of(&line, "# callgrind format", &value) ||
			  value_of(&line, "creator: callgrind", &value);
		if (is_ours && value_of(&line, "events:", &value))
			return true;
	}
	return false;
}

/* One of the numbers of a line; those at its end may be left out when they are 0. */
static double number_at(const struct doc_line *value, size_t event)
{
	struct doc_word word;
	double one;
	size_t at = 0, i;

	for (i = 0; doc_next_word(value, &at, &word); i++)
		if (i == event)
			return doc_word_number(&word, &one) ? one : (double)NAN;
	return 0;
}

/*
 * One event's total of all parts, each of which begins with its events; NaN where one does not say.
 * Where a part has a summary and totals, these are what its lines sum up to.
 */
static double total_of(const struct foreign_doc *doc, size_t event)
{
	struct doc_line line = { 0 }, value;
	double sum = 0, part = 0;
	bool has_totals = false;

	while (doc_next_line(doc, &line)) {
		if (value_of(&line, "events:", &value)) {
			sum += part;
			part = (double)NAN;
			has_totals = false;
		} else if (value_of(&line, "totals:", &value)) {
			part = number_at(&value, event);
			has_totals = true;
		} else if (!has_totals && value_of(&line, "summary:", &value)) {
			part = number_at(&value, event);
		}
	}
	return sum + part;
}

static int add_event(struct bench *b, const char *name, double total, const char *where,
		     struct err *err)
{
	if (isfinite(total))
		return sink_sample(b, name, "1", BETTER_LOWER, total, where, err);
	return sink_absent(b, name, "1", BETTER_LOWER, "the file does not tell its total", where,
			   err);
}

static int read_events(const struct foreign_doc *doc, struct bench *b, double instructions,
		       struct err *err)
{
	struct doc_line line = { 0 }, value;
	struct doc_word word;
	char name[64], where[SINK_WHERE];
	size_t at = 0, i;

	while (doc_next_line(doc, &line) && !value_of(&line, "events:", &value))
		;
	snprintf(where, sizeof(where), "line %u", line.number);
	for (i = 0; doc_next_word(&value, &at, &word); i++) {
		bool is_ir = doc_word_is(&word, "Ir");

		snprintf(name, sizeof(name), "%.*s", (int)(word.n < 60 ? word.n : 60), word.p);
		if (bench_find_metric(b, is_ir ? "instructions" : name))
			return err_set(err, ERR_SYNTAX, "%s: the event '%s' is named twice", where,
				       name);
		if (add_event(b, is_ir ? "instructions" : name,
			      is_ir ? instructions : total_of(doc, i), where, err))
			return -1;
	}
	return 0;
}

/* The command, or the file's name where it does not say. */
static struct bench *bench_of(const struct foreign_doc *doc, struct foreign_sink *to,
			      struct err *err)
{
	struct doc_line line = { 0 }, value;
	struct buf name = BUF_INIT;
	struct bench *b = NULL;

	while (!name.len && doc_next_line(doc, &line))
		if (value_of(&line, "cmd:", &value))
			buf_add(&name, value.p, value.n);
	if (!name.len)
		buf_adds(&name, doc->name);
	if (!buf_check(&name, err))
		b = sink_new_bench(to, buf_str(&name), "cmd", err);
	if (b && str_set(&b->command, buf_str(&name), err))
		b = NULL;
	buf_release(&name);
	return b;
}

static int read_facts(const struct foreign_doc *doc, struct bench *b, struct err *err)
{
	static const char *const keys[] = { "creator", "desc", "pid", "part" };
	struct doc_line line = { 0 }, value;
	char key[16];
	size_t i;

	while (doc_next_line(doc, &line) && line.number < 64)
		for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
			snprintf(key, sizeof(key), "%s:", keys[i]);
			if (value_of(&line, key, &value) && value.n &&
			    sink_fact_n(&b->facts, keys[i], value.p, value.n, err))
				return -1;
		}
	return 0;
}

int callgrind_parse(const struct foreign_doc *doc, struct foreign_sink *to, struct err *err)
{
	struct profile profile = PROFILE_INIT;
	struct bench *b;
	double total;
	size_t i = 0;

	if (profile_parse(doc->data, doc->n, &profile, err))
		return -1;
	total = profile.total;
	profile_release(&profile);
	b = bench_of(doc, to, err);
	if (!b || read_events(doc, b, total, err) || read_facts(doc, b, err) || !b->n_metrics)
		return b && !b->n_metrics ? err_set(err, ERR_SYNTAX, "names no events") : -1;
	while (i + 1 < b->n_metrics && !b->metrics[i].n)
		i++;
	return sink_gate(to, b, b->metrics[i].name, err);
}
