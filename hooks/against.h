/*
 * against - what each pushed ref is to be compared with.
 */
#ifndef PAWL_HOOKS_AGAINST_H
#define PAWL_HOOKS_AGAINST_H

#include "hooks/pushed.h"

/* One comparison: commits, never tags.  Owned strings. */
struct against {
	char *name; /* of the first ref that wants it, without refs/heads/ */
	char base[OID_TEXT], head[OID_TEXT];
	size_t n_refs;	/* that want the same */
	bool is_branch; /* the name is that of a branch of the remote */
};

struct against_list {
	struct against *v;
	size_t n;
	size_t n_deleted;   /* refs that go away */
	size_t n_known;	    /* refs whose commit the remote has already */
	size_t n_unrelated; /* of which nothing that the remote has is known here */
	size_t n_no_commit; /* that lead to no commit: a tag of a file */
	size_t n_beyond;    /* not looked at, since there were enough */
};

#define AGAINST_LIST_INIT \
	{ \
		NULL, 0, 0, 0, 0, 0, 0 \
	}

void against_list_release(struct against_list *l);

/*
 * The comparisons that a push asks for, each pair of commits once, in the order of the refs.  A ref
 * that the remote has is compared with the remote's commit, also when it is forced; a new one, or
 * one whose remote commit is not here, with the nearest commit that the remote's branches are
 * known to have.
 *
 * remote: its name, or a URL when it has none: then the branches of all remotes count.
 * Errors: ERR_GIT, ERR_LIMIT, ERR_NOMEM.  Cost: one git command for all refs, two
 *         more where one is new, and one for each new commit that is compared.
 */
int against_find(struct repo *repo, const struct pushed *pushed, const char *remote, size_t most,
		 struct against_list *out, struct err *err);

#endif
