/*
 * clone(CLONE_VM | CLONE_VFORK) on a stack of its own starts a process in the time of a
 * vfork, without copying the collector's page tables; until the exec the child shares our
 * memory, so it only makes system calls and writes errno to one slot.
 */
#include "collector/child/child.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collector/child/stat.h"
#include "collector/child/oom.h"
#include "collector/child/stream.h"
#include "collector/child/named.h"
#include "collector/child/watch.h"
#include "lib/base/file.h"
#include "lib/base/when.h"
#include "lib/process/guard.h"
#include "lib/process/marked.h"

#include "lib/base/banned.h"

#define START_STACK 65536

/*
 * For what runs on the child's stack: the marks that the address sanitizer leaves around
 * variables would stay in the shadow of memory that is unmapped and used again.
 */
#define ON_CHILD_STACK __attribute__((no_sanitize_address))

/* What all starts share, made by the first one. */
struct ready {
	char *stack; /* of the child until its exec */
	int null_fd;
	sigset_t ignored; /* signals that we ignore */
};

struct start {
	const struct child_spec *spec;
	const struct ready *ready;
	pid_t parent;
	int in_fd, out_fd, err_fd, record_fd; /* in_fd -1: nothing to be read */
	volatile pid_t *place;		      /* of its group in the guard's list, or NULL */
	uint64_t mark;			      /* the guard's, or 0 */
	sigset_t mask;			      /* what the child's signal mask becomes */
	bool is_batch;			      /* as we are until its exec; see set_policy() */
	volatile int failed;		      /* errno of the step that failed, or 0 */
	uint64_t ours_ns;		      /* our processor time at the start */
	volatile struct begun begun;
};

void child_adopt_orphans(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

ON_CHILD_STACK static bool place(int fd, int wanted)
{
	if (fd == wanted)
		return fcntl(fd, F_SETFD, 0) == 0;
	return dup2(fd, wanted) == wanted;
}

ON_CHILD_STACK static bool place_descriptors(const struct start *s)
{
	/* The ends we hold are above the four we fill: child_start() sees to that. */
	if (!place(s->in_fd >= 0 ? s->in_fd : s->ready->null_fd, 0) || !place(s->out_fd, 1) ||
	    !place(s->err_fd, 2))
		return false;
	if (s->record_fd >= 0 && !place(s->record_fd, CHILD_RECORD_FD))
		return false;
	return syscall(SYS_close_range, s->record_fd >= 0 ? CHILD_RECORD_FD + 1 : 3, ~0u, 0) == 0;
}

/* Handlers go with the exec; what is ignored would stay so. */
ON_CHILD_STACK static void default_signals(const sigset_t *ignored)
{
	struct sigaction action;
	int n;

	memset(&action, 0, sizeof(action));
	action.sa_handler = SIG_DFL;
	for (n = 1; n < NSIG; n++)
		if (sigismember(ignored, n) == 1)
			sigaction(n, &action, NULL);
}

ON_CHILD_STACK static bool limit(int resource, uint64_t most)
{
	const struct rlimit both = { most, most };

	return !most || !setrlimit((__rlimit_resource_t)resource, &both);
}

ON_CHILD_STACK static bool limit_all(const struct bench_limits *l)
{
	return !l || (limit(RLIMIT_AS, l->memory_bytes) && limit(RLIMIT_FSIZE, l->file_bytes) &&
		      limit(RLIMIT_CPU, l->cpu_ns / 1000000000u) &&
		      limit(RLIMIT_NOFILE, l->open_files) && limit(RLIMIT_NPROC, l->processes));
}

ON_CHILD_STACK static bool pin(int cpu)
{
	cpu_set_t set;

	if (cpu < 0)
		return true;
	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	/* A processor that is gone meanwhile: better on another one than not at all. */
	return sched_setaffinity(0, sizeof(set), &set) == 0 || errno == EINVAL;
}

ON_CHILD_STACK static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	if (clock_gettime(clock, &t))
		return 0;
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/*
 * At the exec of a child we are woken on its processor.  As a batch job we do not push it aside,
 * and wait there: then Linux has its first thread begin on another processor, and mostly does not
 * else, but moves it at some later tick (decision 6).
 */
ON_CHILD_STACK static bool set_policy(int from, int to)
{
	const struct sched_param none = { 0 };

	return sched_getscheduler(0) == from && !sched_setscheduler(0, to, &none);
}

/* Just before the exec; the last two lines are what child_stat() needs. */
ON_CHILD_STACK static void note_begin(struct start *s)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage))
		return;
	s->begun.voluntary = (uint64_t)usage.ru_nvcsw;
	s->begun.involuntary = (uint64_t)usage.ru_nivcsw;
	s->begun.own_ns = 1e9 * (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
			  1e3 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	s->begun.ours_ns = (double)clock_ns(child_stat_clock_of(s->parent)) - (double)s->ours_ns;
	s->begun.at_ns = clock_ns(CLOCK_MONOTONIC);
}

