#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/show/imports.h"
#include "cli/known.h"
#include "cli/passed_over.h"
#include "cli/range.h"
#include "lib/process/stop.h"
#include "lib/git/history/walk.h"
#include "reporter/deliver/credential.h"
#include "reporter/deliver/transport_curl.h"
#include "reporter/export/export.h"

#include "lib/base/banned.h"

#define MOST_COMMITS 10000

struct job {
	const struct options *o;
	const struct context *c;
	const struct export_format *format;
	struct transport transport;
	char *token;
	struct buf text; /* the file, or what a dry run shows */
	size_t n_done, n_left_out;
	size_t n_dirty; /* they are written into files, and not posted */
	bool undelivered;
};

/* The commits asked for, oldest first; *out_single: one was named, and must have a result. */
static int find_commits(const struct job *job, struct strv *out, bool *out_single, struct err *err)
{
	const struct options *o = job->o;
	struct git_commit commit = GIT_COMMIT_INIT;
	struct range range = RANGE_INIT;
	int rc = -1;

	if (range_parse(job->c->repo, o->args.n ? o->args.v[0] : "HEAD", &range, err))
		goto out;
	*out_single = !range.to;
	if (range.to)
		rc = walk_between(job->c->repo, range.from, range.to, true, MOST_COMMITS, out, err);
	else if (!repo_commit(job->c->repo, range.from, &commit, err))
		rc = strv_add(out, commit.id, err);
	if (!rc && range.to && !o->to && !job->format->is_stream) {
		rc = err_set(err, ERR_USAGE, "a file of '%s' holds one commit, not '%s'", o->format,
			     o->args.v[0]);
		err_hint(err, "name one commit; with --to each is posted by itself");
	}
out:
	git_commit_release(&commit);
	range_release(&range);
	return rc;
}

/* PAWL_TOKEN is the results server's and goes to nobody else. */
static int find_token(struct job *job, struct err *err)
{
	const char *given = getenv("PAWL_EXPORT_TOKEN"), *p;
	struct buf address = BUF_INIT;
	int rc = -1;

	for (p = given; p && *p; p++)
		if (*p <= ' ' || *p > '~')
			return err_set(err, ERR_CONFIG,
				       "PAWL_EXPORT_TOKEN holds a blank or a control character");
	buf_add(&address, job->o->to, strcspn(job->o->to, "?"));
	if (!buf_check(&address, err))
		rc = credential_token(given, buf_str(&address), repo_top(job->c->repo), &job->token,
				      err);
	buf_release(&address);
	return rc;
}

static int send_one(struct job *job, const struct summary *s, struct err *err)
{
	struct export_request rq = EXPORT_REQUEST_INIT;
	int rc = -1;

	if (export_prepare(job->format, job->o->to, s, &rq, err))
		goto out;
	if (job->o->dry_run) {
		export_show(&rq, job->token != NULL, &job->text);
		rc = 0;
	} else {
		rc = export_send(&job->transport, &rq, job->token, err);
		job->undelivered = rc && err->code == ERR_NET;
	}
out:
	export_request_release(&rq);
	return rc;
}

static int export_one(struct job *job, struct store *store, const char *id, bool must,
		      struct err *err)
{
	struct err fault = ERR_INIT;
	struct summary s;
	int rc = 0;

	if (passed_over_clean(store, job->c->project, id, &s, &fault)) {
		if (fault.code == ERR_ABSENT && !must)
			return 0;
		if (fault.code == ERR_ABSENT) {
			err_set(&fault, ERR_ABSENT, "no stored result of commit %.12s", id);
			hint_project(job->c, &fault, "check it out and run 'pawl collect'");
		}
		*err = fault;
		return -1;
	}
	job->n_dirty += s.commit.dirty;
	if (!s.commit.dirty || !job->o->to) { /* it would stand there as that of the commit */
		rc = join_imports(job->c, store, &s, err) ||
				     (job->o->to ? send_one(job, &s, err)
						 : job->format->encode(&s, !job->n_done, &job->text,
								       err))
			     ? -1
			     : 0;
		job->n_done += !rc;
		job->n_left_out += export_left_out(job->format, &s);
	}
	summary_release(&s);
	return rc;
}

