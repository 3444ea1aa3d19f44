#include "cli/hyperfine/aside.h"

#include <string.h>

#include "collector/child/child.h"
#include "collector/child/env.h"
#include "lib/base/buf.h"

#include "lib/base/banned.h"

#define CLEAN_UP_GRACE_NS 2000000000u /* after a signal asked us to stop */

static int run_line(char *line, const char *option, struct err *err)
{
	char sh[] = "sh", c[] = "-c";
	char *const argv[] = { sh, c, line, NULL };
	struct strv env = STRV_INIT;
	struct child child = CHILD_INIT;
	struct child_result res;
	struct buf why = BUF_INIT;
	int result = -1;

	if (child_env(&env, err))
		goto out;
	if (child_run(&(struct child_spec){ .exe = "/bin/sh",
					    .argv = argv,
					    .env = env.v,
					    .cpu = -1,
					    .output_fd = -1,
					    .stop_grace_ns = CLEAN_UP_GRACE_NS },
		      &child, &res, err))
		goto out;
	result = 0;
	if (res.signal || res.exit_status) {
		child_explain(&child, &res, 0, &why);
		result = err_set(err, ERR_CHILD, "%s '%s' %s", option, line, buf_str(&why));
	}
out:
	buf_release(&why);
	child_release(&child);
	strv_release(&env);
	return result;
}

int hyperfine_check_setup(const struct hyperfine_commands *list, struct err *err)
{
	size_t i;

	for (i = 1; i < list->n; i++) {
		const char *first = list->v[0].setup, *other = list->v[i].setup;

		if (!first || !other || !strcmp(first, other))
			continue;
		err_set(err, ERR_USAGE, "--setup differs: '%s' and '%s'", first, other);
		return err_hint(err, "pawl runs the commands in turns, and the second would undo "
				     "what the first one set up. Build each in a folder of its own "
				     "beforehand, or see 'pawl compare --matrix'");
	}
	return 0;
}

int hyperfine_set_up(const struct hyperfine_commands *list, struct err *err)
{
	return list->v[0].setup ? run_line(list->v[0].setup, "--setup", err) : 0;
}

int hyperfine_clean_up(const struct hyperfine_commands *list, int result, struct err *err)
{
	struct err fault = ERR_INIT;
	size_t i, k;

	for (i = 0; i < list->n; i++) {
		char *line = list->v[i].cleanup;

		for (k = 0; k < i && line && strcmp(list->v[k].cleanup, line) != 0; k++)
			;
		if (!line || k < i || !run_line(line, "--cleanup", &fault) || result)
			continue;
		*err = fault;
		result = -1;
	}
	return result;
}
