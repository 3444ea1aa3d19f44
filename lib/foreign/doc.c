#include "lib/foreign/doc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/number.h"

#include "lib/base/banned.h"

#define NUMBER_MAX 64

int doc_go_on(const struct foreign_doc *doc, struct err *err)
{
	return doc->stop && *doc->stop ? err_stopped(err) : 0;
}

bool doc_next_line(const struct foreign_doc *doc, struct doc_line *line)
{
	const char *end;

	if (line->next >= doc->n)
		return false;
	line->p = doc->data + line->next;
	end = memchr(line->p, '\n', doc->n - line->next);
	line->has_end = end != NULL;
	line->n = end ? (size_t)(end - line->p) : doc->n - line->next;
	line->next += line->n + 1;
	line->number++;
	if (line->n && line->p[line->n - 1] == '\r')
		line->n--;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool doc_next_word(const struct doc_line *line, size_t *at, struct doc_word *out)
{
	size_t i = *at;

	while (i < line->n && is_blank(line->p[i]))
		i++;
	out->p = line->p + i;
	while (i < line->n && !is_blank(line->p[i]))
		i++;
	out->n = (size_t)(line->p + i - out->p);
	*at = i;
	return out->n > 0;
}

bool doc_word_is(const struct doc_word *word, const char *text)
{
	return strlen(text) == word->n && !memcmp(word->p, text, word->n);
}

bool doc_word_number(const struct doc_word *word, double *out)
{
	char text[NUMBER_MAX];

	if (!word->n || word->n >= sizeof(text))
		return false;
	memcpy(text, word->p, word->n);
	text[word->n] = '\0';
	return number_double(text, out);
}

bool doc_word_value(const struct doc_word *word, double *out)
{
	static const struct {
		const char *name;
		double value;
	} rows[] = { { "NaN", (double)NAN },
		     { "nan", (double)NAN },
		     { "Inf", (double)INFINITY },
		     { "inf", (double)INFINITY } };
	size_t sign = word->n && (*word->p == '+' || *word->p == '-'), i;
	const struct doc_word name = { word->p + sign, word->n - sign };

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!doc_word_is(&name, rows[i].name))
			continue;
		*out = *word->p == '-' ? -rows[i].value : rows[i].value;
		return true;
	}
	return doc_word_number(word, out);
}

/* Every line that begins as an object; the first broken one is the fault. */
static int read_lines(struct foreign_doc *doc, struct err *err)
{
	struct doc_line line = { 0 };

	while (doc_next_line(doc, &line)) {
		struct doc_json_line *l;
		struct jtree *json;

		if (!line.n || line.p[0] != '{')
			continue;
		if (doc_go_on(doc, err))
			return -1;
		json = jtree_parse_loose(line.p, line.n, DOC_MAX_LINE, DOC_MAX_DEPTH, err);
		if (!json)
			return err_in(err, "line %u", line.number);
		if (!(doc->n_lines & (doc->n_lines - 1))) {
			l = realloc(doc->lines, (doc->n_lines ? 2 * doc->n_lines : 1) * sizeof(*l));
			if (!l) {
				jtree_free(json);
				return err_nomem(err);
			}
			doc->lines = l;
		}
		doc->lines[doc->n_lines++] = (struct doc_json_line){ json, line.number };
	}
	return 0;
}

static void drop_lines(struct foreign_doc *doc)
{
	while (doc->n_lines)
		jtree_free(doc->lines[--doc->n_lines].json);
	free(doc->lines);
	doc->lines = NULL;
}

/* Whether the first line alone is a whole object and more follows: lines, and no document. */
static bool starts_with_object(const struct foreign_doc *doc)
{
	struct doc_line line = { 0 };
	struct jtree *json = NULL;

	if (doc_next_line(doc, &line) && line.next < doc->n)
		json = jtree_parse_loose(line.p, line.n, DOC_MAX_LINE, DOC_MAX_DEPTH, NULL);
	jtree_free(json);
	return json != NULL;
}

static bool has_object_line(const struct foreign_doc *doc)
{
	return (doc->n > 1 && doc->data[0] == '{') || memmem(doc->data, doc->n, "\n{\"", 3);
}

/* A fault of the content is kept, one of the machine returned. */
static int keep_fault(struct foreign_doc *doc, const struct err *fault, struct err *err)
{
	if (err_is_fatal(fault)) {
		*err = *fault;
		return -1;
	}
	doc->fault = *fault;
	return 0;
}

int doc_open(const struct foreign_text *text, struct foreign_doc *out, struct err *err)
{
	struct err fault = ERR_INIT;
	size_t mark, skip;

	memset(out, 0, sizeof(*out));
	out->name = text->name;
	out->stop = text->stop;
	if (text->n > FOREIGN_MAX_BYTES)
		return err_set(err, ERR_LIMIT, "%zu bytes, at most %u are accepted", text->n,
			       FOREIGN_MAX_BYTES);
	mark = skip = text->n >= 3 && !memcmp(text->data, "\xef\xbb\xbf", 3) ? 3 : 0;
	while (skip < text->n && strchr(" \t\r\n", text->data[skip]) && text->data[skip])
		skip++;
	out->data = text->data + mark;
	out->n = text->n - mark;
	if (skip == text->n)
		return 0;
	out->is_structured = strchr("<{[", text->data[skip]) && text->data[skip];
	if (text->data[skip] == '<') {
		out->xml = xml_parse(text->data + skip, text->n - skip, &fault);
		return out->xml ? 0 : keep_fault(out, &fault, err);
	}
	if (strchr("{[", text->data[skip]) && !starts_with_object(out)) {
		out->json = jtree_parse_loose(out->data, out->n, FOREIGN_MAX_BYTES, DOC_MAX_DEPTH,
					      &fault);
		return out->json ? 0 : keep_fault(out, &fault, err);
	}
	if (!has_object_line(out) || !read_lines(out, &fault))
		return 0;
	drop_lines(out);
	return keep_fault(out, &fault, err);
}

void doc_release(struct foreign_doc *doc)
{
	jtree_free(doc->json);
	xml_free(doc->xml);
	drop_lines(doc);
}

size_t doc_n_records(const struct foreign_doc *doc)
{
	return doc->json ? 1 : doc->n_lines;
}

const struct jtree *doc_record(const struct foreign_doc *doc, size_t i, unsigned *out_number)
{
	*out_number = doc->json ? 1 : doc->lines[i].number;
	return doc->json ? doc->json : doc->lines[i].json;
}

static int fail(const struct foreign_doc *doc, const char *what, struct err *err)
{
	if (doc->fault.code) {
		*err = doc->fault;
		return -1;
	}
	return err_set(err, ERR_SYNTAX, "not %s", what);
}

int doc_need_json(const struct foreign_doc *doc, struct err *err)
{
	return doc->json ? 0 : fail(doc, "a JSON document", err);
}

int doc_need_lines(const struct foreign_doc *doc, struct err *err)
{
	return doc->n_lines || doc->json ? 0 : fail(doc, "lines of JSON", err);
}

int doc_need_xml(const struct foreign_doc *doc, struct err *err)
{
	return doc->xml ? 0 : fail(doc, "XML", err);
}
