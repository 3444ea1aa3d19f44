#include "collector/extent/record.h"

#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
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
#include "collector/extent/unwinders.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define MAPS_MAX ((size_t)16 << 20)
#if defined(__x86_64__)

#define BREAKPOINT 0xcc

struct recording {
	const struct record_request *rq;
	unsigned char *saved;	/* the byte at each entry */
	unsigned char **bodies; /* what is behind it, of those that are filled; else NULL */
	bool *hit;
	uint64_t slide;	     /* what the loader added to all addresses */
	unsigned char start; /* the byte at which it starts */
	struct unwinders unwinders;
	unsigned char unwinding[UNWINDERS_MOST]; /* the byte at each */
	int notify_fd;				 /* tells that somebody opened the program's file */
	bool began, saw_maps;
	const char *why; /* static: nothing can be told; NULL: all is well */
};

static void fail(struct recording *r, const char *why)
{
	if (!r->why)
		r->why = why;
}

static int open_of(pid_t pid, const char *name, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, name);
	return open(path, flags | O_CLOEXEC);
}

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Where the loader put it: by the address at which it starts. */
static bool find_slide(struct recording *r, pid_t pid)
{
	int fd = open_of(pid, "auxv", O_RDONLY);
	Elf64_auxv_t entry;
	bool found = false;

	while (fd >= 0 && !found && read(fd, &entry, sizeof(entry)) == sizeof(entry))
		if (entry.a_type == AT_ENTRY) {
			r->slide = entry.a_un.a_val - r->rq->start;
			found = true;
		}
	file_close(&fd);
	return found;
}

/* saved: what was there. */
static bool set_breakpoint(int fd, uint64_t at, unsigned char *saved)
{
	const unsigned char breakpoint = BREAKPOINT;

	return pread(fd, saved, 1, (off_t)at) == 1 && pwrite(fd, &breakpoint, 1, (off_t)at) == 1;
}

/* How much of a function is behind its entry. */
static size_t body_size(const struct record_request *rq, size_t i)
{
	uint64_t end = i + 1 < rq->n && rq->entries[i + 1] < rq->ends[i] ? rq->entries[i + 1]
									 : rq->ends[i];

	return end > rq->entries[i] ? (size_t)(end - rq->entries[i] - 1) : 0;
}

/* Breakpoints all over what no run entered so far. */
static bool fill_bodies(struct recording *r, int fd)
{
	const struct record_request *rq = r->rq;
	unsigned char *filling;
	bool good = true;
	size_t i, n;

	for (i = 0; rq->passed && good && i < rq->n; i++) {
		off_t at = (off_t)(rq->entries[i] + 1 + r->slide);

		n = body_size(rq, i);
		if (!n || rq->passed[i] || rq->start - rq->entries[i] <= n)
			continue;
		r->bodies[i] = malloc(n);
		filling = malloc(n);
		good = r->bodies[i] && filling && pread(fd, r->bodies[i], n, at) == (ssize_t)n;
		if (good) {
			memset(filling, BREAKPOINT, n);
			good = pwrite(fd, filling, n, at) == (ssize_t)n;
		}
		free(filling);
	}
	return good;
}

/* As it was, in this process: all of its threads see that. */
static void put_back(struct recording *r, pid_t pid, uint64_t at, const unsigned char *bytes,
		     size_t n)
{
	int fd = open_of(pid, "mem", O_RDWR);

	if (fd < 0 || pwrite(fd, bytes, n, (off_t)at) != (ssize_t)n)
		fail(r, "a breakpoint in it could not be taken away");
	file_close(&fd);
}

static void put_back_body(struct recording *r, pid_t pid, size_t i)
{
	put_back(r, pid, r->rq->entries[i] + 1 + r->slide, r->bodies[i], body_size(r->rq, i));
}

/* The function that was filled and that somebody came into at `at`; SIZE_MAX: none was. */
static size_t filled_at(const struct recording *r, uint64_t at)
{
	const struct record_request *rq = r->rq;
	size_t low = 0, high = rq->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rq->entries[middle] <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low-- || !r->bodies[low] || at == rq->entries[low] ||
	    at - rq->entries[low] > body_size(rq, low) ||
	    r->bodies[low][at - rq->entries[low] - 1] == BREAKPOINT) /* its own */
		return SIZE_MAX;
	return low;
}

/* The entries, and where it starts, which may be one of them. */
static bool set_breakpoints(struct recording *r, pid_t pid)
{
	int fd = open_of(pid, "mem", O_RDWR);
	const uint64_t *v = r->rq->entries, *start;
	size_t i, n = r->rq->n;
	bool good = fd >= 0;

	for (i = 0; good && i < n; i++)
		good = set_breakpoint(fd, v[i] + r->slide, &r->saved[i]);
	start = bsearch(&r->rq->start, v, n, sizeof(*v), by_address);
	if (start)
		r->start = r->saved[start - v];
	else
		good = good && set_breakpoint(fd, r->rq->start + r->slide, &r->start);
	good = good && fill_bodies(r, fd);
	file_close(&fd);
	return good;
}

