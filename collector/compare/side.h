/*
 * side - one side of a comparison: found, built, and what is to be measured there.
 */
#ifndef PAWL_COLLECTOR_COMPARE_SIDE_H
#define PAWL_COLLECTOR_COMPARE_SIDE_H

#include "collector/build/trees.h"
#include "collector/compare.h"
#include "collector/plan.h"
#include "collector/run/runner.h"
#include "lib/git/repo.h"

struct compare_side {
	const char *role; /* "base", "head" */
	const struct compare_way *way;
	struct git_commit commit; /* of two commands: none */
	char tree_id[OID_TEXT];	  /* what is built */
	struct strv build_env, run_env;
	bool submodules;   /* whether it is built with them, */
	struct strv moved; /* and which of them, moved from that tree, may not be missing */
	char moved_from[OID_TEXT];
	bool is_configured_anew; /* of the head: its .pawlconfig may be another one */
	struct tree tree;
	char *dir; /* where it runs: the top of the tree, or of two commands the current folder */
	struct bench_config given; /* the command, where it is one; borrows all but words */
	struct config config;	   /* of the plan; borrows all */
	uint64_t until_ns;	   /* see struct plan_request; 0, 0, NULL: no bounds */
	size_t most;
	const uint64_t *seed;
	struct plan plan;
};

void compare_side_init(const char *role, const struct compare_way *way, struct compare_side *out);
void compare_side_release(struct compare_side *s);

/*
 * Finds what is compared: the commit that rev names and its tree, or the folder of a command; and
 * the variables of its own.  Errors: those of repo_commit(); ERR_IO, ERR_NOMEM.
 */
int compare_side_find(const struct compare_request *rq, const char *rev, struct compare_side *s,
		      struct err *err);

/* Of one commit there is nothing to compare, unless that was meant: uncommitted work may be. */
void compare_side_tell_same(const struct compare_request *rq, const struct compare_side *base,
			    const struct compare_side *head);

/*
 * Whether both, which were found, are built with submodules: as was asked for, or as some lie at
 * other commits.  Errors: those of submodules_moved().
 */
int compare_side_submodules(const struct compare_request *rq, struct compare_side *base,
			    struct compare_side *head, struct err *err);

/*
 * Builds a side, or, with hold, opens what was built; a command needs neither.  *out_why gets why a
 * side could not be built, which is a result and no error of the call.
 */
int compare_side_build(const struct compare_request *rq, struct compare_side *s, bool hold,
		       struct err *out_why, struct err *err);

/*
 * Plans what the side runs; config: whose benchmarks, which must outlive the plan.  Of a command
 * the side knows itself what it runs.  s->until_ns and s->most bound it (struct plan_request).
 * Errors: those of plan_make() and sources_warn_tracked().
 */
int compare_side_plan(const struct compare_request *rq, const struct process_runner *runner,
		      const struct config *config, const char *cache_dir, struct compare_side *s,
		      struct err *err);

/* What the side is called, where two commits do not say it.  other: the other side. */
void compare_side_name(const struct compare_request *rq, const struct compare_side *s,
		       const struct compare_side *other, struct buf *out);

#endif
