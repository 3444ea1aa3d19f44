/*
 * kept - comparisons, kept to be shown again.
 *
 * <state>/comparisons/WHEN-BASE-HEAD.json is the summary document as it was judged; of what failed
 * before it had a base WHEN-none-HEAD.json, of what is not two commits as configured
 * WHEN-sides-sides.json.  The newest KEPT_MOST stay, of KEPT_MOST_BYTES in all.
 */
#ifndef PAWL_CLI_KEPT_KEPT_H
#define PAWL_CLI_KEPT_KEPT_H

#include "cli/command.h"

#define KEPT_MOST 100
#define KEPT_MOST_BYTES (64u << 20)

/*
 * Keeps it, and removes what is beyond the limits.  Warns where it cannot be written: the answer
 * was another one's purpose.
 */
void kept_add(const struct context *c, const struct summary *s);

/*
 * The newest comparison of these two commits, without uncommitted work; base NULL: with any; both
 * NULL: the newest of all.  Whole ids.  Damaged ones are passed over, with a warning.
 * Errors: ERR_ABSENT, ERR_LIMIT, ERR_IO, ERR_NOMEM.
 */
int kept_find(const struct context *c, const char *base, const char *head, struct summary *out,
	      struct err *err);

#endif
