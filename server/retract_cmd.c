#include "server/retract_cmd.h"

#include <getopt.h>
#include <stddef.h>

#include "lib/store/ledger/ledger.h"

#include "lib/base/banned.h"

enum { STORE = 256, PROJECT, BENCHMARK, WHY, RESTORE, UNTRUSTED, LIST };

static const struct option known[] = {
	{ "store", required_argument, NULL, STORE },
	{ "project", required_argument, NULL, PROJECT },
	{ "benchmark", required_argument, NULL, BENCHMARK },
	{ "why", required_argument, NULL, WHY },
	{ "restore", no_argument, NULL, RESTORE },
	{ "untrusted", no_argument, NULL, UNTRUSTED },
	{ "list", no_argument, NULL, LIST },
	{ NULL, 0, NULL, 0 },
};

struct asked {
	const char *store;
	struct retraction what;
	bool list;
};

static int read_option(int option, struct asked *a, struct err *err)
{
	switch (option) {
	case STORE:
		a->store = optarg;
		return 0;
	case PROJECT:
		a->what.project = optarg;
		return 0;
	case BENCHMARK:
		a->what.benchmark = optarg;
		return 0;
	case WHY:
		a->what.why = optarg;
		return 0;
	case RESTORE:
		a->what.is_restored = true;
		return 0;
	case UNTRUSTED:
		a->what.untrusted = true;
		return 0;
	case LIST:
		a->list = true;
		return 0;
	default:
		err_set(err, ERR_USAGE, "unknown option, or one without its value");
		return err_hint(err, "see pawld --help");
	}
}

static int read_options(int argc, char **argv, struct asked *a, struct err *err)
{
	int option;

	/* getopt skips what it takes for the program's name. */
	optind = 0;
	opterr = 0;
	while ((option = getopt_long(argc + 1, argv - 1, "", known, NULL)) >= 0)
		if (read_option(option, a, err))
			return -1;
	if (optind < argc + 1)
		a->what.id = argv[optind++ - 1];
	if (optind < argc + 1)
		return err_set(err, ERR_USAGE, "unexpected '%s'", argv[optind - 1]);
	if (!a->store)
		return err_set(err, ERR_USAGE, "--store is missing");
	if (!a->what.project)
		return err_set(err, ERR_USAGE, "--project is missing");
	if (!a->what.id == !a->list)
		return err_set(err, ERR_USAGE, "give the id of a summary, or --list");
	return 0;
}

static int retract(struct ledger *l, const struct asked *a, struct buf *out, struct err *err)
{
	const struct retraction *w = &a->what;
	bool changed;

	if (ledger_retract(l, w, &changed, err))
		return -1;
	buf_addf(out, "summary %s%s%s: %s%s\n", w->id, w->benchmark ? ", benchmark " : "",
		 w->benchmark ? w->benchmark : "", changed ? "" : "was already ",
		 w->is_restored ? "shown" : "retracted");
	return buf_check(out, err);
}

int retract_command(int argc, char **argv, struct buf *out, struct err *err)
{
	struct asked a = { .what.who = "pawld retract" };
	struct ledger *l = NULL;
	int result;

	if (read_options(argc, argv, &a, err) ||
	    ledger_open(a.store, a.list ? LEDGER_READ : LEDGER_CHANGE, &l, err))
		return -1;
	if (a.list) {
		result = ledger_retractions(l, a.what.project, out, err);
		buf_addc(out, '\n');
	} else {
		result = retract(l, &a, out, err);
	}
	ledger_close(l);
	return result;
}
