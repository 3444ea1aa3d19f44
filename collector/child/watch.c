#include "collector/child/watch.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collector/child/stat.h"
#include "lib/process/stop.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define LOOK_NS 20000000
#define WATCHED_MAX 4096
#define OPTIONS \
	(PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | \
	 PTRACE_O_EXITKILL)

struct watch {
	struct child *c;
	const struct child_tracer *tracer; /* or NULL */
	sigset_t signals;		   /* SIGCHLD */
	pid_t pid[WATCHED_MAX];		   /* of the threads that are there */
	size_t n;
	bool told;	 /* the first stop came: it is watched */
	bool incomplete; /* one of them could not be asked */
	bool busy;	 /* one of them stood still, or was over, since we last slept */
	double delay_ns;
};

static size_t find(const struct watch *w, pid_t pid)
{
	size_t i;

	for (i = 0; i < w->n && w->pid[i] != pid; i++)
		;
	return i;
}

/* Whether it was new. */
static bool note(struct watch *w, pid_t pid)
{
	size_t at = find(w, pid);

	if (at < w->n || w->n == WATCHED_MAX)
		return false;
	w->pid[w->n++] = pid;
	return true;
}

static void forget(struct watch *w, pid_t pid)
{
	size_t at = find(w, pid);

	if (at < w->n)
		w->pid[at] = w->pid[--w->n];
}

/* It is over, and nobody was told: all that it ever waited for a processor can be read. */
static void ask(struct watch *w, pid_t pid)
{
	double delay = child_stat_delay(pid);

	w->incomplete = w->incomplete || !isfinite(delay);
	w->delay_ns += isfinite(delay) ? delay : 0;
}

/* Lets a thread that stopped go on, as it would have without us. */
static void go_on(struct watch *w, pid_t pid, int status)
{
	int event = status >> 16, signal_number = WSTOPSIG(status);
	bool is_new = note(w, pid);
	siginfo_t info;

	w->c->n_stops++;
	if (!w->told) {
		w->told = true;
		ptrace(PTRACE_SETOPTIONS, pid, NULL,
		       (void *)(uintptr_t)(OPTIONS |
					   (w->tracer ? PTRACE_O_TRACEEXIT | PTRACE_O_TRACESECCOMP
						      : 0)));
		if (w->tracer)
			w->tracer->began(w->tracer->ctx, pid);
		signal_number = 0;
	} else if ((w->tracer && w->tracer->stopped(w->tracer->ctx, pid, status)) || event ||
		   (is_new && signal_number == SIGSTOP) ||
		   ptrace(PTRACE_GETSIGINFO, pid, NULL, &info)) {
		signal_number = 0; /* it was us, or it stands still already */
	}
	ptrace(PTRACE_CONT, pid, NULL, (void *)(uintptr_t)signal_number);
}

/* Takes all that is there to be told; whether the child itself is over, which is left to be told.
 */
static bool take_events(struct watch *w)
{
	siginfo_t info;
	int status;
	bool is_over;

	for (;;) {
		info.si_pid = 0;
		if (waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL) ||
		    !info.si_pid)
			return false;
		w->busy = true;
		is_over = info.si_code != CLD_TRAPPED && info.si_code != CLD_STOPPED;
		if (is_over)
			ask(w, info.si_pid);
		if (is_over && info.si_pid == w->c->pid)
			return true;
		if (waitpid(info.si_pid, &status, __WALL) != info.si_pid)
			return false;
		if (WIFSTOPPED(status))
			go_on(w, info.si_pid, status);
		else
			forget(w, info.si_pid);
	}
}

/* ns that we have worked, or, delay of them, waited for a processor to. */
static double own_ns(double delay)
{
	struct timespec t = { 0, 0 };

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec + (isfinite(delay) ? delay : 0);
}

/*
 * Until it is over; no longer than the deadline (0: none), nor than a stop signal where heeded.
 * Whoever stops wakes us, and goes on when we have worked: what we needed for it, and waited for a
 * processor to do it, is the time that it stood still.
 */
static enum child_event wait_for_end(struct watch *w, uint64_t deadline_ns, bool heeds_stop)
{
	const struct timespec most = { 0, LOOK_NS };
	double since = own_ns(w->c->waited.ns), now; /* it stands still since its exec */
	bool is_over;

	do {
		w->busy = false;
		is_over = take_events(w);
		now = own_ns(child_stat_own_wait().ns);
		w->c->late_ns += w->busy ? now - since : 0;
		since = now;
		if (is_over)
			break;
		if (heeds_stop && stop_signal)
			return CHILD_STOPPED;
		if (deadline_ns && when_monotonic_ns() >= deadline_ns)
			return CHILD_TIMEOUT;
		sigtimedwait(&w->signals, NULL, &most);
	} while (true);
	w->c->end_ns = when_monotonic_ns();
	return CHILD_DONE;
}

/* Who is watched stands still on its way out, too: that is why nobody else can end it. */
static void end_watched(struct watch *w)
{
	kill(-w->c->pid, SIGTERM);
	kill(-w->c->pid, SIGCONT);
	if (wait_for_end(w, when_monotonic_ns() + CHILD_GRACE_NS, false) == CHILD_DONE)
		return;
	kill(-w->c->pid, SIGKILL);
	wait_for_end(w, 0, false);
}

/* Takes what is there to be told of the threads that are left; whether there was something. */
static bool take_rest(struct watch *w)
{
	bool any = false;
	int status;
	size_t i = 0;

	while (i < w->n) {
		pid_t pid = w->pid[i], told = waitpid(pid, &status, WNOHANG | __WALL);

		any = any || told;
		if (told && (told != pid || !WIFSTOPPED(status))) {
			w->pid[i] = w->pid[--w->n];
			continue;
		}
		if (told)
			ptrace(PTRACE_CONT, pid, NULL, NULL);
		i++;
	}
	return any;
}

/*
 * What it left behind is ended here: it is ours to let go on until it is gone.  In any order: the
 * first thread of a process is told last, whenever it ended.
 */
static void end_rest(struct watch *w)
{
	const struct timespec most = { 0, LOOK_NS };
	uint64_t deadline_ns = when_monotonic_ns() + CHILD_GRACE_NS;
	size_t i;

	forget(w, w->c->pid);
	w->c->has_unwaited = w->n > 0;
	for (i = 0; i < w->n; i++)
		kill(w->pid[i], SIGKILL);
	while (w->n && when_monotonic_ns() < deadline_ns)
		if (!take_rest(w))
			sigtimedwait(&w->signals, NULL, &most);
}

enum child_event child_watch_traced(struct child *c, const struct child_tracer *tracer)
{
	struct watch w = { .c = c, .tracer = tracer };
	enum child_event event;
	sigset_t before;

	sigemptyset(&w.signals);
	sigaddset(&w.signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &w.signals, &before);
	event = wait_for_end(&w, c->deadline_ns, true);
	if (event != CHILD_DONE)
		end_watched(&w);
	end_rest(&w);
	if (w.told && !w.incomplete)
		c->watched_delay_ns = w.delay_ns;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return event;
}

enum child_event child_watch(struct child *c)
{
	return child_watch_traced(c, NULL);
}
