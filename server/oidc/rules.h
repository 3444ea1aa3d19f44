/*
 * rules - whose signed tokens are taken, and what they may post: what the file of --oidc says.
 *
 * A file of git's configuration syntax, see pawld(8):
 *
 *	[issuer "github"]
 *		url = https://token.actions.githubusercontent.com
 *		forge = github
 *		audience = https://pawl.example.org
 *		keys = /var/lib/pawld/github.json
 *	[project "zlib"]
 *		issuer = github
 *		repository = madler/zlib
 *		branch = develop
 */
#ifndef PAWL_SERVER_OIDC_RULES_H
#define PAWL_SERVER_OIDC_RULES_H

#include <stddef.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "server/oidc/ci.h"

struct rules_issuer {
	char *name, *url, *audience, *keys;
	const struct ci *forge;
	int line; /* of its first setting */
};

struct rules_project {
	char *name, *issuer, *repository;
	char *repository_id; /* may be NULL */
	struct strv branches;
	int line;
};

struct rules {
	struct rules_issuer *issuers;
	struct rules_project *projects;
	size_t n_issuers, n_projects;
};

#define RULES_INIT \
	{ \
		.issuers = NULL \
	}

/*
 * Errors: ERR_CONFIG with file and line: syntax, a setting that is not known, missing or there
 *         twice; ERR_ABSENT, ERR_IO, ERR_NOMEM.
 */
int rules_read(const char *path, struct rules *out, struct err *err);
void rules_release(struct rules *rules);

#endif
