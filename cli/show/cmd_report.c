#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/show/imports.h"
#include "cli/show/joined.h"
#include "cli/kept/kept.h"
#include "cli/known.h"
#include "cli/passed_over.h"
#include "cli/range.h"
#include "collector/accept.h"
#include "lib/base/when.h"
#include "lib/store/local/visit.h"
#include "reporter/judge/apart.h"
#include "reporter/judge/judge.h"

#include "lib/base/banned.h"

/* Marked anew, so that what was accepted since it was stored counts; then printed. */
static int show(const struct options *o, const struct context *c, const struct accepted *accepted,
		struct summary *s, int *out_status, struct err *err)
{
	if ((!s->sides.base && apply_accepted(c->repo, accepted, s, err)) ||
	    print_summary(o, c, s, err))
		return -1;
	*out_status = judge_exit(s, o->strict);
	return 0;
}

/* The stored result of a commit; says which command makes one when there is none. */
static int load(const struct context *c, struct store *store, const char *id, struct summary *out,
		struct err *err)
{
	if (store && !passed_over_latest(store, c->project, id, out, err))
		return 0;
	if (store && err->code != ERR_ABSENT)
		return -1;
	err_set(err, ERR_ABSENT, "no stored result of commit %.12s%s", id,
		store ? "" : ", and none at all yet");
	return hint_project(c, err, "run 'pawl collect' or 'pawl compare' on it");
}

struct measured {
	const char *commit;
	struct summary s;
	bool found;
};

static bool is_of_commit(void *ctx, const struct store_row *row)
{
	const struct measured *m = ctx;

	return !m->found && !strcmp(row->commit, m->commit);
}

/* The newest that was not imported. */
static int take_measured(void *ctx, const struct store_row *row, struct stored *stored,
			 struct err *err)
{
	struct measured *m = ctx;

	(void)row;
	if (m->found)
		return 0;
	if (stored_summary(stored, &m->s, err))
		return -1;
	m->found = !m->s.imported.n;
	if (!m->found)
		summary_release(&m->s);
	return 0;
}

static void tell_imported(const struct context *c)
{
	talk_note(c->talk,
		  "what was imported for this commit is not shown: 'pawl history NAME' has it");
}

/* What was imported for a commit has no verdict, and hides none of what was measured on it. */
static int prefer_measured(const struct context *c, struct store *store, struct summary *s,
			   struct err *err)
{
	struct measured m = { .commit = s->commit.id };
	const struct store_visitor visitor = { &m, is_of_commit, take_measured };
	size_t damaged;

	if (!s->imported.n || !s->commit.id)
		return 0;
	if (store_visit(store, c->project, NULL, &visitor, &damaged, err)) {
		if (m.found)
			summary_release(&m.s);
		return -1;
	}
	if (!m.found)
		return 0;
	tell_imported(c);
	summary_release(s);
	*s = m.s;
	return 0;
}

static void tell_kept(const struct context *c, const struct summary *s)
{
	if (s->sides.base)
		talk_note(c->talk, "the comparison of '%s' and '%s', as it was kept", s->sides.base,
			  s->sides.head);
	else if (!s->baseline.commit)
		talk_note(c->talk, "the comparison of %.12s, which ended before it had a baseline",
			  s->commit.id);
	else
		talk_note(c->talk, "the comparison of %.12s and %s%.12s, as it was kept",
			  s->baseline.commit, s->commit.dirty ? "the work on " : "", s->commit.id);
}

/* The newest comparison of these commits; whole ids, or NULL for any. */
static int report_kept(const struct options *o, const struct context *c,
		       const struct accepted *accepted, const char *base, const char *head,
		       struct err *err)
{
	struct summary s;
	int status = -1;

	if (kept_find(c, base, head, &s, err))
		return -1;
	tell_kept(c, &s);
	if (show(o, c, accepted, &s, &status, err))
		status = -1;
	summary_release(&s);
	return status;
}

/* Of other commits there is one: the way to it. */
static void point_to_last(const struct context *c, struct err *err)
{
	struct summary s;

	if (kept_find(c, NULL, NULL, &s, NULL))
		return;
	err->hint[0] = '\0';
	err_hint(err, "run 'pawl collect' or 'pawl compare' on it; the last comparison, of "
		      "another commit: pawl report --last");
	summary_release(&s);
}

/* The stored result of a commit, else the newest comparison that it is the head of. */
static int report_one(const struct options *o, const struct context *c, struct store *store,
		      const struct accepted *accepted, const char *rev, struct err *err)
{
	struct err fault = ERR_INIT;
	char id[OID_TEXT];
	struct summary s;
	int status = -1;

	if (repo_resolve(c->repo, rev, id, err))
		return -1;
	if (load(c, store, id, &s, err)) {
		if (err->code != ERR_ABSENT)
			return -1;
		status = report_kept(o, c, accepted, NULL, id, &fault);
		if (status < 0 && fault.code != ERR_ABSENT)
			*err = fault;
		else if (status < 0)
			point_to_last(c, err);
		return status;
	}
	if (prefer_measured(c, store, &s, err))
		status = -1;
	else if (s.imported.n && (status = report_kept(o, c, accepted, NULL, id, &fault)) >= 0)
		tell_imported(c);
	else if (s.imported.n && fault.code != ERR_ABSENT)
		*err = fault;
	else if (join_imports(c, store, &s, err) || join_parts(c, store, &s, err) ||
		 show(o, c, accepted, &s, &status, err))
		status = -1;
	summary_release(&s);
	return status;
}

