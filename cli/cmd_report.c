#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/passed_over.h"
#include "cli/range.h"
#include "collector/accept.h"
#include "reporter/judge/judge.h"

#include "lib/base/banned.h"

/* Marked anew, so that what was accepted since it was stored counts; then printed. */
static int show(const struct options *o, const struct context *c, const struct accepted *accepted,
		struct summary *s, int *out_status, struct err *err)
{
	if (apply_accepted(c->repo, accepted, s, err) || print_summary(o, c, s, err))
		return -1;
	*out_status = judge_exit(s, o->strict);
	return 0;
}

/* The stored result of a commit; says which command makes one when there is none. */
static int load(const struct context *c, struct store *store, const char *id, struct summary *out,
		struct err *err)
{
	if (!passed_over_latest(store, c->project, id, out, err))
		return 0;
	if (err->code != ERR_ABSENT)
		return -1;
	err_set(err, ERR_ABSENT, "no stored result of commit %.12s", id);
	return err_hint(err, "check it out and run 'pawl collect'");
}

static int report_one(const struct options *o, const struct context *c, struct store *store,
		      const struct accepted *accepted, const char *rev, struct err *err)
{
	char id[OID_TEXT];
	struct summary s;
	int status = -1;

	if (repo_resolve(c->repo, rev, id, err))
		return -1;
	if (!load(c, store, id, &s, err)) {
		if (show(o, c, accepted, &s, &status, err))
			status = -1;
		summary_release(&s);
	}
	return status;
}

/* Every stored result on the way of first parents from `to` back to, not with, `from`. */
static int report_range(const struct options *o, const struct context *c, struct store *store,
			const struct accepted *accepted, const char *from, const char *to,
			struct err *err)
{
	struct git_commit start = GIT_COMMIT_INIT, end = GIT_COMMIT_INIT;
	char id[OID_TEXT];
	int status = EXIT_OK, shown = 0;
	struct err fault = ERR_INIT;

	if (repo_commit(c->repo, from, &start, err) || repo_commit(c->repo, to, &end, err)) {
		status = -1;
		goto out;
	}
	memcpy(id, end.id, strlen(end.id) + 1);
	while (strcmp(id, start.id)) {
		struct summary s;

		if (!passed_over_latest(store, c->project, id, &s, &fault)) {
			int one = EXIT_OK, bad = show(o, c, accepted, &s, &one, err);

			status = bad ? -1 : worse_status(status, one);
			shown++;
			summary_release(&s);
			if (bad)
				goto out;
		} else if (fault.code != ERR_ABSENT) {
			*err = fault;
			status = -1;
			goto out;
		}
		if (repo_first_parent(c->repo, id, id, &fault)) {
			if (fault.code == ERR_ABSENT)
				err_set(err, ERR_USAGE, "'%s' is no first-parent ancestor of '%s'",
					from, to);
			else
				*err = fault;
			status = -1;
			goto out;
		}
	}
	if (!shown)
		status = err_set(err, ERR_ABSENT, "no stored result between '%s' and '%s'", from,
				 to);
out:
	git_commit_release(&start);
	git_commit_release(&end);
	return status;
}

static int report(const struct options *o, const struct context *c, struct store *store,
		  struct err *err)
{
	struct accepted accepted = ACCEPTED_INIT;
	struct range range = RANGE_INIT;
	int status = -1;

	if (accepted_load(c->repo, &accepted, err) ||
	    range_parse(c->repo, o->args.n ? o->args.v[0] : "HEAD", &range, err))
		goto out;
	if (range.to && o->files.n) {
		err_set(err, ERR_USAGE, "--write takes one commit, not '%s'", o->args.v[0]);
		err_hint(err, "each result would replace the last one's file");
		goto out;
	}
	status = range.to ? report_range(o, c, store, &accepted, range.from, range.to, err)
			  : report_one(o, c, store, &accepted, range.from, err);
out:
	accepted_release(&accepted);
	range_release(&range);
	return status;
}

int cmd_report(const struct options *o)
{
	struct err err = ERR_INIT;

	if (o->args.n > 1)
		err_set(&err, ERR_USAGE, "'pawl report' takes one COMMIT or A..B");
	if (o->args.n > 1 || check_outputs(o, &err))
		return complain(&err);
	return run_with_store(o, STORE_READ, report);
}
