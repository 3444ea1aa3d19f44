/*
 * line - the first-parent line down from a commit, and the file that keeps the last one.
 *
 * The id of a commit stands for all that lies below it: a line that is kept is never out of date,
 * and what is new goes on its end.  To list 100 commits takes git longer than all else that `pawl
 * history` does, and 20,000 a tenth of a second.
 */
#ifndef PAWL_GIT_LINE_H
#define PAWL_GIT_LINE_H

#include <stddef.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/git/repo.h"

/*
 * Appends what walk_between(repo, NULL, to, true, max) does, max >= 1; git is asked only for what
 * the file at kept does not have, and the file then has it.  What is no such file, damaged, of
 * another max or of another line is replaced; one that cannot be written is none.  A shallow clone
 * has no file, as its border moves.  kept NULL: there is no file.
 * Errors: those of walk_between().
 */
int line_down(struct repo *repo, const char *kept, const char *to, size_t max, struct strv *out,
	      struct err *err);

#endif
