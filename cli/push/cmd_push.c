#include <stdio.h>

#include "cli/command.h"
#include "cli/push/nearer.h"

#include "lib/base/banned.h"

#define BUDGET_NS 60000000000u

/* What was asked for beside the queue goes into it, and stays there when it cannot be delivered. */
static int fill_queue(const struct options *o, const struct context *c, struct store *store,
		      struct err *err)
{
	size_t n = 0;

	if (o->again && store_queue_again(store, &n, err))
		return -1;
	if (o->again)
		talk_note(c->talk, "%zu that the server refused %s queued again", n,
			  n == 1 ? "is" : "are");
	if (o->all && push_pass_over(c, store, &n, err))
		return -1;
	if (o->all && n)
		talk_note(c->talk,
			  "%zu stay%s here: the same commit%s compared in smaller steps since", n,
			  n == 1 ? "s" : "", n == 1 ? " was" : "s were");
	if (o->all && store_queue_all(store, &n, err))
		return -1;
	if (o->all)
		talk_note(c->talk, "%zu that %s never queued %s queued now", n,
			  n == 1 ? "was" : "were", n == 1 ? "is" : "are");
	return 0;
}

/*
 * Nothing waits, but what was set aside, or never got into the queue, is not delivered either;
 * had_some: something waited before.
 */
static int tell_rest(const struct context *c, struct store *store, bool had_some, struct err *err)
{
	size_t waiting = 0, refused = 0, missed = 0;

	if (store_queue_count(store, &waiting, &refused, err) ||
	    store_queue_missed(store, &missed, err))
		return -1;
	if (refused)
		talk_warn(c->talk, "mend what was reported then, and type: pawl push --again",
			  "%zu that the server refused earlier %s set aside", refused,
			  refused == 1 ? "is" : "are");
	if (missed)
		talk_note(c->talk, "%zu stored %s never queued; to post %s too: pawl push --all",
			  missed, missed == 1 ? "result was" : "results were",
			  missed == 1 ? "it" : "them");
	if (!had_some && !refused && !missed)
		talk_note(c->talk, "nothing is queued for the server");
	return 0;
}

static int push(const struct options *o, const struct context *c, struct store *store,
		struct err *err)
{
	uint64_t budget_ns = BUDGET_NS;
	size_t before = 0, refused = 0, left = 0;

	if (options_wait(o, &budget_ns, err))
		return -1;
	if (!c->config.server) {
		err_set(err, ERR_CONFIG, "no results server is named");
		return err_hint(err, "git config pawl.server https://HOST/");
	}
	if (fill_queue(o, c, store, err) || store_queue_count(store, &before, &refused, err) ||
	    send_queue(c, store, budget_ns, o->wait != NULL, &left, err) ||
	    (!left && tell_rest(c, store, before > 0, err)))
		return -1;
	return left && c->config.require_push ? EXIT_UNDELIVERED : EXIT_OK;
}

int cmd_push(const struct options *o)
{
	struct err err = ERR_INIT;

	if (o->args.n) {
		err_set(&err, ERR_USAGE, "'pawl push' takes no argument");
		return complain(&err);
	}
	if (o->file && (o->again || o->all)) {
		err_set(&err, ERR_USAGE, "--again and --all are about the queue, not about --file");
		return complain(&err);
	}
	if (o->file)
		return push_file(o);
	if (o->commit || o->branch) {
		err_set(&err, ERR_USAGE, "--commit and --branch are about --file");
		return complain(&err);
	}
	return run_with_store(o, STORE_WRITE, push);
}
