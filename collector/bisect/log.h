/*
 * log - what a bisection has measured so far, as a file that survives a kill.
 *
 * The file holds measurements and no decisions: a bisection that goes on asks the same questions
 * in the same order and finds its answers here.
 */
#ifndef PAWL_COLLECTOR_BISECT_LOG_H
#define PAWL_COLLECTOR_BISECT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/git/repo.h"
#include "lib/record/summary.h"

#define BISECT_EFFORTS 5 /* few pairs, more, the looks of pawl compare, then many and most */
#define BISECT_LOOKS 2	 /* which of them has looks, and no fixed number of pairs */

enum bisect_state {
	BISECT_MEASURED,
	BISECT_IDENTICAL, /* the same code on both sides */
	BISECT_SKIPPED,	  /* a side does not build, or lacks the benchmark, or fails */
	BISECT_NO_TIME	  /* not measured: the time that was given is over; never kept */
};

/* What one comparison said. */
struct bisect_evidence {
	enum bisect_state state;
	double theta, low, high; /* ln(head / base) and its interval; NaN: none */
	/* head - base and its interval, in `unit`; NaN: none, as of a time */
	double difference, difference_low, difference_high;
	double confidence;    /* of the interval, 0..1 */
	enum verdict verdict; /* by the project's own threshold */
	uint64_t pairs;
	bool passing; /* it may be another one the next time: it is in no file */
	char *code;   /* what identifies head's code, one word; NULL: not known; owned */
	char *why;    /* of a skip, one line; may be NULL; owned */
	char *unit;   /* of the difference; may be NULL; owned */
};

#define BISECT_EVIDENCE_INIT \
	{ \
		BISECT_NO_TIME, (double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN, \
			(double)NAN, 0, VERDICT_NONE, 0, false, NULL, NULL, NULL \
	}

void bisect_evidence_release(struct bisect_evidence *e);

struct bisect_entry {
	char base[OID_TEXT], head[OID_TEXT];
	int effort;
	struct bisect_evidence evidence;
};

/* The question that a file answers, for people: no field is needed to go on. */
struct bisect_question {
	char *benchmark, *good, *bad, *build; /* build may be NULL; all owned */
};

struct bisect_log {
	struct bisect_question question;
	struct bisect_entry **v; /* entries stay where they are while others are added */
	size_t n, cap;
};

#define BISECT_LOG_INIT \
	{ \
		{ NULL, NULL, NULL, NULL }, NULL, 0, 0 \
	}

void bisect_log_release(struct bisect_log *log);

/* Errors: ERR_NOMEM. */
int bisect_log_ask(struct bisect_log *log, const char *benchmark, const char *good, const char *bad,
		   const char *build, struct err *err);

/* NULL when it was not measured. */
const struct bisect_evidence *bisect_log_find(const struct bisect_log *log, const char *base,
					      const char *head, int effort);

/* Moves *evidence into the log; returns where it stands, or NULL with ERR_NOMEM. */
const struct bisect_evidence *bisect_log_add(struct bisect_log *log, const char *base,
					     const char *head, int effort,
					     struct bisect_evidence *evidence, struct err *err);

/*
 * The file.  Lines of text, the last one a digest of all others.  What is passing is left out.
 * Errors of reading: ERR_ABSENT; ERR_CORRUPT damaged, or not such a file; ERR_NEWER; ERR_IO;
 *         ERR_NOMEM.  *out is as after BISECT_LOG_INIT then.
 */
int bisect_log_save(const struct bisect_log *log, const char *path, struct err *err);
int bisect_log_load(const char *path, struct bisect_log *out, struct err *err);

#endif
