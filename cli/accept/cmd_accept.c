#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/accept/change.h"
#include "cli/accept/name.h"
#include "cli/accept/result.h"
#include "cli/command.h"
#include "collector/accept.h"
#include "lib/base/buf.h"
#include "lib/base/file.h"
#include "lib/base/strv.h"
#include "lib/config/accepted.h"
#include "lib/process/lock.h"

#include "lib/base/banned.h"

static int list(const struct options *o, const struct context *c, struct err *err)
{
	struct accepted a = ACCEPTED_INIT;
	struct buf out = BUF_INIT;
	char size[ACCEPTED_CHANGE_TEXT];
	size_t i;
	int result = -1;

	if (accepted_load(c->repo, &a, err))
		goto out;
	for (i = 0; i < a.n; i++)
		buf_addf(&out, "%.12s  %s, %s: %s%s%s%s\n", a.v[i].commit, a.v[i].benchmark,
			 accepted_change_print(a.v[i].change, size), a.v[i].because,
			 a.v[i].subject ? "  (" : "", a.v[i].subject ? a.v[i].subject : "",
			 a.v[i].subject ? ")" : "");
	if (!a.n)
		talk_note(c->talk, "no change is accepted");
	result = buf_check(&out, err) || print_answer(o, &out, err) ? -1 : 0;
out:
	accepted_release(&a);
	buf_release(&out);
	return result;
}

/* Of two entries only the last would count. */
static int check_is_new(struct repo *repo, const char *commit, const char *name, const char *metric,
			struct err *err)
{
	struct accepted a = ACCEPTED_INIT;
	size_t i;
	int result = 0;

	if (accepted_load(repo, &a, err))
		return -1;
	for (i = a.n; i > 0 && !result; i--) {
		const struct accepted_change *old = &a.v[i - 1];

		if (strcmp(old->commit, commit) != 0 || strcmp(old->benchmark, name) != 0 ||
		    !str_same(old->metric, metric))
			continue;
		err_set(err, ERR_USAGE, "%.12s is accepted for '%s' already: '%s' line %d", commit,
			name, ACCEPTED_FILE, old->line);
		result = err_hint(err, "change that entry, or remove it and accept again");
	}
	accepted_release(&a);
	return result;
}

/*
 * metric NULL: a time.  What is said of it, with `more` behind, is ready before the file is
 * written: nothing that can fail comes after that.
 */
static int add(const struct options *o, const struct context *c, const struct git_commit *commit,
	       const char *benchmark, double size, const char *metric, const char *more,
	       struct buf *out, struct err *err)
{
	struct accepted_change change = { .commit = commit->id,
					  .subject = commit->subject,
					  .authored_us = commit->author_time_us,
					  .change = size };
	char *name = NULL, *because = NULL, text[ACCEPTED_CHANGE_TEXT];
	struct buf path = BUF_INIT;
	int result = -1;

	if (str_set(&name, benchmark, err) || str_set(&because, o->because, err) ||
	    str_set(&change.metric, metric, err))
		goto out;
	change.benchmark = name;
	change.because = because;
	buf_addf(&path, "%s/%s", repo_top(c->repo), ACCEPTED_FILE);
	buf_addf(out, "accepted %.12s for '%s', %s%s%s%s\n", commit->id, name,
		 accepted_change_print(size, text), metric ? " of " : "", metric ? metric : "",
		 more);
	if (!buf_check(&path, err) && !buf_check(out, err))
		result = accepted_add(buf_str(&path), &change, err);
out:
	free(name);
	free(because);
	free(change.metric);
	buf_release(&path);
	return result;
}

static int accept_one(const struct options *o, const struct context *c,
		      const struct git_commit *commit, struct buf *out, struct err *err)
{
	char *metric = NULL;
	double size;
	int result = -1;

	if (!accept_check_name(c, commit->id, o->benchmark, err) &&
	    !accept_find_change(o, c, commit->id, &size, &metric, err) &&
	    !check_is_new(c->repo, commit->id, o->benchmark, metric, err))
		result = add(o, c, commit, o->benchmark, size, metric,
			     "; commit '" ACCEPTED_FILE "', and it counts for everybody", out, err);
	free(metric);
	return result;
}

/* Whether an entry can be written that lets it pass. */
static int check_worse(const struct context *c, const char *commit, const struct bench *b,
		       struct err *err)
{
	struct buf name = BUF_INIT, quoted = BUF_INIT;
	double size;
	int result = -1;

	str_add_pattern(b->name, &name);
	if (buf_check(&name, err) ||
	    check_is_new(c->repo, commit, buf_str(&name), accept_metric(b), err))
		goto out;
	if (accept_size(b, &size)) {
		result = 0;
		goto out;
	}
	accept_add_name(b->name, &quoted);
	err_set(err, ERR_ABSENT, "no ratio says how much worse '%s' got", b->name);
	err_hint(err,
		 "accept it alone: pawl accept %.12s --benchmark %s --change any --because WHY",
		 commit, buf_str(&quoted));
out:
	buf_release(&name);
	buf_release(&quoted);
	return result;
}

