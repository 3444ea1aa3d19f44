#include "collector/build/build.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "collector/child/child.h"
#include "collector/child/env.h"
#include "lib/base/file.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define TOLD_NS UINT64_C(1000000000)
#define LOOKED_AT 65536	 /* bytes of the end of the log */
#define FULL_BYTES 65536 /* less than that is no space left */
#define TOLD_LINES 12	 /* of its end */
#define TOLD_WIDTH 300	 /* bytes of a line */
#define TEXT_WIDTH 300	 /* of the one in the error's text */

/* The lines of the end of the log, made fit for a terminal. */
static void read_end(const char *path, struct strv *lines)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct buf text = BUF_INIT;
	struct stat st;
	char *line, *rest;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		goto out;
	if (st.st_size > LOOKED_AT)
		lseek(fd, st.st_size - LOOKED_AT, SEEK_SET);
	if (file_read_fd(fd, path, 2 * LOOKED_AT, &text, NULL) || !text.len)
		goto out;
	for (line = strtok_r(text.data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		err_clean(line);
		if (line[strspn(line, " ?")])
			strv_add(lines, line, NULL);
	}
out:
	file_close(&fd);
	buf_release(&text);
}

/* "make: *** No rule to make target 'x'.  Stop." */
static bool is_of_make(const char *line)
{
	return (str_starts(line, "make") || str_starts(line, "gmake")) && strstr(line, ": *** ");
}

/* "make[1]: *** [Makefile:2: all] Error 1": something failed that said why before. */
static bool is_consequence(const char *line)
{
	return is_of_make(line) &&
	       (strstr(line, "] Error ") || strstr(line, "*** Waiting for unfinished jobs"));
}

/*
 * The line that says why: the first with an error of a compiler's kind, or of make itself, or the
 * one before make gave up, whose words are *out_end; else the last one.
 */
static const char *why(const struct strv *lines, const char **out_end)
{
	static const char *const marks[] = {
		"undefined reference to ", "error: ", "Error: ", "ERROR: ", "error:", "rror at "
	};
	size_t i, m;

	*out_end = NULL;
	for (m = 0; m < sizeof(marks) / sizeof(marks[0]); m++)
		for (i = 0; i < lines->n; i++)
			if (strstr(lines->v[i], marks[m]))
				return lines->v[i];
	for (i = 0; i < lines->n; i++)
		if (is_of_make(lines->v[i]) && !is_consequence(lines->v[i]))
			return lines->v[i];
	for (i = 0; i < lines->n; i++)
		if (is_consequence(lines->v[i])) {
			if (!i || str_starts(lines->v[i - 1], "make"))
				return lines->v[i];
			*out_end = lines->v[i];
			return lines->v[i - 1];
		}
	return lines->n ? lines->v[lines->n - 1] : "it printed nothing";
}

/* More follows behind it: without the full stop of a sentence. */
static int width_of(const char *line)
{
	size_t n = strlen(line);

	while (n > 1 && line[n - 1] == '.')
		n--;
	return (int)(n < TEXT_WIDTH ? n : TEXT_WIDTH);
}

/* A full disk is the machine's fault, not the commit's.  The log may lie on it too. */
static bool is_full(const struct strv *lines, const char *dir)
{
	struct statvfs st;
	size_t i;

	for (i = 0; i < lines->n; i++)
		if (strstr(lines->v[i], "No space left on device") ||
		    strstr(lines->v[i], "Disk quota exceeded"))
			return true;
	return !statvfs(dir, &st) && st.f_blocks && st.f_bavail * st.f_bsize < FULL_BYTES;
}

static enum err_code code_of(const struct child_result *res, const struct strv *lines,
			     const char *dir)
{
	if (res->timed_out)
		return ERR_TIMEOUT;
	return is_full(lines, dir) ? ERR_FULL : ERR_CHILD;
}

static int explain(const struct child *c, const struct child_result *res,
		   const struct build_job *job, struct err *err)
{
	struct strv lines = STRV_INIT;
	struct buf how = BUF_INIT;
	const char *line, *end;
	size_t i;

	child_explain(c, res, job->timeout_ns, &how);
	read_end(job->log_path, &lines);
	for (i = lines.n > TOLD_LINES ? lines.n - TOLD_LINES : 0; i < lines.n; i++)
		talk_note(job->talk, "build: %.*s", TOLD_WIDTH, lines.v[i]);
	line = why(&lines, &end);
	err_set(err, code_of(res, &lines, job->dir), "the build %s: %.*s%s%.*s%s", buf_str(&how),
		width_of(line), line, end ? " (" : "", TOLD_WIDTH, end ? end : "", end ? ")" : "");
	buf_release(&how);
	strv_release(&lines);
	return err_hint(err, "the whole output is in '%s'", job->log_path);
}

struct age {
	char text[32];
};

/* ", 40 s"; nothing of the first seconds. */
static struct age build_age(uint64_t ns)
{
	struct age a = { "" };

	if (ns >= 2 * TOLD_NS)
		snprintf(a.text, sizeof(a.text), ", %llu s", (unsigned long long)(ns / 1000000000));
	return a;
}

/* Waits for its end; says from time to time how long that takes already. */
static int wait_for(const struct build_job *job, struct child *child, struct child_result *out,
		    struct err *err)
{
	uint64_t start = when_monotonic_ns(), end = child->deadline_ns, now = start;
	enum child_event event;

	do {
		talk_progress(job->talk, 0, 0, "building%s: %s", build_age(now - start).text,
			      job->command);
		child->deadline_ns = end && end < now + TOLD_NS ? end : now + TOLD_NS;
		event = child_poll(child, false);
		now = when_monotonic_ns();
	} while (event == CHILD_TIMEOUT && (!end || now < end));
	child->deadline_ns = end;
	child_finish(child, NULL, event == CHILD_TIMEOUT, out);
	return event == CHILD_STOPPED ? err_stopped(err) : 0;
}

int build_run_job(const struct build_job *job, struct err *err)
{
	char sh[] = "sh", dash_c[] = "-c", *text = str_dup(job->command, err);
	char *argv[] = { sh, dash_c, text, NULL };
	struct child_spec spec = { .exe = "/bin/sh",
				   .argv = argv,
				   .env = job->env,
				   .dir = job->dir,
				   .cpu = -1,
				   .timeout_ns = job->timeout_ns,
				   .output_fd = job->log_fd };
	struct child child = CHILD_INIT;
	struct child_result res;
	int result = -1;

	if (!text)
		return -1;
	if (!child_start(&spec, &child, err) && !wait_for(job, &child, &res, err))
		result = res.timed_out || res.signal || res.exit_status
				 ? explain(&child, &res, job, err)
				 : 0;
	child_release(&child);
	free(text);
	return result;
}

int build_run(const char *command, const char *dir, const char *log_path, uint64_t timeout_ns,
	      const struct talk *talk, struct err *err)
{
	struct build_job job = { .command = command,
				 .dir = dir,
				 .log_fd = -1,
				 .log_path = log_path,
				 .timeout_ns = timeout_ns,
				 .talk = talk };
	struct strv env = STRV_INIT;
	int result = -1;

	if (child_env(&env, err))
		goto out;
	job.env = env.v;
	file_clear_place(log_path);
	job.log_fd = open(log_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (job.log_fd < 0)
		err_sys(err, ERR_IO, "cannot write '%s'", log_path);
	else
		result = build_run_job(&job, err);
out:
	file_close(&job.log_fd);
	strv_release(&env);
	return result;
}
