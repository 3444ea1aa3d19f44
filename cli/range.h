/*
 * range - "A..B", "A...B" or "A", as git writes them.
 */
#ifndef PAWL_CLI_RANGE_H
#define PAWL_CLI_RANGE_H

#include "lib/base/err.h"
#include "lib/git/repo.h"

struct range {
	char *from, *to; /* revisions; to NULL: a single revision was named, which is `from` */
};

#define RANGE_INIT \
	{ \
		NULL, NULL \
	}

void range_release(struct range *r);

/*
 * What is left out beside the dots is HEAD.  Of "A...B" the beginning is the commit that both have
 * in common.  Errors: those of walk_merge_base(); ERR_NOMEM.
 */
int range_parse(struct repo *repo, const char *text, struct range *out, struct err *err);

#endif
