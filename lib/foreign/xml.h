/*
 * xml - a document as a tree of elements; read by libexpat, which only this file includes.
 *
 * Internal to lib/foreign.  No external entity is ever loaded; libexpat limits what entities may
 * grow to.  Strings are UTF-8, whatever the document's encoding is.
 */
#ifndef PAWL_FOREIGN_XML_H
#define PAWL_FOREIGN_XML_H

#include <stddef.h>

#include "lib/base/err.h"

#define XML_MAX_DEPTH 64
#define XML_MAX_ELEMENTS 1000000
#define XML_MAX_TEXT 1024 /* bytes kept of the characters of an element */

struct xml_attribute {
	char *name, *value;
};

struct xml_element {
	char *name;
	char *text; /* its own characters, at most XML_MAX_TEXT, no blanks in front; NULL: none */
	size_t n_text;
	struct xml_attribute *attributes;
	size_t n_attributes;
	struct xml_element *parent, *child, *last, *next; /* child: the first, last: the last one */
	unsigned line;
};

struct xml;

/* NULL with ERR_SYNTAX (line and column), ERR_LIMIT or ERR_NOMEM.  Cost: O(n). */
struct xml *xml_parse(const char *data, size_t n, struct err *err);
void xml_free(struct xml *xml); /* accepts NULL */

/* Never NULL. */
const struct xml_element *xml_root(const struct xml *xml);

/* NULL when there is none. */
const char *xml_attribute(const struct xml_element *e, const char *name);
const struct xml_element *xml_child(const struct xml_element *e, const char *name);

/* The next element of the tree in document order below top, e itself to begin with; NULL: none. */
const struct xml_element *xml_next(const struct xml_element *top, const struct xml_element *e);

#endif
