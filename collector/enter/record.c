#include "collector/enter/record.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/child/named.h"
#include "collector/child/watch.h"
#include "collector/enter/breakpoints.h"
#include "collector/enter/unwinders.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define MAPS_MAX ((size_t)16 << 20)
#if defined(__x86_64__)

struct recording {
	const struct record_request *rq;
	struct breakpoints breakpoints;
	bool *hit;
	struct unwinders unwinders;
	unsigned char unwinding[UNWINDERS_MOST]; /* the byte at each */
	int notify_fd;				 /* tells that somebody opened the program's file */
	bool began, saw_maps, watches_self;
	const char *why; /* static: nothing can be told; NULL: all is well */
};

static void fail(struct recording *r, const char *why)
{
	if (!r->why)
		r->why = why;
}

static char *program_path(const struct recording *r)
{
	return realpath(r->rq->spec->exe, NULL);
}

/* It starts: its libraries are there, and nothing of it has run but what was chosen for them. */
static void watch_unwinders(struct recording *r, pid_t pid)
{
	int maps = breakpoints_open(pid, "maps", O_RDONLY),
	    fd = breakpoints_open(pid, "mem", O_RDWR);
	struct buf text = BUF_INIT;
	char *exe = program_path(r);
	size_t i;
	bool good = maps >= 0 && fd >= 0 && exe &&
		    !file_read_fd(maps, "maps", MAPS_MAX, &text, NULL) && text.len &&
		    unwinders_find(text.data, exe, &r->unwinders);

	for (i = 0; good && i < r->unwinders.n; i++)
		good = breakpoints_set_one(fd, r->unwinders.v[i], &r->unwinding[i]);
	if (!good)
		fail(r, "it is not seen whether it unwinds its stack");
	file_close(&maps);
	file_close(&fd);
	free(exe);
	buf_release(&text);
}

static void begin(void *ctx, pid_t pid)
{
	struct recording *r = ctx;

	r->began = true;
	if (!breakpoints_set(&r->breakpoints, pid))
		fail(r, "no breakpoint can be set in it");
	/* From here on nobody has to open it any more. */
	r->watches_self =
		inotify_add_watch(r->notify_fd, r->rq->spec->exe, IN_OPEN | IN_ACCESS) >= 0;
	if (!r->watches_self)
		fail(r, "it is not seen whether it reads its own file");
}

static const char not_taken[] = "a breakpoint in it could not be taken away";

/* Whether it unwinds its stack there; saved: what belongs there. */
static bool unwinds_at(const struct recording *r, uint64_t address, unsigned char *saved)
{
	size_t i;

	for (i = 0; i < r->unwinders.n && r->unwinders.v[i] != address; i++)
		;
	if (i < r->unwinders.n)
		*saved = r->unwinding[i];
	return i < r->unwinders.n;
}

/* Notes what was reached; false: no breakpoint of ours. */
static bool note(struct recording *r, pid_t pid, uint64_t address, unsigned char *saved)
{
	struct breakpoint at = breakpoints_at(&r->breakpoints, address);

	*saved = at.saved;
	if (at.what == BREAKPOINT_NONE) {
		if (!unwinds_at(r, address, saved))
			return false;
		fail(r, "it unwinds its stack, as exceptions do");
	}
	if (at.what == BREAKPOINT_ENTRY)
		r->hit[at.i] = true;
	if (at.what == BREAKPOINT_INSIDE)
		r->rq->inside[at.i] = true;
	if ((at.what == BREAKPOINT_ENTRY || at.what == BREAKPOINT_INSIDE) &&
	    !breakpoints_empty(&r->breakpoints, pid, at.i))
		fail(r, not_taken);
	return true;
}

/* Whether a thread stopped at one of ours; another one may have taken it away meanwhile. */
static bool pass_breakpoint(struct recording *r, pid_t pid)
{
	struct user_regs_struct regs;
	unsigned char saved;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
		return false;
	regs.rip--;
	if (regs.rip == r->breakpoints.start + r->breakpoints.slide) {
		watch_unwinders(r, pid);
		if (r->rq->named)
			r->rq->named->has_started = true;
	}
	if (!note(r, pid, regs.rip, &saved))
		return false;
	if (!breakpoints_put_back(pid, regs.rip, &saved, 1) ||
	    ptrace(PTRACE_SETREGS, pid, NULL, &regs))
		fail(r, not_taken);
	return true;
}

