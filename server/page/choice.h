/*
 * choice - which metrics and machines a benchmark has, to choose from.
 */
#ifndef PAWL_SERVER_PAGE_CHOICE_H
#define PAWL_SERVER_PAGE_CHOICE_H

#include "lib/base/buf.h"
#include "lib/base/strv.h"
#include "lib/store/ledger/ledger.h"

struct choice {
	struct strv metrics, machines;
};

#define CHOICE_INIT \
	{ \
		STRV_INIT, STRV_INIT \
	}

/* Nothing of a benchmark that is not there.  Errors: those of ledger_benchmarks(). */
int choice_read(struct ledger *l, const char *project, const char *benchmark, struct choice *out,
		struct err *err);
void choice_release(struct choice *c);

/* Appends a labelled <select> of the words; what is chosen (may be NULL) is among them. */
void choice_field(const struct strv *words, const char *name, const char *label, const char *chosen,
		  struct buf *out);

#endif