/* Runs in the child. */
ON_CHILD_STACK static int start_child(void *arg)
{
	struct start *s = arg;
	const struct rlimit no_core = { 0, 0 };

	if (setpgid(0, 0) || prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0))
		goto out;
	if (getppid() != s->parent) /* our parent died before the line above */
		_exit(127);
	if (s->place)
		*s->place = getpid();
	default_signals(&s->ready->ignored);
	umask(022);
	setrlimit(RLIMIT_CORE, &no_core);
	if (s->mark)
		marked_set(s->mark);
	if (!pin(s->spec->cpu) || !place_descriptors(s) || (s->spec->dir && chdir(s->spec->dir)) ||
	    sigprocmask(SIG_SETMASK, &s->mask, NULL) || !limit_all(s->spec->limits))
		goto out;
	if (s->spec->watch)
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	if (s->is_batch)
		set_policy(SCHED_BATCH, SCHED_OTHER);
	note_begin(s);
	if (s->spec->names)
		named_exec(s->spec->exe, s->spec->argv, s->spec->env);
	else
		execve(s->spec->exe, s->spec->argv, s->spec->env);
out:
	s->failed = errno;
	_exit(127);
}

/* Moves a descriptor above the ones that the child will fill. */
static int lift(int *fd)
{
	int moved;

	if (*fd > CHILD_RECORD_FD)
		return 0;
	moved = fcntl(*fd, F_DUPFD_CLOEXEC, CHILD_RECORD_FD + 1);
	if (moved < 0)
		return -1;
	close(*fd);
	*fd = moved;
	return 0;
}

/* *child_end is ours to close only when it is not the stream's own. */
static int open_stream(struct stream *s, int *child_end, int given_fd, bool flows, struct err *err)
{
	if (given_fd >= 0) {
		*child_end = fcntl(given_fd, F_DUPFD_CLOEXEC, CHILD_RECORD_FD + 1);
		return *child_end < 0 ? err_sys(err, ERR_IO, "cannot copy a descriptor") : 0;
	}
	if (flows)
		return stream_open_pipe(s, CHILD_RECORD_FD + 1, child_end)
			       ? err_sys(err, ERR_IO, "cannot create a pipe")
			       : 0;
	if (stream_open(s, CHILD_RECORD_FD + 1))
		return err_sys(err, ERR_IO, "cannot create a file in memory");
	*child_end = s->fd;
	return 0;
}

static int open_record(struct child *c, int *child_end, struct err *err)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return err_sys(err, ERR_IO, "cannot create a socket pair");
	c->record_fd = fds[0];
	*child_end = fds[1];
	if (lift(child_end) || lift(&c->record_fd))
		return err_sys(err, ERR_IO, "cannot prepare a socket pair");
	return 0;
}

/* Signals that we ignore, of all there are: 60 calls. */
static void find_ignored(sigset_t *out)
{
	struct sigaction action;
	int n;

	sigemptyset(out);
	for (n = 1; n < NSIG; n++)
		if (!sigaction(n, NULL, &action) && action.sa_handler == SIG_IGN)
			sigaddset(out, n);
}

/* It lasts as long as we do: a benchmark is started some hundred times. */
static const struct ready *get_ready(struct err *err)
{
	static struct ready kept = { .null_fd = -1 };
	char *stack;

	if (kept.stack)
		return &kept;
	if (kept.null_fd < 0)
		kept.null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (kept.null_fd < 0 || lift(&kept.null_fd)) {
		err_sys(err, ERR_IO, "cannot open '/dev/null'");
		return NULL;
	}
	stack = mmap(NULL, START_STACK, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (stack == MAP_FAILED) {
		err_nomem(err);
		return NULL;
	}
	find_ignored(&kept.ignored);
	guard_open();
	kept.stack = stack;
	return &kept;
}

/* Clones with all signals blocked, so that no handler of ours runs in the child. */
static int launch(struct start *s, pid_t *out_pid, int *out_pidfd, struct err *err)
{
	sigset_t all;
	int pid, saved;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &s->mask);
	s->is_batch = s->spec->spreads && set_policy(SCHED_OTHER, SCHED_BATCH);
	pid = clone(start_child, s->ready->stack + START_STACK,
		    CLONE_VM | CLONE_VFORK | (out_pidfd ? CLONE_PIDFD : 0) | SIGCHLD, s, out_pidfd);
	saved = errno;
	if (s->is_batch)
		set_policy(SCHED_BATCH, SCHED_OTHER);
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
	errno = saved;
	if (pid < 0)
		return err_sys(err, ERR_IO, "cannot start a process");
	*out_pid = pid;
	return 0;
}

