#include "lib/foreign/xml.h"

#include <expat.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"

#include "lib/base/banned.h"

struct xml {
	struct xml_element *root, *open; /* open: what the next one lies in */
	size_t n_elements;
	int depth;
	XML_Parser parser;
	struct err *err;
	int failed;
};

static void element_free(struct xml_element *e)
{
	size_t i;

	for (i = 0; i < e->n_attributes; i++) {
		free(e->attributes[i].name);
		free(e->attributes[i].value);
	}
	free(e->attributes);
	free(e->name);
	free(e->text);
	free(e);
}

const struct xml_element *xml_next(const struct xml_element *top, const struct xml_element *e)
{
	if (e->child)
		return e->child;
	while (e != top && !e->next)
		e = e->parent;
	return e == top ? NULL : e->next;
}

void xml_free(struct xml *xml)
{
	struct xml_element *e = xml ? xml->root : NULL, *up;

	while (e) {
		if (e->child) { /* the children first, each taken off the list */
			up = e->child;
			e->child = up->next;
			up->next = e->last = NULL;
			e = up;
			continue;
		}
		up = e->parent;
		element_free(e);
		e = up;
	}
	free(xml);
}

const struct xml_element *xml_root(const struct xml *xml)
{
	return xml->root;
}

const char *xml_attribute(const struct xml_element *e, const char *name)
{
	size_t i;

	for (i = 0; i < e->n_attributes; i++)
		if (!strcmp(e->attributes[i].name, name))
			return e->attributes[i].value;
	return NULL;
}

const struct xml_element *xml_child(const struct xml_element *e, const char *name)
{
	const struct xml_element *c;

	for (c = e->child; c; c = c->next)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

/* ---- what expat calls ----------------------------------------------------------------- */

static void stop(struct xml *xml)
{
	xml->failed = 1;
	XML_StopParser(xml->parser, XML_FALSE);
}

static int copy_attributes(struct xml_element *e, const char **from, struct err *err)
{
	size_t n = 0;

	while (from[2 * n])
		n++;
	if (!n)
		return 0;
	e->attributes = calloc(n, sizeof(*e->attributes));
	if (!e->attributes)
		return err_nomem(err);
	for (; e->n_attributes < n; e->n_attributes++, from += 2) {
		struct xml_attribute *a = &e->attributes[e->n_attributes];

		if (str_set(&a->name, from[0], err) || str_set(&a->value, from[1], err)) {
			free(a->name);
			return -1;
		}
	}
	return 0;
}

static void attach(struct xml *xml, struct xml_element *e)
{
	e->parent = xml->open;
	if (!e->parent)
		xml->root = e;
	else if (e->parent->last)
		e->parent->last->next = e;
	else
		e->parent->child = e;
	if (e->parent)
		e->parent->last = e;
}

static void XMLCALL on_start(void *data, const char *name, const char **attributes)
{
	struct xml *xml = data;
	struct xml_element *e;
	unsigned long line = XML_GetCurrentLineNumber(xml->parser);

	if (xml->failed)
		return;
	if (++xml->depth > XML_MAX_DEPTH || ++xml->n_elements > XML_MAX_ELEMENTS) {
		err_set(xml->err, ERR_LIMIT, "line %lu: more than %d elements, or %d in each other",
			line, XML_MAX_ELEMENTS, XML_MAX_DEPTH);
		stop(xml);
		return;
	}
	e = calloc(1, sizeof(*e));
	if (!e) {
		err_nomem(xml->err);
		stop(xml);
		return;
	}
	e->line = line > UINT_MAX ? UINT_MAX : (unsigned)line;
	attach(xml, e);
	xml->open = e;
	if (str_set(&e->name, name, xml->err) || copy_attributes(e, attributes, xml->err))
		stop(xml);
}

static void XMLCALL on_end(void *data, const char *name)
{
	struct xml *xml = data;

	(void)name;
	if (xml->failed)
		return;
	xml->depth--;
	xml->open = xml->open->parent;
}

static size_t count_blanks(const char *text, size_t n)
{
	size_t i = 0;

	while (i < n && strchr(" \t\r\n", text[i]) && text[i])
		i++;
	return i;
}

/* Characters come in pieces; those of an element with children in it are joined. */
static void XMLCALL on_text(void *data, const char *text, int length)
{
	struct xml *xml = data;
	struct xml_element *e = xml->open;
	size_t n = (size_t)length, room;

	if (xml->failed || !e)
		return;
	if (!e->n_text) {
		room = count_blanks(text, n);
		text += room;
		n -= room;
	}
	room = XML_MAX_TEXT - e->n_text;
	n = n < room ? n : room;
	if (!n)
		return;
	if (!e->text && !(e->text = malloc(XML_MAX_TEXT + 1))) {
		err_nomem(xml->err);
		stop(xml);
		return;
	}
	memcpy(e->text + e->n_text, text, n);
	e->n_text += n;
	e->text[e->n_text] = '\0';
}

struct xml *xml_parse(const char *data, size_t n, struct err *err)
{
	struct xml *xml = calloc(1, sizeof(*xml));
	XML_Parser parser = XML_ParserCreate(NULL);
	enum XML_Status status;

	if (!xml || !parser || n > INT_MAX) {
		XML_ParserFree(parser);
		free(xml);
		err_nomem(err);
		return NULL;
	}
	xml->parser = parser;
	xml->err = err;
	XML_SetUserData(parser, xml);
	XML_SetElementHandler(parser, on_start, on_end);
	XML_SetCharacterDataHandler(parser, on_text);
	status = XML_Parse(parser, data, (int)n, XML_TRUE);
	if (status != XML_STATUS_OK && !xml->failed)
		err_set(err, ERR_SYNTAX, "not XML: line %lu, column %lu: %s",
			(unsigned long)XML_GetCurrentLineNumber(parser),
			(unsigned long)XML_GetCurrentColumnNumber(parser),
			XML_ErrorString(XML_GetErrorCode(parser)));
	XML_ParserFree(parser);
	xml->parser = NULL;
	if (status == XML_STATUS_OK && !xml->failed)
		return xml;
	xml_free(xml);
	return NULL;
}
