#include "lib/process/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/process/guard.h"
#include "lib/process/marked.h"
#include "lib/process/stop.h"
#include "lib/base/strv.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

struct pipe_pair {
	int read_fd, write_fd;
};

static int open_pipe(struct pipe_pair *p, struct err *err)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		return err_sys(err, ERR_IO, "cannot create a pipe");
	p->read_fd = fds[0];
	p->write_fd = fds[1];
	return 0;
}

/*
 * The program's stdin: nothing, or a file in memory.  A pipe would have to be fed while
 * the output is read, and would raise SIGPIPE when the program does not read it.
 */
static int open_input(const void *input, size_t n, struct err *err)
{
	int fd = input ? memfd_create("input", MFD_CLOEXEC)
		       : open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return err_sys(err, ERR_IO, "cannot open the input of a program");
	if (input && (file_write_fd(fd, "input", input, n, err) || lseek(fd, 0, SEEK_SET))) {
		close(fd);
		return -1;
	}
	return fd;
}

static bool is_set_in(const char *entry, char *const *more)
{
	size_t name = strcspn(entry, "=") + 1;

	for (; more && *more; more++)
		if (!strncmp(entry, *more, name))
			return true;
	return false;
}

/* Ours with `more` in it instead of what was there under those names; or `more` alone. */
static int make_environment(const struct proc_options *o, struct strv *out, struct err *err)
{
	char *const *more = o->environment;
	char **entry;

	for (entry = o->no_other ? NULL : environ; entry && *entry; entry++)
		if (!is_set_in(*entry, more) && strv_add(out, *entry, err))
			return -1;
	return more ? strv_add_all(out, more, err) : 0;
}

/* Fills the actions and attributes of posix_spawn; an errno value or 0. */
static int prepare(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes,
		   const struct proc_options *o, const int fds[3])
{
	short flags =
		o->apart ? POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP : POSIX_SPAWN_SETSIGDEF;
	sigset_t signals;
	int rc = 0, i;

	sigemptyset(&signals);
	sigaddset(&signals, SIGPIPE);
	sigaddset(&signals, SIGXFSZ);
	if (o->dir)
		rc = posix_spawn_file_actions_addchdir_np(actions, o->dir);
	for (i = 0; !rc && i < 3; i++)
		rc = posix_spawn_file_actions_adddup2(actions, fds[i], i);
	if (!rc)
		rc = posix_spawnattr_setsigdefault(attributes, &signals);
	if (!rc)
		rc = posix_spawnattr_setflags(attributes, flags); /* the group: one of its own */
	return rc;
}

static int spawn(const struct proc_options *o, char *const *argv, const int fds[3], uint64_t mark,
		 pid_t *out, struct err *err)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	struct strv env = STRV_INIT;
	struct stat st;
	int rc = -1;

	if (o->dir && (stat(o->dir, &st) || !S_ISDIR(st.st_mode)))
		return err_set(err, ERR_ABSENT, "cannot run '%s': there is no folder '%s'", argv[0],
			       o->dir);
	if (make_environment(o, &env, err))
		goto out;
	if (posix_spawn_file_actions_init(&actions)) {
		err_nomem(err);
		goto out;
	}
	if (posix_spawnattr_init(&attributes)) {
		posix_spawn_file_actions_destroy(&actions);
		err_nomem(err);
		goto out;
	}
	rc = prepare(&actions, &attributes, o, fds);
	marked_begin(mark);
	if (!rc)
		rc = posix_spawnp(out, argv[0], &actions, &attributes, argv,
				  env.v ? env.v : (char *[]){ NULL });
	marked_end();
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	if (rc) {
		errno = rc;
		rc = err_sys(err, rc == ENOENT ? ERR_ABSENT : ERR_IO, "cannot run '%s'", argv[0]);
	}
out:
	strv_release(&env);
	return rc;
}

/* What collect() works on. */
struct reading {
	int fds[2]; /* stdout and stderr, -1 when at their end */
	struct buf *out, *errors;
	size_t out_before, errors_before; /* bytes that the caller had in them */
};

static void keep_end(struct buf *buf, size_t before)
{
	size_t n = buf->len - before;

	if (n <= PROC_ERRORS_KEPT)
		return;
	memmove(buf->data + before, buf->data + buf->len - PROC_ERRORS_KEPT, PROC_ERRORS_KEPT);
	buf_truncate(buf, before + PROC_ERRORS_KEPT);
}

/* Reads what is ready of one of the two; closes it at its end. */
static void drain(struct reading *r, int which)
{
	struct buf *to = which ? r->errors : r->out;
	char chunk[16384];
	ssize_t n = read(r->fds[which], chunk, sizeof(chunk));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		file_close(&r->fds[which]);
		return;
	}
	if (to)
		buf_add(to, chunk, (size_t)n);
	if (to && which)
		keep_end(to, r->errors_before);
}

#define LOOK_AGAIN_MS 3600000

