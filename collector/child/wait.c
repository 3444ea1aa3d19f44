#include "collector/child/child.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/child/oom.h"
#include "collector/child/orphans.h"
#include "collector/child/stat.h"
#include "collector/child/stream.h"
#include "lib/base/file.h"
#include "lib/base/number.h"
#include "lib/process/guard.h"
#include "lib/process/stop.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define LOOK_MS 20 /* how often we look whether it printed too much to be kept in memory */

/* Whether it is over, which is left to be told. */
static bool is_done(const struct child *c)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid;
}

/*
 * Signals that tell of the end of a child come when they are asked for.  Whoever waits so looks
 * whether it is over behind hold_ends() and behind each of them: none is missed.
 */
static void hold_ends(sigset_t *out_before)
{
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ends, out_before);
}

static void let_ends_go(const sigset_t *before)
{
	sigprocmask(SIG_SETMASK, before, NULL);
}

/* At most so long; another signal ends it as well. */
static void wait_for_some_end(uint64_t ns)
{
	const struct timespec most = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGCHLD);
	sigtimedwait(&ends, NULL, &most);
}

static int wait_ms(const struct child *c)
{
	int most = c->out.fd >= 0 ? LOOK_MS : 1000;
	uint64_t now;

	if (!c->deadline_ns)
		return most;
	now = when_monotonic_ns();
	if (now >= c->deadline_ns)
		return 0;
	return c->deadline_ns - now > (uint64_t)most * 1000000
		       ? most
		       : (int)((c->deadline_ns - now) / 1000000) + 1;
}

/* It prints faster than memory may hold: it stands still while that is read. */
static void look(struct child *c)
{
	uint64_t start;

	if (!stream_is_full(&c->out) && !stream_is_full(&c->errors))
		return;
	start = when_monotonic_ns();
	kill(-c->pid, SIGSTOP);
	stream_read(&c->out);
	stream_read(&c->errors);
	kill(-c->pid, SIGCONT);
	c->late_ns += (double)(when_monotonic_ns() - start);
}

/*
 * It is over: since when, we do not know.  What we ourselves have waited for a processor since it
 * was last seen alive is not its time, where its end woke us.  Where it was time to look
 * (look_ns), where it was never seen alive (0), or where we lost the processor before we fell
 * asleep, it may have worked meanwhile.
 */
static void see_end(struct child *c, uint64_t look_ns)
{
	struct own_wait now = child_stat_own_wait();
	double late = now.ns - c->waited.ns;
	bool is_sure;

	c->end_ns = when_monotonic_ns();
	is_sure = (double)c->end_ns - late < (double)look_ns &&
		  child_stat_only_woke(&c->waited, &now);
	if (late > 0)
		*(is_sure ? &c->late_ns : &c->unsure_ns) += late;
}

/* Asked to stop, we wait for who has a grace until that is over: then its deadline has passed. */
static bool has_to_stop(struct child *c)
{
	uint64_t end;

	if (!stop_signal || c->is_graced)
		return false;
	if (!c->stop_grace_ns)
		return true;
	end = when_monotonic_ns() + c->stop_grace_ns;
	if (!c->deadline_ns || c->deadline_ns > end)
		c->deadline_ns = end;
	c->is_graced = true;
	return false;
}

static bool is_late(const struct child *c)
{
	return c->deadline_ns && when_monotonic_ns() >= c->deadline_ns;
}

/* Nothing but its end can come.  A descriptor to wait for that takes 4 us more a process. */
static enum child_event wait_for_end(struct child *c)
{
	enum child_event event = CHILD_STOPPED;
	sigset_t before;

