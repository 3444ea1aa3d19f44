#include "server/token_cmd.h"

#include <getopt.h>
#include <stddef.h>

#include "lib/store/ledger/token_request.h"

#include "lib/base/banned.h"

enum { STORE = 256, PROJECT, SCOPE, LABEL, EXPIRES, UNTRUSTED };

static const struct option known[] = {
	{ "store", required_argument, NULL, STORE },
	{ "project", required_argument, NULL, PROJECT },
	{ "scope", required_argument, NULL, SCOPE },
	{ "label", required_argument, NULL, LABEL },
	{ "expires", required_argument, NULL, EXPIRES },
	{ "untrusted", no_argument, NULL, UNTRUSTED },
	{ NULL, 0, NULL, 0 },
};

static int read_options(int argc, char **argv, struct token_request *rq, struct err *err)
{
	const char **texts[] = { &rq->store, &rq->project, &rq->scope, &rq->label, &rq->expires };
	int option;

	optind = 1;
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", known, NULL)) >= 0) {
		if (option == UNTRUSTED)
			rq->untrusted = true;
		else if (option >= STORE && option <= EXPIRES)
			*texts[option - STORE] = optarg;
		else
			return err_set(err, ERR_USAGE, "unknown option, or one without its value");
	}
	if (optind < argc)
		rq->id = argv[optind++];
	return optind < argc ? err_set(err, ERR_USAGE, "unexpected '%s'", argv[optind]) : 0;
}

int token_command(int argc, char **argv, struct buf *out, struct err *err)
{
	struct token_request rq = { .verb = argc ? argv[0] : NULL };

	if (argc && read_options(argc, argv, &rq, err))
		return -1;
	return token_request_run(&rq, out, err);
}
