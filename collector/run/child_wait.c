#include "collector/run/child.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/run/child_stat.h"
#include "lib/base/file.h"
#include "lib/base/number.h"
#include "lib/base/stop.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

/* How long a process that was asked to end may take before it is killed. */
#define CHILD_GRACE_NS 2000000000u
#define EXPLAINED_LINES 20
#define EXPLAINED_BYTES 4000
#define ORPHANS_BYTES (1u << 20) /* of the list of our children */

/* Leaves the last CHILD_OUTPUT_TAIL bytes of the tail. */
static void cut_tail(struct stream *s)
{
	size_t cut;

	if (s->tail.len <= CHILD_OUTPUT_TAIL)
		return;
	cut = s->tail.len - CHILD_OUTPUT_TAIL;
	memmove(s->tail.data, s->tail.data + cut, CHILD_OUTPUT_TAIL);
	buf_truncate(&s->tail, CHILD_OUTPUT_TAIL);
}

/* Keeps the first and the last bytes of a stream; the tail grows to twice its size meanwhile. */
static void keep(struct stream *s, const char *bytes, size_t n)
{
	size_t most = s->head_max ? s->head_max : CHILD_OUTPUT_HEAD;
	size_t room = most - (s->head.len < most ? s->head.len : most);
	size_t first = n < room ? n : room;

	/* Begun with the first byte: most benchmarks print nothing, and it costs 30 us. */
	if (s->digests && !s->n_bytes)
		digest_begin(&s->digest, NULL);
	digest_add(&s->digest, bytes, n);
	s->n_bytes += n;
	buf_add(&s->head, bytes, first);
	bytes += first;
	n -= first;
	if (!n)
		return;
	if (n >= CHILD_OUTPUT_TAIL) {
		buf_reset(&s->tail);
		buf_add(&s->tail, bytes + n - CHILD_OUTPUT_TAIL, CHILD_OUTPUT_TAIL);
		return;
	}
	if (s->tail.len + n > 2 * CHILD_OUTPUT_TAIL)
		cut_tail(s);
	buf_add(&s->tail, bytes, n);
}

/* Reads what is there; bounded, so that an endless writer cannot hold us. */
static void drain(struct stream *s)
{
	char chunk[65536];
	int i;

	for (i = 0; i < 64 && s->fd >= 0; i++) {
		ssize_t n = read(s->fd, chunk, sizeof(chunk));

		if (n > 0) {
			keep(s, chunk, (size_t)n);
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0 || errno != EAGAIN)
			file_close(&s->fd);
		return;
	}
}

static int wait_ms(const struct child *c)
{
	uint64_t now;

	if (!c->deadline_ns)
		return 1000;
	now = when_monotonic_ns();
	if (now >= c->deadline_ns)
		return 0;
	return c->deadline_ns - now > 1000000000u ? 1000
						  : (int)((c->deadline_ns - now) / 1000000) + 1;
}

enum child_event child_poll(struct child *c, bool want_record)
{
	for (;;) {
		struct pollfd p[4] = { { c->pidfd, POLLIN, 0 },
				       { c->out.fd, POLLIN, 0 },
				       { c->errors.fd, POLLIN, 0 },
				       { want_record ? c->record_fd : -1, POLLIN, 0 } };
		int n;

		if (stop_signal)
			return CHILD_STOPPED;
		n = poll(p, 4, wait_ms(c));
		if (n < 0)
			continue;
		if (p[1].revents)
			drain(&c->out);
		if (p[2].revents)
			drain(&c->errors);
		if (p[3].revents)
			return CHILD_RECORD;
		if (p[0].revents)
			return CHILD_DONE;
		if (c->deadline_ns && when_monotonic_ns() >= c->deadline_ns)
			return CHILD_TIMEOUT;
	}
}

/* Waits for the end, at most ns. */
static bool ended_within(const struct child *c, uint64_t ns)
{
	uint64_t end = when_monotonic_ns() + ns, now;

	while ((now = when_monotonic_ns()) < end) {
		struct pollfd p = { c->pidfd, POLLIN, 0 };

		if (poll(&p, 1, (int)((end - now) / 1000000) + 1) > 0)
			return true;
	}
	return false;
}

static void end_it(const struct child *c)
{
	struct pollfd p = { c->pidfd, POLLIN, 0 };

	if (poll(&p, 1, 0) > 0)
		return;
	kill(-c->pid, SIGTERM);
	kill(-c->pid, SIGCONT);
	if (ended_within(c, CHILD_GRACE_NS))
		return;
	kill(-c->pid, SIGKILL);
	syscall(SYS_pidfd_send_signal, c->pidfd, SIGKILL, NULL, 0);
	while (poll(&p, 1, 1000) <= 0)
		;
}

/* Whether all of the stream was hashed; out is "" for a stream of no bytes. */
static bool take_digest(struct stream *s, char out[CHILD_DIGEST_HEX])
{
	char hex[DIGEST_HEX];

	out[0] = '\0';
	if (!s->digests || !s->n_bytes)
		return s->digests;
	if (digest_end(&s->digest, hex, NULL))
		return false;
	memcpy(out, hex, CHILD_DIGEST_HEX - 1);
	out[CHILD_DIGEST_HEX - 1] = '\0';
	return true;
}

