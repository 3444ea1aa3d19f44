#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/measure/calibration.h"
#include "cli/command.h"
#include "cli/measure/point_on.h"
#include "cli/passed_over.h"
#include "cli/measure/rebuild.h"
#include "cli/measure/since_tag.h"
#include "collector/accept.h"
#include "collector/build/detect.h"
#include "collector/collect.h"
#include "collector/schedule/shard.h"
#include "lib/base/buf.h"
#include "lib/base/strv.h"
#include "lib/process/stop.h"
#include "reporter/judge/judge.h"

#include "lib/base/banned.h"

#define SEND_BUDGET_NS 60000000000u

/*
 * A damaged or newer store is found out before any measuring.  Where only writing fails (a
 * full disk), the earlier results are still read, the measuring is done and shown, and
 * *out_unwritable says at the end why nothing was stored.
 */
static int open_store(const struct context *c, struct store **out, struct err *out_unwritable,
		      struct err *err)
{
	*out = NULL;
	if (!c->store_path || !store_open(c->store_path, STORE_WRITE, out, err))
		return 0;
	if (err->code != ERR_FULL && err->code != ERR_IO)
		return -1;
	*out_unwritable = *err;
	talk_warn(c->talk,
		  err->code == ERR_FULL ? "free some space first, or let it be shown only"
					: "put that right first, or let it be shown only",
		  "the result will not be stored: %s", err->text);
	err_clear(err);
	if (store_open(c->store_path, STORE_READ, out, NULL))
		*out = NULL;
	return 0;
}

/* Stores the result, and queues it when a server is named. */
static int keep(const struct context *c, struct store *store, const struct err *unwritable,
		const struct summary *s, bool post, bool *out_queued, struct err *err)
{
	*out_queued = false;
	if (unwritable->code) {
		*err = *unwritable;
		return err_in(err, "the result was not stored");
	}
	if (!store)
		return 0;
	if (store_add(store, s, post, out_queued, err))
		return err_in(err, "the result was not stored");
	if (post && !*out_queued)
		talk_warn(c->talk,
			  "empty the queue, then post this one too: pawl push, pawl push --all",
			  "the queue for the server is full: the result is stored but not queued");
	return 0;
}

/* A failing server is told and changes nothing; whether everything arrived. */
static bool send(const struct context *c, struct store *store)
{
	struct err fault = ERR_INIT;
	size_t left = 0;

	if (!send_queue(c, store, SEND_BUDGET_NS, false, &left, &fault))
		return left == 0;
	talk_warn(c->talk, fault.hint[0] ? fault.hint : NULL, "not posted: %s", fault.text);
	return false;
}

/* Stores first, so that nothing is lost by a picture that cannot be written; shows; sends. */
static int finish(const struct options *o, struct context *c, struct store *store,
		  const struct err *unwritable, const struct summary *s, struct err *err)
{
	bool queued, delivered;
	int since;
	int kept = keep(c, store, unwritable, s, c->config.server && !o->no_push, &queued, err);
	int shown = print_summary(o, c, s, kept ? NULL : err), status;

	delivered = queued && !stop_signal && send(c, store);
	if (kept || shown)
		return -1;
	if (stop_signal)
		return 128 + stop_signal;
	status = judge_exit(s, o->strict);
	if (status == EXIT_REGRESSED || status == EXIT_FAILED)
		point_on(o, c, s);
	if (o->since_tag) {
		since = since_tag(o, c, s, err);
		if (since < 0)
			return -1;
		status = worse_status(status, since);
	}
	return !status && c->config.require_push && !delivered ? EXIT_UNDELIVERED : status;
}

/* `pawl compare` finds out how a tree is built; here it would change the user's own. */
static void suggest_build(const struct context *c)
{
	const char *top = repo_top(c->repo);
	char *build = NULL, *what = NULL;
	struct buf path = BUF_INIT, cure = BUF_INIT;
	size_t i;

	if (!top || c->config.build || build_detect(top, &build, &what, NULL))
		return;
	for (i = 0; i < c->config.n_benchmarks; i++) {
		char *words[] = { build, NULL };
		const char *exe = c->config.benchmarks[i].command.v[0];

		if (!strchr(exe, '/'))
			continue;
		buf_reset(&path);
		buf_addf(&path, "%s%s%s", exe[0] == '/' ? "" : top, exe[0] == '/' ? "" : "/", exe);
		if (buf_check(&path, NULL) || !access(buf_str(&path), F_OK) || errno != ENOENT)
			continue;
		buf_adds(&cure, "git config pawl.build ");
		words_quote(words, &cure);
		talk_warn(c->talk, buf_str(&cure),
			  "no build is configured, and '%s' is not there; there is a %s", exe,
			  what);
		break;
	}
	buf_release(&path);
	buf_release(&cure);
	free(build);
	free(what);
}

