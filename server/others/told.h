/*
 * told - a result of another client on its way to be a summary: gathered first, written then.
 *
 * Texts are those of the tree that was read, and live as long as it does.
 */
#ifndef PAWL_SERVER_OTHERS_TOLD_H
#define PAWL_SERVER_OTHERS_TOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/json/jtree.h"

#define TOLD_MOST_VALUES 4096 /* of a metric */

struct told_metric {
	const char *benchmark, *inner; /* inner: before it in the name; NULL */
	const char *name, *unit;
	bool higher;
	const struct jtree *values; /* a number, or an array of them */
	double scale;		    /* of them */
	double stddev, min, max;    /* NaN: not said */
};

/* One summary. */
struct told {
	const char *by; /* "codespeed", "lnt": of which client */
	const char *project, *revision, *branch, *machine;
	const char *executable; /* NULL; part of the machine's history, and so of names */
	int64_t when_us;	/* of the revision, or of the measurement; 0: not said */
	struct told_metric *metrics;
	size_t n;
	char *name; /* of the project, where the tree has none; owned */
};

/* A number, also one in quotation marks as a script writes it; NaN: it is none. */
double told_number(const struct jtree *at);

/* Appends; its texts are checked when it is written.  Errors: ERR_NOMEM. */
int told_add(struct told *t, const struct told_metric *m, struct err *err);
void told_release(struct told *t); /* accepts a zeroed one */

/*
 * Appends the document.  The id is that of the content: the same again is the same summary.
 * A revision that is no id of git has the first digits of its SHA-256 in place of one, and is its
 * subject.
 * Errors: ERR_RANGE a value that is no finite number, a name that is missing; ERR_LIMIT; ERR_NOMEM.
 */
int told_write(const struct told *t, int64_t now_us, struct buf *out, struct err *err);

#endif