/*
 * Kills and reaps one process if it is a child of ours; whether it was us who ended it, now or
 * with its group.  A number that is no child's is left alone, whatever the list said.
 */
static bool end_orphan(pid_t pid)
{
	int status = 0;
	pid_t reaped = waitpid(pid, &status, WNOHANG);

	if (reaped < 0)
		return false;
	if (!reaped) {
		if (kill(pid, SIGKILL)) /* it became another user's: it is not ours to wait for */
			return false;
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

/* Ends the children on the list but keep; whether there were any. */
static bool end_orphans(const char *list, pid_t keep, int *killed)
{
	bool found = false;
	char *end;

	for (;;) {
		long pid = strtol(list, &end, 10);

		if (end == list)
			return found;
		list = end;
		if (pid == keep)
			continue;
		found = true;
		*killed += end_orphan((pid_t)pid);
	}
}

/* Kills and reaps children that are neither ours nor the other one's: orphans we adopted. */
static int reap_orphans(const struct child *other)
{
	struct buf list = BUF_INIT;
	char path[64];
	int killed = 0, round;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)gettid());
	/* What an orphan leaves behind becomes ours in turn: until none is left. */
	for (round = 0; round < 50; round++) {
		buf_reset(&list);
		if (file_read_whole(path, ORPHANS_BYTES, &list, NULL) ||
		    !end_orphans(buf_str(&list), other ? other->pid : 0, &killed))
			break;
	}
	buf_release(&list);
	return killed;
}

static uint64_t timeval_ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

static void take_usage(const struct rusage *u, struct child_result *out)
{
	out->cpu_ns = timeval_ns(u->ru_utime) + timeval_ns(u->ru_stime);
	out->max_rss_bytes = (uint64_t)u->ru_maxrss * 1024;
	out->voluntary_switches = (uint64_t)u->ru_nvcsw;
	out->involuntary_switches = (uint64_t)u->ru_nivcsw;
	out->minor_faults = (uint64_t)u->ru_minflt;
	out->major_faults = (uint64_t)u->ru_majflt;
}

void child_finish(struct child *c, const struct child *other, bool timed_out,
		  struct child_result *out)
{
	struct rusage usage;
	int status = 0;

	memset(out, 0, sizeof(*out));
	memset(&usage, 0, sizeof(usage));
	out->timed_out = timed_out;
	end_it(c);
	out->wall_ns = when_monotonic_ns() - c->start_ns;
	child_stat(c->pid, out);
	kill(-c->pid, SIGKILL); /* what stayed in its group, while it still holds the number */
	while (wait4(c->pid, &status, 0, &usage) < 0 && errno == EINTR)
		;
	take_usage(&usage, out);
	if (WIFSIGNALED(status))
		out->signal = WTERMSIG(status);
	else
		out->exit_status = WEXITSTATUS(status);
	out->n_left = reap_orphans(other);
	drain(&c->out);
	drain(&c->errors);
	out->has_output = take_digest(&c->out, out->output);
	cut_tail(&c->out);
	cut_tail(&c->errors);
	file_close(&c->out.fd);
	file_close(&c->errors.fd);
	file_close(&c->record_fd);
	file_close(&c->pidfd);
	c->pid = 0;
}

void child_release(struct child *c)
{
	struct child_result ignored;

	if (c->pid)
		child_finish(c, NULL, false, &ignored);
	file_close(&c->out.fd);
	file_close(&c->errors.fd);
	file_close(&c->record_fd);
	file_close(&c->pidfd);
	digest_release(&c->out.digest);
	buf_release(&c->out.head);
	buf_release(&c->out.tail);
	buf_release(&c->errors.head);
	buf_release(&c->errors.tail);
}

/* Where the last lines of a text begin. */
static size_t last_lines(const struct buf *text)
{
	size_t start = text->len, lines = 0;

	while (start > 0 && text->len - start < EXPLAINED_BYTES) {
		if (text->data[start - 1] == '\n' && start < text->len &&
		    ++lines >= EXPLAINED_LINES)
			break;
		start--;
	}
	return start;
}

/* The last lines of a stream, control characters shown as '?'. */
static void add_last_lines(const struct stream *s, struct buf *out)
{
	struct buf text = BUF_INIT;
	size_t i;

	if (s->n_bytes == s->head.len + s->tail.len) /* nothing lies between */
		buf_add(&text, s->head.data, s->head.len);
	buf_add(&text, s->tail.data, s->tail.len);
	for (i = last_lines(&text); i < text.len; i++) {
		unsigned char ch = (unsigned char)text.data[i];

		buf_addc(out,
			 ch == '\n' || ch == '\t' || (ch >= 0x20 && ch != 0x7f) ? (char)ch : '?');
	}
	while (out->len && out->data[out->len - 1] == '\n')
		buf_truncate(out, out->len - 1);
	buf_release(&text);
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
		buf_addf(out, "was killed by SIG%s", name ? name : "?");
	} else {
		buf_addf(out, "exited with status %d", r->exit_status);
	}
	if (c->errors.n_bytes) {
		buf_adds(out, "; stderr ended in:\n");
		add_last_lines(&c->errors, out);
	}
}