	hold_ends(&before);
	while (!has_to_stop(c)) {
		uint64_t look_ns = 0;
		bool is_over = is_done(c);

		if (!is_over) {
			uint64_t ns;

			c->waited = child_stat_own_wait();
			ns = (uint64_t)wait_ms(c) * 1000000;
			look_ns = when_monotonic_ns() + ns;
			wait_for_some_end(ns);
			is_over = is_done(c);
		}
		if (is_over) {
			see_end(c, look_ns);
			event = CHILD_DONE;
			break;
		}
		if (is_late(c)) {
			event = CHILD_TIMEOUT;
			break;
		}
		look(c);
	}
	let_ends_go(&before);
	return event;
}

/* Its end, a record where one is wanted, or what it says through a pipe. */
static enum child_event wait_for_any(struct child *c, bool want_record)
{
	while (!has_to_stop(c)) {
		struct pollfd p[3] = { { c->pidfd, POLLIN, 0 },
				       { want_record ? c->record_fd : -1, POLLIN, 0 },
				       { c->out.flows ? c->out.fd : -1, POLLIN, 0 } };
		uint64_t look_ns = 0;
		int n = poll(p, 3, 0), ms;

		if (!n) {
			if (!want_record)
				c->waited = child_stat_own_wait();
			ms = wait_ms(c);
			look_ns = when_monotonic_ns() + (uint64_t)ms * 1000000;
			n = poll(p, 3, ms);
		}
		if (n < 0)
			continue;
		if (p[1].revents)
			return CHILD_RECORD;
		if (p[0].revents) {
			see_end(c, look_ns);
			return CHILD_DONE;
		}
		if (p[2].revents)
			stream_read(&c->out);
		if (is_late(c))
			return CHILD_TIMEOUT;
		look(c);
	}
	return CHILD_STOPPED;
}

enum child_event child_poll(struct child *c, bool want_record)
{
	return c->pidfd < 0 ? wait_for_end(c) : wait_for_any(c, want_record);
}

/* Sees whether it is over, and whether its deadline has passed. */
static bool is_over(struct child *c, bool *out_late)
{
	if (!c->end_ns && is_done(c))
		c->end_ns = when_monotonic_ns();
	if (c->end_ns)
		return true;
	look(c);
	*out_late = *out_late || is_late(c);
	return false;
}

static enum child_event wait_for_both(struct child *a, struct child *b)
{
	while (!stop_signal) {
		bool late = false, a_over = is_over(a, &late), b_over = is_over(b, &late);
		int most = wait_ms(a_over ? b : a);

		if (a_over && b_over)
			return CHILD_DONE;
		if (late)
			return CHILD_TIMEOUT;
		if (!a_over && !b_over && wait_ms(b) < most)
			most = wait_ms(b);
		wait_for_some_end((uint64_t)most * 1000000);
	}
	return CHILD_STOPPED;
}

enum child_event child_poll_both(struct child *a, struct child *b)
{
	enum child_event event;
	sigset_t before;

	hold_ends(&before);
	event = wait_for_both(a, b);
	let_ends_go(&before);
	return event;
}

/* Waits for the end, at most ns. */
static bool ended_within(const struct child *c, uint64_t ns)
{
	uint64_t end = when_monotonic_ns() + ns, now;

	while (!is_done(c)) {
		now = when_monotonic_ns();
		if (now >= end)
			return false;
		wait_for_some_end(end - now);
	}
	return true;
}

static void end_it(const struct child *c)
{
	sigset_t before;

	if (c->end_ns || is_done(c))
		return;
	hold_ends(&before);
	kill(-c->pid, SIGTERM);
	kill(-c->pid, SIGCONT);
	if (!ended_within(c, CHILD_GRACE_NS)) {
		kill(-c->pid, SIGKILL);
		kill(c->pid, SIGKILL); /* it may have left its group */
		while (!ended_within(c, CHILD_GRACE_NS))
			;
	}
	let_ends_go(&before);
}

void child_spare(const struct child *c)
{
	orphans_spare(c->pid);
}

static uint64_t timeval_ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

