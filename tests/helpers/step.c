/*
 * step - runs a command and lets one of its system calls fail, or kills it there.
 *
 *   step HOW COUNT K [-p] COMMAND...
 *
 * The calls of the first process and its threads are counted, from its first readlink(),
 * sigaction() or lstat() on, with which pawl, pawld and its commands begin, and of these only those
 * that may fail for a reason from outside: files, memory, processes, waiting.  HOW: "count", an
 * errno's name (ENOSPC
 * ...), "short" (a read or write of one byte), "kill-before", "kill-after".  K: which call, from 1;
 * with -p all from there on fail.  The file COUNT gets "N NAME": how many calls there were, and
 * what the K-th was. Ends as the command does, 128+n for a signal; 120 when K was never reached,
 * 125 where nobody may be traced.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/banned.h"

#if defined(__x86_64__)

static const struct {
	const char *name;
	long number;
	bool is_short; /* its third argument is a number of bytes */
} calls[] = {
	{ "read", SYS_read, true },
	{ "write", SYS_write, true },
	{ "pread64", SYS_pread64, true },
	{ "pwrite64", SYS_pwrite64, true },
	{ "writev", SYS_writev, false },
	{ "open", SYS_open, false },
	{ "openat", SYS_openat, false },
	{ "close", SYS_close, false },
	{ "fsync", SYS_fsync, false },
	{ "fdatasync", SYS_fdatasync, false },
	{ "ftruncate", SYS_ftruncate, false },
	{ "rename", SYS_rename, false },
	{ "renameat", SYS_renameat, false },
	{ "renameat2", SYS_renameat2, false },
	{ "link", SYS_link, false },
	{ "unlink", SYS_unlink, false },
	{ "unlinkat", SYS_unlinkat, false },
	{ "mkdir", SYS_mkdir, false },
	{ "rmdir", SYS_rmdir, false },
	{ "flock", SYS_flock, false },
	{ "fcntl", SYS_fcntl, false },
	{ "clone", SYS_clone, false },
	{ "clone3", SYS_clone3, false },
	{ "vfork", SYS_vfork, false },
	{ "pipe2", SYS_pipe2, false },
	{ "socket", SYS_socket, false },
	{ "socketpair", SYS_socketpair, false },
	{ "connect", SYS_connect, false },
	{ "memfd_create", SYS_memfd_create, false },
	{ "mmap", SYS_mmap, false },
	{ "poll", SYS_poll, false },
	{ "fchmod", SYS_fchmod, false },
	{ "lseek", SYS_lseek, false },
	{ "getdents64", SYS_getdents64, false },
};

static const struct {
	const char *name;
	int number;
} errors[] = {
	{ "ENOSPC", ENOSPC }, { "EIO", EIO },	    { "EDQUOT", EDQUOT }, { "EROFS", EROFS },
	{ "EMFILE", EMFILE }, { "EINTR", EINTR },   { "EAGAIN", EAGAIN }, { "ENOMEM", ENOMEM },
	{ "EACCES", EACCES }, { "ENOENT", ENOENT },
};

#define N_CALLS (sizeof(calls) / sizeof(calls[0]))
#define NOT_REACHED 120
#define NOT_HERE 125

enum how { COUNT, FAIL, SHORT, KILL_BEFORE, KILL_AFTER };

static struct {
	enum how how;
	int error;
	long k;
	bool goes_on;
	long n;
	const char *hit;
	bool has_begun; /* what the loader does is none of the program's */
} job;

