/*
 * bisect_show - a bisection as text, line by line, and as one JSON document.
 */
#ifndef PAWL_CLI_BISECT_SHOW_H
#define PAWL_CLI_BISECT_SHOW_H

#include <stdbool.h>

#include "collector/bisect/bisect.h"
#include "collector/bisect/steps.h"
#include "lib/base/buf.h"
#include "lib/base/jsonw.h"
#include "lib/git/repo.h"

/* A step that outlives the call it was told in. */
struct shown_step {
	enum bisect_kind kind;
	enum bisect_mark mark;
	char base[OID_TEXT], commit[OID_TEXT];
	const struct bisect_evidence *evidence; /* in the log */
	double low, high, confidence;
	bool by_difference, before, same_code;
	size_t n_left;
};

struct shown {
	struct repo *repo;
	const char *benchmark, *good, *bad;
	const char *again; /* the command that goes on when the time is over */
	const char *typed; /* what other commands need of it, typed.h: "" or begins with a blank */
	bool utf8;
	struct shown_step *steps;
	size_t n_steps;
};

void shown_release(struct shown *s);

/* Keeps a step.  Errors: ERR_NOMEM. */
int shown_add(struct shown *s, const struct bisect_step *step, struct err *err);

/*
 * "+3.40 % [+2.10, +4.70]", "+5 op [+4, +6] op" of a difference, or what stands in its place.
 */
void show_change(const struct shown *s, const struct bisect_evidence *e, bool by_difference,
		 double low, double high, struct buf *out);

/* The change alone, without an interval. */
void show_sum(const struct shown *s, const struct bisect_evidence *e, bool by_difference,
	      struct buf *out);

/* "ratio" and "ci"; of a difference "difference", "ci" and "unit", and "ratio" is null. */
void show_json_change(const struct bisect_evidence *e, bool by_difference, double low, double high,
		      struct jsonw *w);

/* One line of the last step, and the answer below them all.  Errors: ERR_NOMEM, ERR_GIT. */
int show_step(const struct shown *s, struct buf *out, struct err *err);
int show_answer(const struct shown *s, const struct bisect_answer *a, struct buf *out,
		struct err *err);

/* The answer to --steps, as text and as a document.  Errors: ERR_NOMEM, ERR_GIT. */
int show_moved(const struct shown *s, const struct bisect_steps *steps, struct buf *out,
	       struct err *err);
int show_moved_json(const struct shown *s, const struct bisect_steps *steps, struct buf *out,
		    struct err *err);

/* pawl-bisect(1) says what stands where.  Errors: ERR_NOMEM, ERR_GIT. */
int show_json(const struct shown *s, const struct bisect_answer *a, struct buf *out,
	      struct err *err);

/* Opens the object of either document, with what both begin with. */
void show_json_head(const struct shown *s, size_t n_commits, const char *outcome, struct jsonw *w);

/* Of a time that is over: nothing more could be compared in it. */
void show_too_short(size_t n, size_t n_before, struct buf *out);

#endif
