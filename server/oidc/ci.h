/*
 * ci - what a job's token says of the job, in the words of the forge that it runs on.
 *
 * Sources: docs.github.com, "OpenID Connect reference"; docs.gitlab.com, "ID token authentication",
 * both as of November 2026.
 */
#ifndef PAWL_SERVER_OIDC_CI_H
#define PAWL_SERVER_OIDC_CI_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/json/jtree.h"
#include "lib/jwt/claims.h"

struct ci; /* a row of a table */

/* "github", "gitlab"; NULL for any other. */
const struct ci *ci_find(const char *name);

/* Texts live as long as the claims and the struct. */
struct ci_job {
	const char *repository;	   /* "madler/zlib" */
	const char *repository_id; /* a number that no other repository gets; NULL: not said */
	const char *commit;	   /* full id */
	const char *ref;	   /* "main", "v1.2", "12/merge": what runners say; NULL: none */
	/* It is of the branch ref, and what started it is in the hands of who may push to that: a
	 * push, a schedule, somebody by hand.  All else, a pull request above all, may run the code
	 * of others. */
	bool is_own;
	char room[CLAIMS_NUMBER];
};

/* Errors: ERR_REFUSED, there is no repository or no commit. */
int ci_read(const struct ci *ci, const struct jtree *claims, struct ci_job *out, struct err *err);

#endif