static int left_ms(uint64_t now, uint64_t end, const struct proc_options *o)
{
	uint64_t ms = now >= end ? 0 : (end - now) / 1000000 + 1;
	uint64_t most = o->stops ? STOP_LOOK_MS : LOOK_AGAIN_MS;

	return (int)(ms > most ? most : ms);
}

/* Reads until both pipes are at their end, or the program is and they are empty. */
static int collect(struct reading *r, int pid_fd, const char *name, const struct proc_options *o,
		   struct err *err)
{
	uint64_t start = when_monotonic_ns();
	uint64_t end = o->timeout_ns > UINT64_MAX - start ? UINT64_MAX : start + o->timeout_ns;
	uint64_t stop_end = 0;
	bool ended = false, was_stopped = stop_signal;

	while (r->fds[0] >= 0 || r->fds[1] >= 0) {
		struct pollfd p[3] = { { r->fds[0], POLLIN, 0 },
				       { r->fds[1], POLLIN, 0 },
				       { ended ? -1 : pid_fd, POLLIN, 0 } };
		uint64_t now = when_monotonic_ns();
		int ready = poll(p, 3, ended ? 0 : left_ms(now, end, o));

		if (!ready && ended)
			return 0;
		if (o->stops && stop_signal && !stop_end)
			stop_end =
				now + (o->apart || (o->graced && was_stopped) ? PROC_GRACE_NS : 0);
		if (stop_end && now >= stop_end)
			return err_stopped(err);
		if (now >= end)
			return err_set(err, ERR_TIMEOUT, "'%s' did not finish in time", name);
		if (p[0].revents)
			drain(r, 0);
		if (p[1].revents)
			drain(r, 1);
		if (p[2].revents)
			ended = true;
		if (r->out && r->out->len - r->out_before > o->max)
			return err_set(err, ERR_LIMIT, "'%s' printed more than %zu bytes", name,
				       o->max);
	}
	return 0;
}

/* Reads what it prints and waits for its end; kills it when the reading failed, with what it
 * started, and what that left where a signal asks us to stop. */
static int attend(pid_t pid, struct reading *r, const char *name, const struct proc_options *o,
		  uint64_t mark, int *out_status, struct err *err)
{
	int pid_fd =
		(int)syscall(SYS_pidfd_open, pid, 0); /* -1 before Linux 5.3: then poll skips it */
	bool was_stopped = stop_signal;
	int status = 0, result;

	result = collect(r, pid_fd, name, o, err);
	if (result)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (result || (o->stops && stop_signal && !was_stopped))
		(o->spares ? marked_kill_near : marked_kill)(mark);
	file_close(&pid_fd);
	if (!result &&
	    ((r->out && buf_check(r->out, err)) || (r->errors && buf_check(r->errors, err))))
		result = -1;
	if (!result)
		*out_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return result;
}

/*
 * What it starts is known by this: by the mark of the guard, so that it does not outlive us either,
 * unless it leaves halves when it is cut off, or daemons that are to last.
 */
static uint64_t mark_for(const struct proc_options *o)
{
	uint64_t mark = o->apart || o->spares ? 0 : guard_mark();

	return mark ? mark : marked_new();
}

int proc_run(const struct proc_options *options, char *const *argv, struct buf *out,
	     struct buf *out_errors, int *out_status, struct err *err)
{
	struct pipe_pair a = { -1, -1 }, b = { -1, -1 };
	struct reading r = { { -1, -1 }, out, out_errors, 0, 0 };
	uint64_t mark = mark_for(options);
	int result = -1, input;
	pid_t pid;

	r.out_before = out ? out->len : 0;
	r.errors_before = out_errors ? out_errors->len : 0;
	input = open_input(options->input, options->n_input, err);
	if (input < 0 || open_pipe(&a, err) || open_pipe(&b, err))
		goto out;
	if (spawn(options, argv, (int[]){ input, a.write_fd, b.write_fd }, mark, &pid, err))
		goto out;
	file_close(&a.write_fd);
	file_close(&b.write_fd);
	r.fds[0] = a.read_fd;
	r.fds[1] = b.read_fd;
	a.read_fd = b.read_fd = -1;
	result = attend(pid, &r, argv[0], options, mark, out_status, err);
out:
	file_close(&input);
	file_close(&a.read_fd);
	file_close(&a.write_fd);
	file_close(&b.read_fd);
	file_close(&b.write_fd);
	file_close(&r.fds[0]);
	file_close(&r.fds[1]);
	return result;
}

int proc_capture(const char *dir, char *const *argv, size_t max, uint64_t timeout_ns,
		 struct buf *out, struct buf *out_errors, int *out_status, struct err *err)
{
	const struct proc_options options = {
		.dir = dir, .max = max, .timeout_ns = timeout_ns, .stops = true, .graced = true
	};

	return proc_run(&options, argv, out, out_errors, out_status, err);
}