static int add_alone(const struct options *o, const struct context *c,
		     const struct git_commit *commit, const struct bench *b, const char *more,
		     struct buf *out, struct err *err)
{
	struct buf name = BUF_INIT;
	double size = 0;
	int result = -1;

	str_add_pattern(b->name, &name);
	if (accept_size(b, &size) && !buf_check(&name, err))
		result = add(o, c, commit, buf_str(&name), size, accept_metric(b), more, out, err);
	buf_release(&name);
	return result;
}

static int add_worse(const struct options *o, const struct context *c,
		     const struct git_commit *commit, const struct accept_worse *worse,
		     struct buf *out, struct err *err)
{
	static const char one[] = "\ncommit '" ACCEPTED_FILE "', and it counts for everybody";
	static const char many[] = "\ncommit '" ACCEPTED_FILE "', and they count for everybody";
	const char *told = NULL;
	size_t i;

	for (i = 0; i < worse->n; i++) {
		const char *base = worse->v[i].base;
		const char *more = i + 1 < worse->n ? "" : worse->n == 1 ? one : many;

		if (add_alone(o, c, commit, worse->v[i].bench, more, out, err))
			return -1;
		if (base && (!told || strcmp(told, base) != 0))
			accept_warn_of_base(c, commit->id, base);
		told = base;
	}
	if (!worse->n)
		buf_addf(out, "nothing of %.12s got worse that is not accepted\n", commit->id);
	return 0;
}

/*
 * Each with its own size, or none where one of them cannot be; what is accepted already stays as it
 * is.
 */
static int accept_all(const struct options *o, const struct context *c,
		      const struct git_commit *commit, struct buf *out, struct err *err)
{
	struct accept_worse worse = ACCEPT_WORSE_INIT;
	int result = -1;
	size_t i;

	if (accept_find_worse(c, commit->id, &worse, err))
		goto out;
	for (i = 0; i < worse.n; i++)
		if (check_worse(c, commit->id, worse.v[i].bench, err))
			goto out;
	result = add_worse(o, c, commit, &worse, out, err);
out:
	accept_worse_release(&worse);
	return result;
}

/*
 * Who reads the file to write it anew must be alone; where there are no locks it goes without.
 * Closing *out_fd is the end.
 */
static int lock(const struct context *c, int *out_fd, struct err *err)
{
	const char *dir = repo_git_dir(c->repo);
	struct err fault = ERR_INIT;

	*out_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*out_fd < 0 || !lock_wait(*out_fd, dir, &fault) || fault.code != ERR_STOPPED)
		return 0;
	*err = fault;
	return -1;
}

static int accept_change(const struct options *o, const struct context *c, struct err *err)
{
	struct git_commit commit = GIT_COMMIT_INIT;
	struct buf out = BUF_INIT;
	int fd = -1, result = -1;

	if (!lock(c, &fd, err) && !repo_commit(c->repo, o->args.v[0], &commit, err) &&
	    !(o->all ? accept_all : accept_one)(o, c, &commit, &out, err))
		result = buf_check(&out, err) || print_answer(o, &out, err) ? -1 : 0;
	file_close(&fd);
	git_commit_release(&commit);
	buf_release(&out);
	return result;
}

static int check_usage(const struct options *o, struct err *err)
{
	if (o->list) {
		if (o->args.n)
			return err_set(err, ERR_USAGE, "'--list' takes no COMMIT");
		return 0;
	}
	if (o->args.n != 1)
		err_set(err, ERR_USAGE, "'pawl accept' takes one COMMIT");
	else if (o->all && (o->benchmark || o->change))
		err_set(err, ERR_USAGE, "--all takes names and sizes from the result");
	else if (!o->all && !o->benchmark)
		err_set(err, ERR_USAGE, "it is not said for which benchmark");
	else if (!o->because)
		err_set(err, ERR_USAGE, "it is not said why the change is accepted");
	else
		return 0;
	return err_hint(err, "pawl accept COMMIT --benchmark NAME --because \"...\", or --all for "
			     "all that regressed");
}

int cmd_accept(const struct options *o)
{
	struct err err = ERR_INIT;
	struct context c;
	int result = -1;

	if (check_usage(o, &err) || context_open(o, &c, &err))
		return complain(&err);
	if (o->list)
		result = list(o, &c, &err);
	else if (!repo_top(c.repo))
		err_set(&err, ERR_ABSENT, "a bare repository has no '%s'", ACCEPTED_FILE);
	else
		result = accept_change(o, &c, &err);
	context_close(&c);
	return result ? complain(&err) : EXIT_OK;
}
