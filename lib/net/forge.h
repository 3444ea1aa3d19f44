/*
 * forge - what GitHub, GitLab and Gitea (and Forgejo) call the same things.
 *
 * Sources: docs.github.com/rest (issues/comments, commits/statuses, pulls), docs.gitlab.com/api
 * (notes, commits, merge_requests, users, project_markdown_uploads), Gitea's swagger document of
 * /api/v1.
 */
#ifndef PAWL_NET_FORGE_H
#define PAWL_NET_FORGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

#define FORGE_PAGE 50 /* items that are asked for at once, of each */

struct forge {
	const char *name;     /* of --to */
	const char *api;      /* where its API is; NULL: it has no place of its own */
	const char *api_path; /* behind an address without one */
	const char *token_variable;
	const char *auth_header, *auth_scheme;
	const char *comments;	   /* of a pull request, and what one is called below them */
	const char *comment;	   /* path of one; NULL: below the comments */
	const char *update;	   /* method */
	const char *pulls;	   /* those of a commit, or all that are open */
	const char *which;	   /* query that leaves the others out, with its '&' */
	const char *all_pulls;	   /* that are open, where the former may lack some; or NULL */
	const char *number, *head; /* fields of one, at most one '.' deep */
	const char *statuses;
	const char *author, *login;	/* field of a comment, and in it the name */
	const char *failed, *failure;	/* words of a status: regressed; could not be compared */
	const char *context;		/* field that names a status */
	const char *what;		/* "pull request" */
	const char *files, *file_field; /* where a form with a file goes; NULL: nowhere */
	const char *file_address;	/* field of the answer */
};

/* NULL when there is none of that name. */
const struct forge *forge_find(const char *name);

/* What is spoken of. */
struct forge_place {
	const char *api;	/* "https://api.github.com", without a slash at the end */
	const char *repository; /* as it is written in a path */
	uint64_t number;	/* of the pull request; 0: not known */
	const char *commit;	/* whole id, or NULL */
	uint64_t comment;
};

/*
 * Appends api and a path of the table, where %R is the repository, %N the number, %C the commit and
 * %I the comment.  Errors: ERR_NOMEM.
 */
void forge_address(const struct forge_place *place, const char *path, struct buf *out);

/*
 * The repository in a path: GROUP/NAME as it is, or with its slashes written %2F.
 * Errors: ERR_USAGE for anything that is no such name.
 */
int forge_repository(const struct forge *forge, const char *given, struct buf *out,
		     struct err *err);

/* The address of the API that an address of the user means.  Errors: ERR_USAGE, ERR_CONFIG. */
int forge_api(const struct forge *forge, const char *given, struct buf *out, struct err *err);

#endif
