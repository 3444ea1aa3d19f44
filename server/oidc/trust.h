/*
 * trust - what the bearer of a signed token may post.
 *
 * Nobody is asked: keys come from files (docs/decisions/0041-who-signs.md), which are read again
 * when they have changed.
 */
#ifndef PAWL_SERVER_OIDC_TRUST_H
#define PAWL_SERVER_OIDC_TRUST_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/talk.h"

struct trust; /* opaque; for many threads */

/* One commit of one project, once or several times. */
struct grant {
	char *project, *commit; /* NULL: it is no grant, and binds nobody */
	char *branch;		/* NULL: none, which a summary then must not name */
	bool untrusted;		/* whatever it may be, it is kept apart */
};

#define GRANT_INIT \
	{ \
		.project = NULL \
	}

void grant_release(struct grant *grant);

/*
 * talk must outlive it, and is used from any thread.
 * Errors: those of rules_read() and keys_read(), ERR_IO.
 */
int trust_open(const char *path, const struct talk *talk, struct trust **out, struct err *err);
void trust_close(struct trust *trust); /* accepts NULL */

/* Whether the text has the form of a signed token; those of pawld have not. */
bool trust_is_signed(const char *text);

/*
 * Errors: ERR_ABSENT, it proves nothing: who signed it, for whom, when, or its form is wrong;
 *         ERR_REFUSED, it is a good one, and nothing is allowed to its repository; ERR_NOMEM.
 */
int trust_check(struct trust *trust, const char *text, int64_t now_us, struct grant *out,
		struct err *err);

/*
 * Whether a summary of that commit and branch (NULL: none) may be posted; what is kept apart may
 * call the branch FORK:BRANCH, merge:BRANCH or queue:BRANCH.  Errors: ERR_REFUSED.
 */
int grant_check(const struct grant *grant, const char *commit, const char *branch, struct err *err);

#endif
