/*
 * criterion_text - what Criterion.rs prints: "NAME   time:   [LOW ESTIMATE HIGH]", each with its
 * unit.
 *
 * A name of more than 23 characters is on the line before.  After it "change:" may follow, whose
 * "time:" has percentages.
 *
 * Source: "Command-Line Output" of the Criterion.rs book; the output of criterion 0.3.6.
 */
#include <stdio.h>
#include <string.h>

#include "lib/base/timeunit.h"
#include "lib/foreign/criterion_text.h"

#include "lib/base/banned.h"

struct found {
	struct doc_word name; /* n 0: the line begins with "time:" */
	double value;
	double scale; /* ns a unit */
};

/* The first word of a line and all up to a place in it, without the blanks between. */
static struct doc_word name_before(const struct doc_line *line, size_t end)
{
	struct doc_word word = { line->p, end };

	while (word.n && *word.p == ' ') {
		word.p++;
		word.n--;
	}
	while (word.n && word.p[word.n - 1] == ' ')
		word.n--;
	return word;
}

static double scale_of(const struct doc_word *unit)
{
	char text[8];

	if (unit->n >= sizeof(text))
		return -1;
	memcpy(text, unit->p, unit->n);
	text[unit->n] = '\0';
	return time_unit_ns(text);
}

static bool is_time(const struct doc_line *line, struct found *out)
{
	struct doc_word word, low;
	size_t at = 0;

	do {
		if (!doc_next_word(line, &at, &word))
			return false;
	} while (!doc_word_is(&word, "time:"));
	out->name = name_before(line, (size_t)(word.p - line->p));
	if (!doc_next_word(line, &at, &low) || *low.p != '[' || !doc_next_word(line, &at, &word) ||
	    !doc_next_word(line, &at, &word) || !doc_word_number(&word, &out->value) ||
	    !doc_next_word(line, &at, &word))
		return false;
	out->scale = scale_of(&word);
	return out->scale > 0;
}

bool criterion_text_is(const struct foreign_doc *doc)
{
	struct doc_line line = { 0 };
	struct found found;

	if (doc->json || doc->xml || doc->n_lines)
		return false;
	while (doc_next_line(doc, &line))
		if (is_time(&line, &found))
			return true;
	return false;
}

static int add(struct foreign_sink *to, const struct found *found, unsigned line, struct err *err)
{
	struct buf name = BUF_INIT;
	char where[SINK_WHERE];
	struct bench *b = NULL;
	int result = -1;

	snprintf(where, sizeof(where), "line %u", line);
	buf_add(&name, found->name.p, found->name.n);
	if (!buf_check(&name, err))
		b = sink_bench(to, buf_str(&name), where, err);
	if (b && !sink_time(b, "wall", found->value, found->scale, where, err))
		result = sink_gate(to, b, "wall", err);
	buf_release(&name);
	return result;
}

int criterion_text_parse(const struct foreign_doc *doc, struct foreign_sink *to, struct err *err)
{
	struct doc_line line = { 0 };
	struct doc_word before = { NULL, 0 };
	struct found found;

	while (doc_next_line(doc, &line)) {
		if (is_time(&line, &found)) {
			if (!found.name.n)
				found.name = before;
			if (add(to, &found, line.number, err))
				return -1;
		}
		before = name_before(&line, line.n);
	}
	return 0;
}
