/*
 * pushed - what git tells a pre-push hook on its stdin: one line a ref.
 *
 * Source: githooks(5), "pre-push".
 */
#ifndef PAWL_HOOKS_PUSHED_H
#define PAWL_HOOKS_PUSHED_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"
#include "lib/git/repo.h"

#define PUSHED_MAX_BYTES (16u << 20)

/* One ref that is to be changed. */
struct pushed_ref {
	char *local_ref;	 /* "refs/heads/x", "HEAD~1", an id, "(delete)" */
	char local_id[OID_TEXT]; /* "" when the ref is deleted */
	char *remote_ref;
	char remote_id[OID_TEXT]; /* "" when the remote has none yet */
};

struct pushed {
	struct pushed_ref *v;
	size_t n;
};

#define PUSHED_INIT \
	{ \
		NULL, 0 \
	}

void pushed_release(struct pushed *p);

/*
 * Parses all that stdin held; 40 or 64 digits an id.  *out is initialised here, released on
 * failure.  No line at all is no fault: everything is up to date.
 * Errors: ERR_SYNTAX with the number of the line; ERR_NOMEM.
 */
int pushed_parse(const char *text, size_t n, struct pushed *out, struct err *err);

#endif
