/*
 * backfill_parts - what is left to measure of a range, cut into parts that other machines measure,
 * each by itself.
 *
 * A part is chains of commits, oldest first, each of which is compared with the one before it,
 * written "a,b,c:d,e", behind "submodules:" where all are built with submodules.  Its results are
 * files named BASE-HEAD.json: the same comparison twice is one file; of a commit that cannot be
 * measured, failed-COMMIT.json.
 */
#ifndef PAWL_CLI_BACKFILL_PARTS_H
#define PAWL_CLI_BACKFILL_PARTS_H

#include "cli/backfill/backfill.h"
#include "lib/git/repo.h"

#define BACKFILL_PARTS_MOST 1000 /* as Slurm's own default for an array */

/*
 * At most `most` parts of about equal size with every comparison of neighbours that is not known,
 * commits that are known to fail left out; commits as 12 digits.  *out_gaps: how many comparisons
 * there are in all, known ones too; *out_left: in the parts.  Errors: ERR_NOMEM.  Cost: O(n *
 * known).
 */
int backfill_parts_of(const struct strv *ids, const struct backfill_known *known, bool submodules,
		      size_t most, struct strv *out, size_t *out_gaps, size_t *out_left,
		      struct err *err);

/* Whether all of a part is built with submodules; *at moves behind the word. */
bool backfill_part_submodules(const char **at);

/* One chain of a part: the text up to the next ':', of which each commit is looked up. *at moves
 * behind it; ERR_ABSENT with *at at the end of the text.  Errors: ERR_USAGE, those of
 * repo_resolve(). */
int backfill_part_chain(struct repo *repo, const char **at, struct strv *out, struct err *err);

/* The parts for the matrix of a CI: {"include": [{"part": 1, "commits": "..."}]}. */
int backfill_parts_json(const struct strv *parts, struct buf *out, struct err *err);

/* What a comparison is written to; base NULL: that head failed.  Errors: ERR_NOMEM. */
int backfill_file_name(const char *dir, const char *base, const char *head, struct buf *out,
		       struct err *err);

/* The place among ids of the commit that a file of this path says failed; ids->n: it says nothing
 * like that, or of none of these. */
size_t backfill_file_failed(const char *path, const struct strv *ids);

#endif
