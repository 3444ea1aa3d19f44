/*
 * candidates - the series that a question about a history may be of.
 */
#ifndef PAWL_STORE_HISTORY_CANDIDATES_H
#define PAWL_STORE_HISTORY_CANDIDATES_H

#include "lib/base/strv.h"
#include "lib/store/ledger/local.h"

struct candidate {
	int64_t series;
	const char *metric, *unit;
	bool higher;
	unsigned rank; /* the less, the sooner: bits of enum rank */
};

/* What a candidate is not. */
enum rank {
	RANK_GATES = 1,	     /* deciding, the metric */
	RANK_TRUSTED = 2,    /* from a trusted token */
	RANK_OF_MACHINE = 4, /* of the machine that is asked for */
	RANK_ASKED = 8,	     /* of the unit and direction that are asked for */
	RANK_ALL = 15
};

/* Ordered by metric, unit, direction and series. */
struct candidates {
	struct candidate *rows;
	size_t n, room;
	struct strv names;
};

/* out must be zeroed.  Errors: those of the database; ERR_NOMEM. */
int candidates_read(struct ledger *l, int64_t project, const struct history_query *q,
		    struct candidates *out, struct err *err);
void candidates_release(struct candidates *c);

/* Behind the last row of the metric of row at; or of the same unit and direction, too. */
size_t candidates_end_of_metric(const struct candidates *c, size_t at);
size_t candidates_end_of_unit(const struct candidates *c, size_t at);

/* Appends the series of those rows [from, end), int64_t each, whose rank is that in those bits. */
size_t candidates_series(const struct candidates *c, size_t from, size_t end, unsigned rank,
			 unsigned bits, struct buf *out);

#endif
