#include "collector/build.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/child.h"
#include "collector/child_env.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define TAIL 400 /* bytes of the log that fit an error's one line */

/* The end of the log, on one line. */
static void tail_of(const char *path, struct buf *out)
{
	struct buf text = BUF_INIT;
	size_t start, i;

	if (!file_read_whole(path, 64u << 20, &text, NULL)) {
		while (text.len && strchr(" \n\t", text.data[text.len - 1]))
			buf_truncate(&text, text.len - 1);
		start = text.len > TAIL ? text.len - TAIL : 0;
		for (i = start; i < text.len; i++) {
			if (text.data[i] == '\n')
				buf_adds(out, " | ");
			else
				buf_addc(out, text.data[i]);
		}
	}
	buf_release(&text);
}

static int explain(const struct child *c, const struct child_result *res, uint64_t timeout_ns,
		   const char *log_path, struct err *err)
{
	struct buf how = BUF_INIT, tail = BUF_INIT;

	child_explain(c, res, timeout_ns, &how);
	tail_of(log_path, &tail);
	err_set(err, res->timed_out ? ERR_TIMEOUT : ERR_CHILD, "the build %s; it printed last: %s",
		buf_str(&how), tail.len ? buf_str(&tail) : "nothing");
	buf_release(&how);
	buf_release(&tail);
	return err_hint(err, "the whole output is in '%s'", log_path);
}

int build_run(const char *command, const char *dir, const char *log_path, uint64_t timeout_ns,
	      const struct talk *talk, struct err *err)
{
	char sh[] = "sh", dash_c[] = "-c", *text = str_dup(command, err);
	char *argv[] = { sh, dash_c, text, NULL };
	struct child_spec spec = { .exe = "/bin/sh",
				   .argv = argv,
				   .dir = dir,
				   .cpu = -1,
				   .timeout_ns = timeout_ns,
				   .output_fd = -1 };
	struct child child = CHILD_INIT;
	struct child_result res;
	struct strv env = STRV_INIT;
	int log = -1, result = -1;

	if (!text || child_env(&env, err))
		goto out;
	log = open(log_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (log < 0) {
		err_sys(err, ERR_IO, "cannot write '%s'", log_path);
		goto out;
	}
	spec.env = env.v;
	spec.output_fd = log;
	talk_progress(talk, 0, 0, "building: %s", command);
	if (child_run(&spec, &child, &res, err))
		goto out;
	result = res.timed_out || res.signal || res.exit_status
			 ? explain(&child, &res, timeout_ns, log_path, err)
			 : 0;
out:
	if (log >= 0)
		close(log);
	child_release(&child);
	strv_release(&env);
	free(text);
	return result;
}
