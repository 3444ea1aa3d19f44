/*
 * marks - what was decided of each commit that was compared with the same base.
 */
#ifndef PAWL_COLLECTOR_BISECT_MARKS_H
#define PAWL_COLLECTOR_BISECT_MARKS_H

#include <stddef.h>

#include "collector/bisect/bisect.h"

/* A commit that was decided or given up. */
struct mark {
	char id[OID_TEXT];
	enum bisect_mark mark;
	const struct bisect_evidence *evidence; /* in the log */
};

struct marks {
	struct mark *v;
	size_t n;
};

#define MARKS_INIT \
	{ \
		NULL, 0 \
	}

void marks_release(struct marks *m);

/* Errors: ERR_NOMEM. */
int marks_add(struct marks *m, const char *id, enum bisect_mark mark,
	      const struct bisect_evidence *evidence, struct err *err);

/* NULL: it was not looked at.  Valid until the next marks_add(). */
const struct mark *marks_find(const struct marks *m, const char *id);

/*
 * A commit already decided that runs the same code, or NULL.  It may find other files there: what
 * was measured comes first.
 */
const struct mark *marks_same_code(const struct marks *m, const struct bisect_evidence *e);

#endif
