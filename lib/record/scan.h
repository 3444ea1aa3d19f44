/*
 * scan - finds its way in a JSON document by its brackets and quotes, without taking it apart.
 *
 * What lies between is not looked at: a document that is found its way in may still be broken.
 */
#ifndef PAWL_RECORD_SCAN_H
#define PAWL_RECORD_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* What is still to be read; p == NULL: the document is broken, and stays so. */
struct scan {
	const char *p, *end;
};

/* Takes one character that must be here. */
void scan_expect(struct scan *s, char c);

/* Whether this character is next, behind blanks. */
bool scan_at(struct scan *s, char c);

/* Behind the value that starts here. */
void scan_skip_value(struct scan *s);

/*
 * Goes into the object that starts here, up to the value of the member whose quoted key is given.
 * False: there is none, and the object lies behind.
 */
bool scan_enter_member(struct scan *s, const char *key);

#endif
