#include <stdio.h>

#include "cli/command.h"
#include "lib/base/number.h"

#include "lib/base/banned.h"

#define BUDGET_NS 60000000000u

static int push(const struct options *o, const struct context *c, struct store *store,
		struct err *err)
{
	uint64_t budget_ns = BUDGET_NS;
	size_t left = 0;

	if (o->wait && !number_duration_ns(o->wait, &budget_ns))
		return err_set(err, ERR_USAGE, "--wait takes a time such as 15m, not '%s'",
			       o->wait);
	if (!c->config.server) {
		err_set(err, ERR_CONFIG, "no results server is named");
		return err_hint(err, "git config pawl.server https://HOST/");
	}
	if (send_queue(c, store, budget_ns, o->wait != NULL, &left, err))
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
	if (o->file)
		return push_file(o);
	if (o->commit || o->branch) {
		err_set(&err, ERR_USAGE, "--commit and --branch are about --file");
		return complain(&err);
	}
	return run_with_store(o, STORE_WRITE, push);
}
