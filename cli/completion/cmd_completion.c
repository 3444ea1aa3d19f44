#include <string.h>

#include "cli/command.h"
#include "cli/completion/completion.h"
#include "cli/option/hint.h"
#include "cli/known.h"

#include "lib/base/banned.h"

#define WORDS "bash zsh fish benchmarks machines"

/* For a script that asks while somebody types: whatever is wrong, there are no names. */
static void add_names(const struct options *o, bool machines, struct buf *out)
{
	struct strv names = STRV_INIT;
	struct context c;
	size_t i;

	if (context_look(o, &c))
		return;
	if (machines)
		known_machines(&c, &names, NULL);
	else
		known_benchmarks(&c, &names, NULL);
	for (i = 0; i < names.n; i++)
		if (!strchr(names.v[i], '\n'))
			buf_addf(out, "%s\n", names.v[i]);
	strv_release(&names);
	context_close(&c);
}

int cmd_completion(const struct options *o)
{
	const char *what = o->args.n ? o->args.v[0] : "";
	struct err err = ERR_INIT;
	struct buf text = BUF_INIT;
	int result = -1;

	if (o->args.n > 1) {
		err_set(&err, ERR_USAGE, "'pawl completion' takes one word");
	} else if (!strcmp(what, "benchmarks") || !strcmp(what, "machines")) {
		add_names(o, *what == 'm', &text);
		result = print_exactly(o, &text, &err);
	} else if (completion_script(what, &text)) {
		result = buf_check(&text, &err) || print_exactly(o, &text, &err);
	} else {
		err_set(&err, ERR_USAGE,
			*what ? "'pawl completion' knows no '%s'"
			      : "'pawl completion' needs a word%s",
			what);
		hint_nearest(&err, what, WORDS, "pawl completion ",
			     "pawl completion bash | zsh | fish");
	}
	buf_release(&text);
	return result ? complain(&err) : EXIT_OK;
}