/* What stands behind a '?' may be a password, as InfluxDB's p=. */
static void tell(const struct job *job)
{
	const struct options *o = job->o;

	if (job->n_dirty)
		talk_warn(job->c->talk, "commit the changes, and collect again",
			  "%zu result%s of uncommitted changes %s %s", job->n_dirty,
			  job->n_dirty == 1 ? "" : "s", job->n_dirty == 1 ? "is" : "are",
			  o->to ? "not posted" : "exported, as there are no others");
	if (job->n_left_out)
		talk_warn(job->c->talk, "csv, json, bencher, codespeed and influx hold figures",
			  "%zu benchmark%s %s left out: %s no samples, which '%s' needs",
			  job->n_left_out, job->n_left_out == 1 ? "" : "s",
			  job->n_left_out == 1 ? "is" : "are",
			  job->n_left_out == 1 ? "it has" : "they have", job->format->name);
	if (o->to && !o->dry_run && job->n_done)
		talk_note(job->c->talk, "posted %zu result%s to '%.*s'", job->n_done,
			  job->n_done == 1 ? "" : "s", (int)strcspn(o->to, "?"), o->to);
}

static int export_all(struct job *job, struct store *store, struct err *err)
{
	struct strv commits = STRV_INIT;
	bool single = false;
	int rc = -1;
	size_t i;

	if (find_commits(job, &commits, &single, err))
		goto out;
	for (i = 0, rc = 0; i < commits.n && !rc; i++)
		rc = export_one(job, store, commits.v[i], single, err);
	tell(job);
	if (!rc && !job->n_done && !job->n_dirty) {
		err_set(err, ERR_ABSENT, "no stored result in '%s'", job->o->args.v[0]);
		rc = hint_project(job->c, err, "run 'pawl collect' on these commits");
	}
	if (!rc && (!job->o->to || job->o->dry_run))
		rc = print_answer(job->o, &job->text, err);
out:
	strv_release(&commits);
	return rc;
}

static int export_with(const struct options *o, const struct context *c, struct store *store,
		       struct err *err)
{
	const struct transport_curl_options how = { c->config.insecure_http, 0, 0, &stop_signal };
	struct job job = { .o = o, .c = c, .format = export_format_find(o->format, err) };
	int status = -1;

	if (!job.format || (o->to && find_token(&job, err)) ||
	    (o->to && transport_curl_open(&how, &job.transport, err)))
		goto out;
	if (!export_all(&job, store, err))
		status = job.n_done ? EXIT_OK : EXIT_UNDELIVERED;
	else if (job.undelivered) {
		complain(err);
		status = EXIT_UNDELIVERED;
	}
out:
	transport_curl_close(&job.transport);
	credential_free(job.token);
	buf_release(&job.text);
	return status;
}

static int check(const struct options *o, struct err *err)
{
	if (o->args.n > 1)
		return err_set(err, ERR_USAGE, "'pawl export' takes one COMMIT or A..B");
	if (!o->format) {
		err_set(err, ERR_USAGE, "--format is missing");
		return err_hint(err, "'pawl export --help' lists the formats");
	}
	if (!export_format_find(o->format, err))
		return -1;
	if (o->dry_run && !o->to) {
		err_set(err, ERR_USAGE, "--dry-run shows what --to would send");
		return err_hint(err, "without --to nothing is sent: leave --dry-run out");
	}
	if (o->to && o->output && !o->dry_run)
		return err_set(err, ERR_USAGE, "--to and --output exclude each other");
	return 0;
}

int cmd_export(const struct options *o)
{
	struct err err = ERR_INIT;

	if (check(o, &err))
		return complain(&err);
	return run_with_store(o, STORE_READ, export_with);
}