/* What it could execute: its own file, and libraries of the system. */
static void look_at_maps(struct recording *r, pid_t pid)
{
	int fd = breakpoints_open(pid, "maps", O_RDONLY);
	struct buf text = BUF_INIT, again = BUF_INIT;
	struct unwinders late;
	char *exe = program_path(r),
	     *tree = realpath(r->rq->spec->dir ? r->rq->spec->dir : ".", NULL);

	if (fd < 0 || !exe || !tree || file_read_fd(fd, "maps", MAPS_MAX, &text, NULL))
		goto out;
	buf_add(&again, text.data, text.len);
	if (buf_check(&again, NULL))
		goto out;
	if (!unwinders_all_code_is_known(text.data, exe, tree))
		fail(r, "it runs code of no file, or of a library that is not the system's");
	r->saw_maps = true;
	if (!unwinders_find(again.data, exe, &late) || late.n > r->unwinders.n)
		fail(r, "what unwinds its stack is loaded while it runs");
out:
	file_close(&fd);
	free(exe);
	free(tree);
	buf_release(&text);
	buf_release(&again);
}

static bool stopped(void *ctx, pid_t pid, int status)
{
	struct recording *r = ctx;
	int event = status >> 16;

	if (event == PTRACE_EVENT_EXEC) {
		fail(r, "it starts other programs");
		named_note_program(r->rq->named, pid, r->rq->spec->dir);
	} else if (event == PTRACE_EVENT_EXIT)
		look_at_maps(r, pid);
	else if (event == PTRACE_EVENT_SECCOMP)
		named_note(r->rq->named, pid, r->rq->spec->dir);
	else if (!event && WSTOPSIG(status) == SIGTRAP)
		return pass_breakpoint(r, pid);
	return event != 0;
}

static int judge(struct recording *r, enum child_event event, const struct child_result *res,
		 struct err *err)
{
	char events[4096];
	bool opens_self;

	if (event == CHILD_STOPPED)
		return err_stopped(err);
	if (!r->began)
		fail(r, "no process may be traced here");
	if (event == CHILD_TIMEOUT || res->signal || res->exit_status)
		fail(r, "it failed when what it executes was recorded");
	if (res->n_left)
		fail(r, "it leaves processes running");
	if (!r->saw_maps)
		fail(r, "what it could execute was not seen");
	opens_self = read(r->notify_fd, events, sizeof(events)) > 0;
	if (opens_self)
		fail(r, "it reads its own file");
	if (r->rq->named && (opens_self || !r->watches_self))
		r->rq->named->opens_self = true;
	return r->why ? err_set(err, ERR_ABSENT, "%s", r->why) : 0;
}

/* All that it will ever wait for, so that nobody has to talk with it while it is traced. */
static bool say(const struct record_request *rq, const struct child *c)
{
	size_t n = rq->says ? strlen(rq->says) : 0;

	return !n || send(c->record_fd, rq->says, n, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)n;
}

/* What it wrote is all there: where that was too much it never came to its end. */
static int take_answers(const struct record_request *rq, const struct child *c, struct err *err)
{
	char chunk[16384];
	ssize_t n;

	while (rq->answers && (n = recv(c->record_fd, chunk, sizeof(chunk), MSG_DONTWAIT)) > 0)
		buf_add(rq->answers, chunk, (size_t)n);
	return rq->answers ? buf_check(rq->answers, err) : 0;
}

int record_run(const struct record_request *rq, bool *hit, struct err *err)
{
	struct recording r = { .rq = rq, .hit = hit, .notify_fd = -1 };
	const struct child_tracer tracer = { begin, stopped, &r };
	struct child_spec spec = *rq->spec;
	struct child child = CHILD_INIT;
	struct child_result res;
	enum child_event event;
	int result = -1;

	spec.watch = true;
	spec.names = rq->named != NULL;
	r.breakpoints = (struct breakpoints){ .entries = rq->entries,
					      .ends = rq->ends,
					      .passed = rq->passed,
					      .n = rq->n,
					      .start = rq->start };
	r.notify_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (breakpoints_init(&r.breakpoints)) {
		err_nomem(err);
		goto out;
	}
	if (child_start(&spec, &child, err))
		goto out;
	if (!say(rq, &child))
		fail(&r, "it could not be asked");
	event = child_watch_traced(&child, &tracer);
	result = take_answers(rq, &child, err);
	child_finish(&child, NULL, event == CHILD_TIMEOUT, &res);
	if (rq->ended_well)
		*rq->ended_well = event == CHILD_DONE && !res.signal && !res.exit_status;
	if (!result)
		result = judge(&r, event, &res, err);
out:
	child_release(&child);
	file_close(&r.notify_fd);
	breakpoints_release(&r.breakpoints);
	return result;
}

#else

int record_run(const struct record_request *rq, bool *hit, struct err *err)
{
	(void)hit;
	if (rq->named)
		rq->named->opens_self = true;
	return err_set(err, ERR_ABSENT, "only programs of x86-64 are recorded");
}

#endif
