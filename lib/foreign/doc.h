/*
 * doc - one input, looked at as what it may be: JSON, JSON lines, XML, lines of text.
 *
 * Internal to lib/foreign.
 */
#ifndef PAWL_FOREIGN_DOC_H
#define PAWL_FOREIGN_DOC_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"
#include "lib/foreign/foreign.h"
#include "lib/foreign/xml.h"
#include "lib/json/jtree.h"

#define DOC_MAX_LINE (1u << 20) /* of JSON lines, bytes */
#define DOC_MAX_DEPTH 24	/* below JSONW_DEPTH: what is kept is written again */

struct doc_json_line {
	struct jtree *json;
	unsigned number; /* from 1 on */
};

struct foreign_doc {
	const char *name, *data;
	size_t n;
	const volatile sig_atomic_t *stop; /* of the text; may be NULL */
	struct jtree *json;		   /* the whole as one document, or NULL */
	struct xml *xml;		   /* likewise */
	struct doc_json_line *lines;
	size_t n_lines;	    /* that begin with '{', when the whole is no document */
	struct err fault;   /* why it is neither, where it looked like one */
	bool is_structured; /* it begins as JSON or XML: no text, whatever follows */
};

/* Errors: ERR_NOMEM, ERR_STOPPED, ERR_LIMIT.  What is broken is kept in fault.  Release it in any
 * case. */
int doc_open(const struct foreign_text *text, struct foreign_doc *out, struct err *err);
void doc_release(struct foreign_doc *doc);

/* Fails with the fault of the input, or that it is none.  Errors: ERR_SYNTAX, ERR_LIMIT. */
int doc_need_json(const struct foreign_doc *doc, struct err *err);
int doc_need_lines(const struct foreign_doc *doc, struct err *err);
int doc_need_xml(const struct foreign_doc *doc, struct err *err);

/* The JSON lines, or the one document; number: its line. */
size_t doc_n_records(const struct foreign_doc *doc);
const struct jtree *doc_record(const struct foreign_doc *doc, size_t i, unsigned *out_number);

/* -1 with ERR_STOPPED: give up. */
int doc_go_on(const struct foreign_doc *doc, struct err *err);

/* Lines of the text: begins with all fields 0; false behind the last one. */
struct doc_line {
	const char *p; /* not NUL-terminated; without its end, \r included */
	size_t n;
	unsigned number;
	size_t next; /* where the following one begins */
	bool has_end;
};
bool doc_next_line(const struct foreign_doc *doc, struct doc_line *line);

/* The next word of a line, behind *at (0 to begin with); false at its end. */
struct doc_word {
	const char *p;
	size_t n;
};
bool doc_next_word(const struct doc_line *line, size_t *at, struct doc_word *out);
bool doc_word_is(const struct doc_word *word, const char *text);
/* The word as a finite number; false for anything else. */
bool doc_word_number(const struct doc_word *word, double *out);
/* The same, or what Go and C print for what is not finite: "NaN", "+Inf", "-inf". */
bool doc_word_value(const struct doc_word *word, double *out);

#endif
