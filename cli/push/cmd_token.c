#include <string.h>

#include "cli/command.h"
#include "cli/option/hint.h"
#include "lib/base/buf.h"
#include "lib/store/ledger/token_request.h"

#include "lib/base/banned.h"

#define VERBS "add list revoke"

static bool is_verb(const char *word)
{
	struct strv verbs = STRV_INIT;
	bool found = !words_split(VERBS, &verbs, NULL) && strv_has(&verbs, word);

	strv_release(&verbs);
	return found;
}

int cmd_token(const struct options *o)
{
	const struct token_request rq = {
		.verb = o->args.n ? o->args.v[0] : NULL,
		.id = o->args.n > 1 ? o->args.v[1] : NULL,
		.store = o->store,
		/* a configuration key for other commands: here it is the token's */
		.project = options_setting(o, "project"),
		.scope = o->scope,
		.label = o->label,
		.expires = o->expires,
		.untrusted = o->untrusted,
	};
	struct err err = ERR_INIT;
	struct buf text = BUF_INIT;
	int result = -1;

	terminal_talk(o);
	if (o->args.n && !is_verb(o->args.v[0])) {
		err_set(&err, ERR_USAGE, "'token %s' is no command", o->args.v[0]);
		hint_nearest(&err, o->args.v[0], VERBS, "pawl token ",
			     "use token add, token list or token revoke");
	} else if (o->args.n > 2)
		err_set(&err, ERR_USAGE, "unexpected '%s'", o->args.v[2]);
	else
		result = token_request_run(&rq, &text, &err) || print_answer(o, &text, &err);
	buf_release(&text);
	return result ? complain(&err) : EXIT_OK;
}
