/*
 * pawl import --format pawl: summary documents of other jobs into this store, as they are.  The
 * parts of a suite that was measured in parallel come together this way, for the next run to know
 * what each benchmark takes.
 */
#include <string.h>

#include "cli/command.h"
#include "lib/base/buf.h"
#include "lib/process/input.h"
#include "lib/process/stop.h"

#include "lib/base/banned.h"

#define SEND_BUDGET_NS 60000000000u

static int read_one(const char *path, struct summary *out, struct err *err)
{
	struct buf text = BUF_INIT;
	int result = input_read_named(path, SUMMARY_MAX_BYTES, &text, err);

	if (!result && summary_decode(buf_str(&text), text.len, out, err))
		result = err_in(err, "'%s' is no result of pawl", path);
	buf_release(&text);
	return result;
}

static int store_one(const struct context *c, struct store *store, const char *path, bool post,
		     struct buf *answer, struct err *err)
{
	struct summary s;
	bool queued = false;
	int result = -1;

	if (read_one(path, &s, err))
		return -1;
	if (strcmp(s.project, c->project)) {
		err_set(err, ERR_REFUSED, "'%s' is of project '%s', not of '%s'", path, s.project,
			c->project);
		err_hint(err, "name it: --project %s", s.project);
	} else if (store_add(store, &s, post, &queued, err)) {
		err_in(err, "'%s'", path);
	} else {
		buf_addf(answer, "%s: stored as %s for %.12s\n", path, s.id,
			 s.commit.id ? s.commit.id : "no commit");
		result = buf_check(answer, err);
	}
	summary_release(&s);
	return result;
}

int import_own(const struct options *o, const struct context *c, struct store *store,
	       struct err *err)
{
	bool post = c->config.server && !o->no_push;
	struct err fault = ERR_INIT;
	struct buf answer = BUF_INIT;
	size_t i, n_stored, left = 0;
	int result = 0;

	if (o->json || o->commit) {
		err_set(err, ERR_USAGE, "--format pawl takes neither --json nor --commit");
		return err_hint(err, "the documents say themselves what they are of");
	}
	for (i = 0; i < o->args.n && !result && !stop_signal; i++)
		result = store_one(c, store, o->args.v[i], post, &answer, err);
	n_stored = i - (result != 0);
	if (answer.len && print_answer(o, &answer, result ? NULL : err))
		result = -1;
	buf_release(&answer);
	if (stop_signal)
		return err_set(err, ERR_STOPPED, "stopped by a signal: %zu of %zu are stored",
			       n_stored, o->args.n);
	if (!result && post && send_queue(c, store, SEND_BUDGET_NS, false, &left, &fault))
		talk_warn(c->talk, fault.hint[0] ? fault.hint : NULL, "not posted: %s", fault.text);
	return result;
}