static char *program_path(const struct recording *r)
{
	return realpath(r->rq->spec->exe, NULL);
}

/* It starts: its libraries are there, and nothing of it has run but what was chosen for them. */
static void watch_unwinders(struct recording *r, pid_t pid)
{
	int maps = open_of(pid, "maps", O_RDONLY), fd = open_of(pid, "mem", O_RDWR);
	struct buf text = BUF_INIT;
	char *exe = program_path(r);
	size_t i;
	bool good = maps >= 0 && fd >= 0 && exe &&
		    !file_read_fd(maps, "maps", MAPS_MAX, &text, NULL) && text.len &&
		    unwinders_find(text.data, exe, &r->unwinders);

	for (i = 0; good && i < r->unwinders.n; i++)
		good = set_breakpoint(fd, r->unwinders.v[i], &r->unwinding[i]);
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
	if (!find_slide(r, pid) || !set_breakpoints(r, pid))
		fail(r, "no breakpoint can be set in it");
	/* From here on nobody has to open it any more. */
	if (inotify_add_watch(r->notify_fd, r->rq->spec->exe, IN_OPEN | IN_ACCESS) < 0)
		fail(r, "it is not seen whether it reads its own file");
}

/* The byte at a breakpoint of ours, which is noted to be reached; NULL: there is none. */
static const unsigned char *saved_at(struct recording *r, pid_t pid, uint64_t address)
{
	uint64_t at = address - r->slide;
	const uint64_t *v = r->rq->entries, *found;
	size_t i;

	found = bsearch(&at, v, r->rq->n, sizeof(at), by_address);
	if (found) {
		r->hit[found - v] = true;
		if (r->bodies[found - v])
			put_back_body(r, pid, (size_t)(found - v));
		return &r->saved[found - v];
	}
	i = filled_at(r, at);
	if (i < r->rq->n) {
		r->rq->inside[i] = true;
		put_back_body(r, pid, i);
		return &r->bodies[i][at - v[i] - 1];
	}
	if (at == r->rq->start)
		return &r->start;
	for (i = 0; i < r->unwinders.n; i++)
		if (r->unwinders.v[i] == address) {
			fail(r, "it unwinds its stack, as exceptions do");
			return &r->unwinding[i];
		}
	return NULL;
}

/* Whether a thread stopped at one of ours; another one may have taken it away meanwhile. */
static bool pass_breakpoint(struct recording *r, pid_t pid)
{
	struct user_regs_struct regs;
	const unsigned char *saved;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
		return false;
	regs.rip--;
	if (regs.rip == r->rq->start + r->slide)
		watch_unwinders(r, pid);
	saved = saved_at(r, pid, regs.rip);
	if (!saved)
		return false;
	put_back(r, pid, regs.rip, saved, 1);
	if (ptrace(PTRACE_SETREGS, pid, NULL, &regs))
		fail(r, "a breakpoint in it could not be taken away");
	return true;
}

/* What it could execute: its own file, and libraries of the system. */
static void look_at_maps(struct recording *r, pid_t pid)
{
	int fd = open_of(pid, "maps", O_RDONLY);
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

	if (event == CHILD_STOPPED)
		return err_set(err, ERR_STOPPED, "stopped by a signal");
	if (!r->began)
		fail(r, "no process may be traced here");
	if (event == CHILD_TIMEOUT || res->signal || res->exit_status)
		fail(r, "it failed when what it executes was recorded");
	if (res->n_left)
		fail(r, "it leaves processes running");
	if (!r->saw_maps)
		fail(r, "what it could execute was not seen");
	if (read(r->notify_fd, events, sizeof(events)) > 0)
		fail(r, "it reads its own file");
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
	size_t i;

	spec.watch = true;
	spec.names = rq->named != NULL;
	r.saved = calloc(rq->n + 1, 1);
	r.bodies = calloc(rq->n + 1, sizeof(unsigned char *));
	r.notify_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (!r.saved || !r.bodies) {
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
	for (i = 0; r.bodies && i < rq->n; i++)
		free(r.bodies[i]);
	free(r.bodies);
	free(r.saved);
	return result;
}

#else

int record_run(const struct record_request *rq, bool *hit, struct err *err)
{
	(void)rq;
	(void)hit;
	return err_set(err, ERR_ABSENT, "only programs of x86-64 are recorded");
}

#endif
