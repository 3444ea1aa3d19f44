/*
 * publish_place - where a comment goes: from the options, else from the CI's own variables.
 */
#ifndef PAWL_CLI_PUBLISH_PLACE_H
#define PAWL_CLI_PUBLISH_PLACE_H

#include "cli/option/options.h"
#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"
#include "lib/net/forge.h"

struct publish_place {
	struct forge_place at; /* of the two */
	struct buf api, repository;
	const char *author_else; /* who the token of a job is, where the server does not say */
};

#define PUBLISH_PLACE_INIT \
	{ \
		{ NULL, NULL, 0, NULL, 0 }, BUF_INIT, BUF_INIT, NULL \
	}

void publish_place_release(struct publish_place *p);

/*
 * The commit is that of the summary.  Errors: ERR_USAGE no repository is named, or a name or number
 * is none; ERR_CONFIG an address.
 */
int publish_place_of(const struct options *o, const struct forge *forge, const struct summary *s,
		     struct publish_place *out, struct err *err);

/* label may be NULL.  Errors: ERR_USAGE. */
int publish_check_label(const char *label, struct err *err);

#endif