static int refuse_setuid(const char *exe, struct err *err)
{
	struct stat st;

	if (!stat(exe, &st) && S_ISREG(st.st_mode) && (st.st_mode & (S_ISUID | S_ISGID))) {
		err_set(err, ERR_REFUSED, "'%s' is setuid or setgid", exe);
		return err_hint(err, "benchmark a copy without that bit");
	}
	return 0;
}

static int open_input(const char *path, int *out, struct err *err)
{
	struct stat st;

	if (!path)
		return 0;
	/* A pipe with a name would wait for who writes into it. */
	*out = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (*out < 0 || lift(out) || fstat(*out, &st))
		return err_sys(err, ERR_CHILD, "cannot open '%s' for standard input", path);
	if (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode)) {
		err_set(err, ERR_CHILD, "'%s' cannot be standard input: it is no file", path);
		return err_hint(err, "name a file: it is opened anew for each run");
	}
	if (fcntl(*out, F_SETFL, 0) < 0)
		return err_sys(err, ERR_IO, "cannot set up '%s' for standard input", path);
	return 0;
}

int child_start(const struct child_spec *spec, struct child *out, struct err *err)
{
	struct start s = { .spec = spec, .ready = get_ready(err), .parent = getpid() };
	struct child c = CHILD_INIT;
	/* Who is watched is not read meanwhile. */
	bool flows = spec->keep_output && !spec->watch && spec->output_fd < 0;
	int result = -1;

	*out = c;
	s.in_fd = s.out_fd = s.err_fd = s.record_fd = -1;
	oom_begin();
	c.out.digests = spec->digest_output;
	if (!s.ready || refuse_setuid(spec->exe, err) || open_input(spec->input, &s.in_fd, err) ||
	    open_stream(&c.out, &s.out_fd, spec->output_fd, flows, err) ||
	    open_stream(&c.errors, &s.err_fd, spec->output_fd, false, err) ||
	    (spec->record && open_record(&c, &s.record_fd, err)))
		goto out;
	c.out.head_max = spec->keep_output;
	c.pinned = spec->cpu;
	c.waited = child_stat_own_wait();
	c.start_ns = when_monotonic_ns();
	if (spec->timeout_ns)
		c.deadline_ns = c.start_ns + spec->timeout_ns;
	c.stop_grace_ns = spec->stop_grace_ns;
	s.place = guard_place();
	s.mark = guard_mark();
	s.ours_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	if (launch(&s, &c.pid, spec->record || flows ? &c.pidfd : NULL, err))
		goto out;
	if (s.failed) {
		guard_forget(c.pid);
		/* Not child_finish(): it would take a second child of ours for an orphan. */
		while (waitpid(c.pid, NULL, 0) < 0 && errno == EINTR)
			;
		c.pid = 0;
		errno = s.failed;
		err_sys(err, ERR_CHILD, "cannot run '%s'", spec->exe);
		goto out;
	}
	c.begun = s.begun;
	*out = c;
	c = (struct child)CHILD_INIT;
	result = 0;
out:
	if (spec->output_fd >= 0 || flows)
		file_close(&s.out_fd);
	if (spec->output_fd >= 0)
		file_close(&s.err_fd);
	file_close(&s.record_fd);
	file_close(&s.in_fd);
	child_release(&c);
	return result;
}

int child_run(const struct child_spec *spec, struct child *c, struct child_result *out,
	      struct err *err)
{
	enum child_event event;

	if (child_start(spec, c, err))
		return -1;
	event = spec->watch ? child_watch(c) : child_poll(c, false);
	child_finish(c, NULL, event == CHILD_TIMEOUT, out);
	if (event == CHILD_STOPPED)
		return err_stopped(err);
	return 0;
}