static void parse_how(const char *word)
{
	static const char *const names[] = { "count", "", "short", "kill-before", "kill-after" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (*names[i] && !strcmp(word, names[i])) {
			job.how = (enum how)i;
			return;
		}
	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (!strcmp(word, errors[i].name)) {
			job.how = FAIL;
			job.error = errors[i].number;
			return;
		}
	fprintf(stderr, "step: no '%s'\n", word);
	exit(2);
}

/* The row of the call that a stopped process is about to make, or NULL. */
static size_t row_of(const struct user_regs_struct *r)
{
	size_t i;

	for (i = 0; i < N_CALLS && calls[i].number != (long)r->orig_rax; i++)
		;
	/* Memory that is asked for, not what the loader maps of files or takes from the stack. */
	if (i < N_CALLS && calls[i].number == SYS_mmap && (int)r->r8 != -1)
		return N_CALLS;
	return i;
}

/* Whether the call that it is about to make fails at its end. */
static bool enter(pid_t pid, bool *out_kill)
{
	struct user_regs_struct r;
	size_t row;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &r))
		return false;
	job.has_begun = job.has_begun || r.orig_rax == SYS_readlink ||
			r.orig_rax == SYS_rt_sigaction ||
			(r.orig_rax == SYS_newfstatat && r.r10 == AT_SYMLINK_NOFOLLOW);
	row = row_of(&r);
	if (!job.has_begun || row == N_CALLS)
		return false;
	job.n++;
	if (job.how == COUNT || !(job.n == job.k || (job.goes_on && job.n > job.k)))
		return false;
	if (!job.hit)
		job.hit = calls[row].name;
	switch (job.how) {
	case KILL_BEFORE:
		r.orig_rax = (unsigned long long)-1;
		ptrace(PTRACE_SETREGS, pid, NULL, &r);
		*out_kill = true;
		return false;
	case KILL_AFTER:
		*out_kill = true;
		return false;
	case SHORT:
		if (calls[row].is_short && r.rdx > 1) {
			r.rdx = 1;
			ptrace(PTRACE_SETREGS, pid, NULL, &r);
		}
		return false;
	case FAIL:
		/* The kernel closes a descriptor also where that fails: a lock is free. */
		if (r.orig_rax != SYS_close) {
			r.orig_rax = (unsigned long long)-1;
			ptrace(PTRACE_SETREGS, pid, NULL, &r);
		}
		return true;
	case COUNT:
	default:
		return false;
	}
}

static void leave_with_error(pid_t pid)
{
	struct user_regs_struct r;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &r))
		return;
	r.rax = (unsigned long long)-job.error;
	ptrace(PTRACE_SETREGS, pid, NULL, &r);
}

/* One thread of the process; few have more than two. */
struct thread {
	pid_t id;
	bool inside, fails, dies;
};

#define MOST_THREADS 64

static struct thread *thread_of(pid_t id)
{
	static struct thread all[MOST_THREADS];
	size_t i;

	for (i = 0; i < MOST_THREADS; i++)
		if (all[i].id == id)
			return &all[i];
	for (i = 0; i < MOST_THREADS; i++)
		if (!all[i].id) {
			all[i] = (struct thread){ .id = id };
			return &all[i];
		}
	fputs("step: too many threads\n", stderr);
	exit(2);
}

static int follow(pid_t first)
{
	int status = 0;

	for (;;) {
		pid_t pid = waitpid(-1, &status, __WALL);
		struct thread *t;
		int signal = 0;

		if (pid < 0)
			return NOT_HERE;
		if (WIFEXITED(status) || WIFSIGNALED(status)) {
			if (pid == first)
				return WIFEXITED(status) ? WEXITSTATUS(status)
							 : 128 + WTERMSIG(status);
			thread_of(pid)->id = 0;
			continue;
		}
		t = thread_of(pid);
		if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
			if (!t->inside)
				t->fails = enter(pid, &t->dies);
			else if (t->fails)
				leave_with_error(pid);
			if ((t->dies && (t->inside || job.how == KILL_BEFORE)))
				kill(first, SIGKILL);
			t->inside = !t->inside;
		} else if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8)) {
			t->inside = true;
		} else if (status >> 16 == 0 && WSTOPSIG(status) != SIGSTOP &&
			   WSTOPSIG(status) != SIGTRAP) {
			signal = WSTOPSIG(status);
		}
		ptrace(PTRACE_SYSCALL, pid, NULL, signal);
	}
}

int main(int argc, char **argv)
{
	int at = 4, status;
	FILE *f;
	pid_t pid;

	if (argc < 5) {
		fputs("usage: step HOW COUNT K [-p] COMMAND...\n", stderr);
		return 2;
	}
	parse_how(argv[1]);
	job.k = strtol(argv[3], NULL, 10);
	if (!strcmp(argv[at], "-p")) {
		job.goes_on = true;
		at++;
	}
	pid = fork();
	if (!pid) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			_exit(NOT_HERE);
		raise(SIGSTOP);
		execvp(argv[at], argv + at);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status))
		return NOT_HERE;
	if (ptrace(PTRACE_SETOPTIONS, pid, NULL,
		   PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE |
			   PTRACE_O_EXITKILL))
		return NOT_HERE;
	ptrace(PTRACE_SYSCALL, pid, NULL, 0);
	status = follow(pid);
	f = fopen(argv[2], "w");
	if (f) {
		fprintf(f, "%ld %s\n", job.n, job.hit ? job.hit : "-");
		fclose(f);
	}
	return job.how != COUNT && !job.hit ? NOT_REACHED : status;
}

#else

int main(void)
{
	fputs("step: only known for x86_64\n", stderr);
	return 125;
}

#endif