/* The part that --shard asks for; the group's text stays the options'. */
static int read_shard(const struct options *o, struct shard *out, struct err *err)
{
	const char *p;

	*out = (struct shard){ .group = (char *)(uintptr_t)o->shard_group };
	if (!o->shard)
		return !o->shard_group ? 0 : err_set(err, ERR_USAGE, "--shard-group needs --shard");
	if (o->since_tag) /* it compares everything: once is enough */
		return err_set(err, ERR_USAGE, "--shard and --since-tag exclude each other");
	for (p = o->shard_group; p && *p; p++)
		if (*p < ' ' || *p > '~' || p - o->shard_group >= SUMMARY_MAX_NAME)
			break;
	if (o->shard_group && (*p || p == o->shard_group))
		return err_set(err, ERR_USAGE,
			       "--shard-group takes 1 to %d printable ASCII characters",
			       SUMMARY_MAX_NAME);
	return shard_parse(o->shard, out, err);
}

static int collect_with(const struct options *o, struct context *c, struct store *store,
			const struct shard *shard, const struct err *unwritable, struct err *err)
{
	bool builds = !o->no_build && !o->built;
	struct collect_request rq = { .repo = c->repo,
				      .config = &c->config,
				      .store = store,
				      .state_dir = c->state_dir,
				      .build = builds,
				      .built = o->built,
				      .partial = o->command.n > 0,
				      .shard = shard->count ? shard : NULL,
				      .known = &c->known,
				      .talk = c->talk };
	struct history history = HISTORY_INIT;
	struct accepted accepted = ACCEPTED_INIT;
	struct summary s;
	int status = -1;

	if (!repo_top(c->repo) && c->config.build && !o->command.n && builds) {
		err_set(err, ERR_ABSENT, "a bare repository has no work tree to build in");
		return err_hint(err, "compare two commits: pawl compare BASE..HEAD");
	}
	/* With --since-tag it is the time of that comparison. */
	if ((!o->since_tag && options_budget(o, &rq.budget_ns, err)) ||
	    options_wait(o, &rq.wait_ns, err))
		return -1;
	/* A fault in that file is said before any measuring. */
	if (accepted_load(c->repo, &accepted, err))
		return -1;
	if (builds)
		suggest_build(c);
	if (collect(&rq, &s, &history, err)) {
		accepted_release(&accepted);
		return -1;
	}
	if (s.commit.dirty)
		talk_warn(c->talk,
			  "commit the changes to give later commits something to compare with",
			  "the work tree has uncommitted changes: this result is never a baseline");
	if (!passed_over_note(store, 0, &s, err) && !judge(&s, &history, err) &&
	    (!builds || stop_signal || !rebuild_suspects(c, rq.wait_ns, &s, &history, err)) &&
	    !apply_accepted(c->repo, &accepted, &s, err) &&
	    (!accepted.n || !note_accepted(c->repo, &s, err)))
		status = finish(o, c, store, unwritable, &s, err);
	summary_release(&s);
	history_release(&history);
	accepted_release(&accepted);
	return status;
}

int cmd_collect(const struct options *o)
{
	struct err err = ERR_INIT, unwritable = ERR_INIT;
	struct context c;
	struct store *store = NULL;
	struct shard shard;
	int status = -1;

	if (o->args.n) {
		err_set(&err, ERR_USAGE, "'pawl collect' takes no argument '%s'", o->args.v[0]);
		err_hint(&err, "a command goes after '--'");
		return complain(&err);
	}
	if (check_outputs(o, &err) ||
	    check_drawn(o, "all are measured here; 'pawl compare -b NAME' measures one", &err) ||
	    read_shard(o, &shard, &err) || context_open(o, &c, &err))
		return complain(&err);
	context_sweep(&c);
	calibration_open(&c, &c.known);
	if (!(o->metric && config_set_metric(&c.config, o->metric, &err)) &&
	    !open_store(&c, &store, &unwritable, &err))
		status = collect_with(o, &c, store, &shard, &unwritable, &err);
	passed_over_tell(c.talk, store);
	store_close(store);
	context_close(&c);
	return status < 0 ? complain(&err) : status;
}