/*
 * All that was imported for two commits, the one as the other's base; *out_us: when the newer of
 * them was measured.  Errors: ERR_ABSENT one is not imported.
 */
static int find_imported(const struct context *c, struct store *store, const char *from,
			 const char *to, struct summary *out, int64_t *out_us, struct err *err)
{
	struct summary base;
	int result;

	if (!store)
		return err_set(err, ERR_ABSENT, "nothing is stored");
	if (imports_of_both(c, store, from, to, &base, out, err))
		return -1;
	result = judge_apart(&base, out, err);
	*out_us = base.finished_us > out->finished_us ? base.finished_us : out->finished_us;
	summary_release(&base);
	if (result)
		summary_release(out);
	return result;
}

/* What was compared, and what was imported for both: the newer of them, and a word of the other. */
static int report_two(const struct options *o, const struct context *c, struct store *store,
		      const struct accepted *accepted, const char *from, const char *to,
		      struct err *err)
{
	struct err no_kept = ERR_INIT, no_imported = ERR_INIT;
	struct summary kept, imported;
	int64_t imported_us = 0;
	char when[WHEN_ISO];
	bool is_newer;
	int status = -1;

	if (kept_find(c, from, to, &kept, &no_kept) && no_kept.code != ERR_ABSENT) {
		*err = no_kept;
		return -1;
	}
	if (find_imported(c, store, from, to, &imported, &imported_us, &no_imported) &&
	    (no_kept.code || no_imported.code != ERR_ABSENT)) {
		*err = no_imported;
		goto out;
	}
	is_newer = !no_imported.code && (no_kept.code || imported_us > kept.finished_us);
	if (!is_newer)
		tell_kept(c, &kept);
	if (!no_kept.code && !no_imported.code)
		talk_note(c->talk, "%s, of %s, is older and not shown",
			  is_newer ? "the kept comparison" : "what was imported for both",
			  when_iso(is_newer ? kept.finished_us : imported_us, false, when));
	if (show(o, c, accepted, is_newer ? &imported : &kept, &status, err))
		status = -1;
out:
	if (!no_kept.code)
		summary_release(&kept);
	if (!no_imported.code)
		summary_release(&imported);
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
	while (strcmp(id, start.id) && store) {
		struct summary s;

		if (!passed_over_latest(store, c->project, id, &s, &fault)) {
			int one = EXIT_OK, bad = join_imports(c, store, &s, err) ||
						 join_parts(c, store, &s, err) ||
						 show(o, c, accepted, &s, &one, err);

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
	if (!shown) {
		err_set(err, ERR_ABSENT, "no stored result between '%s' and '%s'", from, to);
		status = hint_project(c, err,
				      "run 'pawl collect' on these commits, or 'pawl backfill'");
	}
out:
	git_commit_release(&start);
	git_commit_release(&end);
	return status;
}

/* What was compared, or imported for both, is one answer; else every result on the way. */
static int report_both(const struct options *o, const struct context *c, struct store *store,
		       const struct accepted *accepted, const struct range *range, struct err *err)
{
	char from[OID_TEXT], to[OID_TEXT];
	struct err fault = ERR_INIT;
	int status;

	if (repo_resolve(c->repo, range->from, from, err) ||
	    repo_resolve(c->repo, range->to, to, err))
		return -1;
	status = report_two(o, c, store, accepted, from, to, &fault);
	if (status >= 0)
		return status;
	if (fault.code != ERR_ABSENT) {
		*err = fault;
		return -1;
	}
	if (o->files.n) {
		err_set(err, ERR_USAGE, "--write takes one commit, not '%s'", o->args.v[0]);
		return err_hint(err, "each result would replace the last one's file");
	}
	return report_range(o, c, store, accepted, range->from, range->to, err);
}

static int report(const struct options *o, const struct context *c, struct store *store,
		  struct err *err)
{
	struct accepted accepted = ACCEPTED_INIT;
	struct range range = RANGE_INIT;
	int status = -1;

	if (c->repo && accepted_load(c->repo, &accepted, err))
		goto out;
	if (o->last) {
		status = report_kept(o, c, &accepted, NULL, NULL, err);
		goto out;
	}
	if (range_parse(c->repo, o->args.n ? o->args.v[0] : "HEAD", &range, err))
		goto out;
	status = range.to ? report_both(o, c, store, &accepted, &range, err)
			  : report_one(o, c, store, &accepted, range.from, err);
out:
	accepted_release(&accepted);
	range_release(&range);
	return status;
}

static int run(const struct options *o, const struct context *c, struct err *err)
{
	struct err fault = ERR_INIT;
	struct store *store = NULL;
	int status = -1;

	if (c->store_path && !o->last && store_open(c->store_path, STORE_READ, &store, &fault) &&
	    fault.code != ERR_ABSENT)
		*err = fault;
	else
		status = report(o, c, store, err);
	passed_over_tell(c->talk, store);
	store_close(store);
	return status;
}

int cmd_report(const struct options *o)
{
	struct err err = ERR_INIT;
	struct context c;
	int status;

	if (o->args.n > 1)
		err_set(&err, ERR_USAGE, "'pawl report' takes one COMMIT or A..B");
	else if (o->args.n && o->last)
		err_set(&err, ERR_USAGE, "--last takes no '%s'", o->args.v[0]);
	if (err.code || check_outputs(o, &err) ||
	    check_drawn(o, "all are shown; 'pawl history NAME' shows one", &err) ||
	    (o->last ? context_open_anywhere(o, &c, &err) : context_open(o, &c, &err)))
		return complain(&err);
	status = run(o, &c, &err);
	context_close(&c);
	return status < 0 ? complain(&err) : status;
}
