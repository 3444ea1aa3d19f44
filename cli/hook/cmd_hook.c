#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/option/hint.h"
#include "cli/hook/run.h"
#include "hooks/install.h"

#include "lib/base/banned.h"

static int install(const struct options *o, const struct context *c, struct buf *out,
		   struct err *err)
{
	if (hook_install(c->repo, HOOK_PRE_PUSH, out, err) ||
	    (o->post_commit && hook_install(c->repo, HOOK_POST_COMMIT, out, err)))
		return -1;
	buf_addf(out, "a regression %s ('git config pawl.hook.block %s' changes that)\n",
		 c->config.hook.block ? "stops the push" : "is reported but does not stop the push",
		 c->config.hook.block ? "false" : "true");
	if (!c->config.n_benchmarks)
		buf_adds(out, "no benchmark is configured yet: run 'pawl init', or write "
			      "'[benchmark \"NAME\"]' with a command into .pawlconfig\n");
	return 0;
}

static int uninstall(const struct options *o, const struct context *c, struct buf *out,
		     struct err *err)
{
	int event;

	(void)o;
	for (event = 0; event < HOOK_EVENTS; event++)
		if (hook_uninstall(c->repo, (enum hook_event)event, out, err))
			return -1;
	if (!out->len)
		buf_adds(out, "no hook of pawl's is installed\n");
	return 0;
}

static void describe(struct repo *repo, enum hook_event event, const struct hook_state *s,
		     struct buf *out)
{
	const char *what = "not installed";

	if (s->configured)
		what = "installed, in git's configuration";
	else if (s->is_ours && !s->is_executable)
		what = "not executable: git leaves it out; install it again";
	else if (s->is_ours && !s->is_current)
		what = "installed, by another version: install it again";
	else if (s->is_ours)
		what = "installed";
	else if (s->calls_us)
		what = "run by a hook that is not pawl's";
	else if (hook_is_anothers(repo, event, s))
		what = "not installed; the file is not pawl's to change: 'pawl hook install' "
		       "prints the line to add to it";
	else if (s->is_there)
		what = "not installed; there is another one, which would be kept and run first";
	buf_addf(out, "%-12s %s\n", hook_event_name(event), what);
	if (!s->configured)
		buf_addf(out, "  file       %s\n", s->path);
	if (s->is_ours && s->chained)
		buf_addf(out, "  runs first %s\n", s->chained);
	if (s->scope)
		buf_addf(out, "  path       from core.hooksPath (%s)\n", s->scope);
	if (s->manager)
		buf_addf(out, "  kept by    %s\n", s->manager);
}

static int status(const struct options *o, const struct context *c, struct buf *out,
		  struct err *err)
{
	const struct hook_config *hook = &c->config.hook;
	struct hooks_path where;
	int event;

	(void)o;
	if (hooks_path_find(c->repo, &where, err))
		return -1;
	for (event = 0; event < HOOK_EVENTS; event++) {
		struct hook_state s;

		if (hook_look(&where, (enum hook_event)event, &s, err))
			break;
		describe(c->repo, (enum hook_event)event, &s, out);
		hook_state_release(&s);
	}
	hooks_path_release(&where);
	if (event < HOOK_EVENTS)
		return -1;
	buf_addf(out, "enabled      %s\n",
		 hook->enabled ? "yes" : "no: pawl.hook.enabled is false");
	buf_addf(out, "block        %s\n",
		 hook->block ? "yes: a confirmed regression stops the push"
			     : "no: a regression is reported but does not stop the push");
	buf_addf(out, "budget       %.0f s\n", (double)hook->budget_ns / 1e9);
	buf_addf(out, "benchmarks   %zu configured\n", c->config.n_benchmarks);
	return 0;
}

static int answer(const struct options *o,
		  int (*make)(const struct options *, const struct context *, struct buf *,
			      struct err *))
{
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT;
	struct context c;
	int result = -1;

	if (o->args.n > 1) {
		err_set(&err, ERR_USAGE, "'pawl hook %s' takes no more words", o->args.v[0]);
		return complain(&err);
	}
	if (context_open(o, &c, &err))
		return complain(&err);
	if (!make(o, &c, &out, &err) && !buf_check(&out, &err))
		result = print_answer(o, &out, &err);
	context_close(&c);
	buf_release(&out);
	return result ? complain(&err) : EXIT_OK;
}

/* Whatever is wrong, the push goes on: 0. */
static int run(const struct options *o)
{
	struct strv words = { o->args.v + 2, o->args.n > 2 ? o->args.n - 2 : 0, 0 };
	struct err err = ERR_INIT;
	struct context c;
	const char *wanted = getenv("PAWL");
	bool is_push;
	int result;

	/* Hooks of git's configuration come here without a script that asks. */
	if (wanted && !strcmp(wanted, "0"))
		return EXIT_OK;
	if (o->args.n < 2 || (strcmp(o->args.v[1], hook_event_name(HOOK_PRE_PUSH)) != 0 &&
			      strcmp(o->args.v[1], hook_event_name(HOOK_POST_COMMIT)) != 0)) {
		err_set(&err, ERR_USAGE, "'pawl hook run' takes pre-push or post-commit");
		return complain(&err);
	}
	is_push = !strcmp(o->args.v[1], hook_event_name(HOOK_PRE_PUSH));
	if (is_push ? context_open_git(o, &c, &err) : context_open(o, &c, &err)) {
		terminal_line("pawl: not compared", err.text);
		return EXIT_OK;
	}
	result = is_push ? hook_run_pre_push(&c, &words) : hook_run_post_commit(&c);
	context_close(&c);
	return result;
}

int cmd_hook(const struct options *o)
{
	const char *what = o->args.n ? o->args.v[0] : "";
	struct err err = ERR_INIT;

	if (!strcmp(what, "install"))
		return answer(o, install);
	if (!strcmp(what, "uninstall"))
		return answer(o, uninstall);
	if (!strcmp(what, "status"))
		return answer(o, status);
	if (!strcmp(what, "run"))
		return run(o);
	err_set(&err, ERR_USAGE, *what ? "'pawl hook' has no '%s'" : "'pawl hook' needs a word%s",
		what);
	hint_nearest(&err, what, "install uninstall status", "pawl hook ",
		     "pawl hook install | uninstall | status");
	return complain(&err);
}
