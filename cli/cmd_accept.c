#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "lib/base/buf.h"
#include "lib/base/strv.h"
#include "lib/config/accepted.h"

#include "lib/base/banned.h"

static int list(const struct options *o, const struct context *c, struct err *err)
{
	struct accepted a = ACCEPTED_INIT;
	struct buf out = BUF_INIT;
	size_t i;
	int result = -1;

	if (accepted_load(c->repo, &a, err))
		goto out;
	for (i = 0; i < a.n; i++)
		buf_addf(&out, "%.12s  %s: %s%s%s%s\n", a.v[i].commit, a.v[i].benchmark,
			 a.v[i].because, a.v[i].subject ? "  (" : "",
			 a.v[i].subject ? a.v[i].subject : "", a.v[i].subject ? ")" : "");
	if (!a.n)
		talk_note(c->talk, "no change is accepted");
	result = buf_check(&out, err) || print_answer(o, &out, err) ? -1 : 0;
out:
	accepted_release(&a);
	buf_release(&out);
	return result;
}

/* Whether a benchmark of a stored result is meant. */
static bool is_stored(const struct context *c, const char *commit, const char *name)
{
	struct store *store = NULL;
	struct summary s;
	size_t n = strcspn(name, "*"), i;
	bool found = false;

	if (!c->store_path || store_open(c->store_path, STORE_READ, &store, NULL))
		return false;
	if (!store_latest(store, c->project, commit, &s, NULL)) {
		for (i = 0; i < s.n_benchmarks && !found; i++)
			found = name[n] ? !strncmp(s.benchmarks[i].name, name, n)
					: !strcmp(s.benchmarks[i].name, name);
		summary_release(&s);
	}
	store_close(store);
	return found;
}

/* "deflate" and "deflate/6" belong to [benchmark "deflate"], and so does "de*". */
static bool is_configured(const struct config *config, const char *name)
{
	size_t i;

	for (i = 0; i < config->n_benchmarks; i++) {
		const char *known = config->benchmarks[i].name;
		size_t n = strlen(known), star = strcspn(name, "*");

		if (!strncmp(known, name, n) && (!name[n] || name[n] == '/'))
			return true;
		if (name[star] && !strncmp(known, name, star))
			return true;
	}
	return false;
}

static int accept_change(const struct options *o, const struct context *c, struct err *err)
{
	struct git_commit commit = GIT_COMMIT_INIT;
	struct accepted_change change = { NULL, NULL, NULL, NULL, 0, 0 };
	char *name = NULL, *because = NULL;
	struct buf path = BUF_INIT, out = BUF_INIT;
	int result = -1;

	if (repo_commit(c->repo, o->args.v[0], &commit, err) || str_set(&name, o->benchmark, err) ||
	    str_set(&because, o->because, err))
		goto out;
	if (!is_configured(&c->config, name) && !is_stored(c, commit.id, name) &&
	    !is_stored(c, NULL, name))
		talk_warn(c->talk, "names are those that 'pawl report' shows",
			  "no benchmark '%s' is configured or has a stored result", name);
	change = (struct accepted_change){ .commit = commit.id,
					   .benchmark = name,
					   .because = because,
					   .subject = commit.subject,
					   .authored_us = commit.author_time_us };
	buf_addf(&path, "%s/%s", repo_top(c->repo), ACCEPTED_FILE);
	if (buf_check(&path, err) || accepted_add(buf_str(&path), &change, err))
		goto out;
	buf_addf(&out, "accepted %.12s for '%s'; commit '%s' to make it count\n", commit.id, name,
		 ACCEPTED_FILE);
	result = buf_check(&out, err) || print_answer(o, &out, err) ? -1 : 0;
out:
	git_commit_release(&commit);
	free(name);
	free(because);
	buf_release(&path);
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
	else if (!o->benchmark)
		err_set(err, ERR_USAGE, "it is not said for which benchmark");
	else if (!o->because)
		err_set(err, ERR_USAGE, "it is not said why the change is accepted");
	else
		return 0;
	return err_hint(err, "pawl accept COMMIT --benchmark NAME --because \"...\"");
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
