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
	struct doc_word unit;
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

/* ns a unit; 0: it is none of time. */
static double scale_of(const struct doc_word *unit)
{
	char text[16];

	if (unit->n >= sizeof(text))
		return 0;
	memcpy(text, unit->p, unit->n);
	text[unit->n] = '\0';
	return time_unit_ns(text);
}

/* "[LOW unit ESTIMATE unit HIGH unit]", up to the end of the line. */
static bool is_estimate(const struct doc_line *line, size_t at, struct found *out)
{
	struct doc_word words[7];
	double end;
	size_t n = 0;

	while (n < 7 && doc_next_word(line, &at, &words[n]))
		n++;
	if (n != 6 || words[0].p[0] != '[' || words[5].p[words[5].n - 1] != ']')
		return false;
	words[0].p++;
	words[0].n--;
	out->unit = words[3];
	return doc_word_number(&words[0], &end) && doc_word_number(&words[2], &out->value) &&
	       doc_word_number(&words[4], &end);
}

static bool is_time(const struct doc_line *line, struct found *out)
{
	struct doc_word word;
	size_t at = 0;

	do {
		if (!doc_next_word(line, &at, &word))
			return false;
	} while (!doc_word_is(&word, "time:"));
	out->name = name_before(line, (size_t)(word.p - line->p));
	return is_estimate(line, at, out);
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
	double scale = scale_of(&found->unit);
	int result = -1;

	snprintf(where, sizeof(where), "line %u", line);
	if (!(scale > 0)) {
		err_set(err, ERR_RANGE, "%s: the unit '%.*s' is not known", where,
			(int)(found->unit.n < 40 ? found->unit.n : 40), found->unit.p);
		return err_hint(err,
				"import the messages of cargo criterion: they have raw values");
	}
	buf_add(&name, found->name.p, found->name.n);
	if (!buf_check(&name, err))
		b = sink_bench(to, buf_str(&name), where, err);
	if (b && !sink_time(b, "wall", found->value, scale, where, err))
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
