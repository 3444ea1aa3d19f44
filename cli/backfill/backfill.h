/*
 * backfill - which commits of a range are to be measured, and what is known of them already.
 */
#ifndef PAWL_CLI_BACKFILL_BACKFILL_H
#define PAWL_CLI_BACKFILL_BACKFILL_H

#include "cli/backfill/failed.h"
#include "cli/command.h"
#include "collector/bisect/gaps.h"
#include "collector/build/build_key.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/config/config.h"
#include "lib/git/repo.h"
#include "lib/record/summary.h"
#include "lib/store/local/store.h"

#define BACKFILL_MOST 20000 /* commits of a range */

/*
 * The first-parent line from `from`, included, to `to`, oldest first.
 * Errors: ERR_USAGE from is not on that line; those of walk_between().
 */
int backfill_line(struct repo *repo, const char *from, const char *to, struct strv *out,
		  struct err *err);

/* Leaves both ends and the commits with a tag.  Errors: ERR_GIT, ERR_NOMEM. */
int backfill_keep_tags(struct repo *repo, struct strv *ids, struct err *err);

/* Leaves at most n >= 2, evenly spread, both ends among them.  Errors: ERR_NOMEM. */
int backfill_keep_some(struct strv *ids, size_t n, struct err *err);

/* What a judged comparison says of its gap. */
enum gap backfill_found(const struct summary *s);

/* Whether nothing in it could be compared. */
bool backfill_has_failed(const struct summary *s);

/* Then: whether it was for the base. */
bool backfill_is_of_base(const struct summary *s);

/* Results that are stored: of a head, against a base; and which commits cannot be measured. */
struct backfill_known {
	struct backfill_result {
		char *head, *base;
		enum gap found; /* GAP_UNKNOWN: its commits were built or run in another way */
	} * v;
	size_t n, cap;
	struct backfill_failed failed;
};

void backfill_known_release(struct backfill_known *k);

/* What a call asks for. */
struct backfill_asked {
	const struct config *config;
	const struct strv *only; /* benchmarks by their names, or their sections; empty: all */
	bool is_command;	 /* the configuration is one command line */
	bool submodules;	 /* all commits are built with them */
	char build_key[BUILD_KEY], filled_key[BUILD_KEY]; /* of that; with submodules in any case */
	int64_t parts_us; /* when what builds may have lacked last came here; 0: there is none */
};

/* Errors: those of build_key(). */
int backfill_ask(const struct options *o, const struct context *c, bool submodules,
		 struct backfill_asked *out, struct err *err);

/*
 * Those of these commits on a machine (NULL: this one) that are whole.  Errors: those of
 * store_visit(), backfill_failed_load() and machine_describe().
 */
int backfill_known_load(struct store *store, const char *project, const char *machine,
			const struct strv *ids, const struct backfill_asked *asked,
			struct backfill_known *out, struct err *err);

/* One more.  Errors: ERR_NOMEM. */
int backfill_known_add(struct backfill_known *k, const char *head, const char *base, enum gap found,
		       struct err *err);

/*
 * Whether it was measured and has all that is asked for.  One that was itself cut to some
 * benchmarks of a section is not all of the section; what an older pawl cut has no more than what
 * it holds by its name.
 */
bool backfill_has_all(const struct backfill_asked *asked, const struct summary *s);

/*
 * Whether its commits were built, and its benchmarks run, as they would be now; not where parts of
 * them were missing that may be here since.  What was built with submodules is right for a call
 * that needs none.
 */
bool backfill_is_alike(const struct backfill_asked *asked, const struct summary *s);

bool backfill_is_whole(const struct backfill_asked *asked, const struct summary *s); /* both */

/* GAP_UNKNOWN where there is none. */
enum gap backfill_known_gap(const struct backfill_known *k, const char *base, const char *head);

/* How many have to be measured again for that. */
size_t backfill_known_otherwise(const struct backfill_known *k);

/* Why the commit is left out: it failed, and was never measured; NULL: it is to be measured. */
const char *backfill_known_failure(const struct backfill_known *k, const char *head);

/*
 * Adds which of the commits are known to fail, and what tries them again; nothing where none is.
 */
void backfill_tell_failures(const struct backfill_known *k, const struct strv *ids,
			    struct buf *out);

#endif