static void take_usage(const struct rusage *u, struct child_result *out)
{
	out->system_ns = timeval_ns(u->ru_stime);
	out->cpu_ns = timeval_ns(u->ru_utime) + out->system_ns;
	out->max_rss_bytes = (uint64_t)u->ru_maxrss * 1024;
	out->voluntary_switches = (uint64_t)u->ru_nvcsw;
	out->involuntary_switches = (uint64_t)u->ru_nivcsw;
	out->minor_faults = (uint64_t)u->ru_minflt;
	out->major_faults = (uint64_t)u->ru_majflt;
}

/*
 * Where we ourselves lost the processor before we went to sleep, not after its end, it worked
 * meanwhile: what it worked and waited for a processor is its time.
 */
static void take_late(struct child *c, uint64_t wall_ns, struct child_result *out)
{
	double least = out->main_cpu_ns + out->main_delay_ns;

	out->late_ns = fmin(c->late_ns, (double)wall_ns);
	if (isfinite(least))
		out->late_ns = fmin(out->late_ns, fmax(0, (double)wall_ns - least));
	out->wall_ns = wall_ns - (uint64_t)out->late_ns;
}

void child_finish(struct child *c, const struct child *other, bool timed_out,
		  struct child_result *out)
{
	struct rusage usage;
	uint64_t wall_ns, ours;
	int status = 0;

	memset(out, 0, sizeof(*out));
	memset(&usage, 0, sizeof(usage));
	out->timed_out = timed_out;
	end_it(c);
	wall_ns = (c->end_ns ? c->end_ns : when_monotonic_ns()) - c->start_ns;
	out->unsure_ns = c->unsure_ns;
	child_stat(c, out);
	take_late(c, wall_ns, out);
	kill(-c->pid, SIGKILL); /* what stayed in its group, while it still holds the number */
	guard_forget(c->pid);
	while (wait4(c->pid, &status, 0, &usage) < 0 && errno == EINTR)
		;
	take_usage(&usage, out);
	/* Each stop for us was one. */
	ours = c->n_stops + c->begun.voluntary;
	out->voluntary_switches -= ours < out->voluntary_switches ? ours : out->voluntary_switches;
	if (WIFSIGNALED(status))
		out->signal = WTERMSIG(status);
	else
		out->exit_status = WEXITSTATUS(status);
	orphans_unspare(c->pid);
	out->n_left = orphans_reap(other ? other->pid : 0, &out->has_unwaited);
	out->has_unwaited = out->has_unwaited || c->has_unwaited;
	stream_end(&c->out);
	stream_end(&c->errors);
	out->has_output = stream_digest(&c->out, out->output);
	out->was_reopened = c->out.was_reopened;
	file_close(&c->record_fd);
	file_close(&c->pidfd);
	c->pid = 0;
}

void child_release(struct child *c)
{
	struct child_result ignored;

	if (c->pid)
		child_finish(c, NULL, false, &ignored);
	file_close(&c->record_fd);
	file_close(&c->pidfd);
	stream_release(&c->out);
	stream_release(&c->errors);
}

void child_explain(const struct child *c, const struct child_result *r, uint64_t timeout_ns,
		   struct buf *out)
{
	char text[NUMBER_TEXT];
	const char *name;

	if (r->timed_out) {
		buf_addf(out, "ran longer than its timeout of %s",
			 number_print_ns((double)timeout_ns, text));
	} else if (r->signal) {
		name = sigabbrev_np(r->signal);
		buf_addf(out, "was killed by SIG%s%s", name ? name : "?",
			 r->signal == SIGKILL && oom_has_killed()
				 ? ": the system ran out of memory, and killed processes for it"
				 : "");
	} else {
		buf_addf(out, "exited with status %d", r->exit_status);
	}
	if (c->errors.n_bytes) {
		buf_adds(out, "; stderr ended in:\n");
		stream_last_lines(&c->errors, out);
	} else if (c->out.n_bytes) { /* as go test does, and many a script */
		buf_adds(out, "; stdout ended in:\n");
		stream_last_lines(&c->out, out);
	}
}
