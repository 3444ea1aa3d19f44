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

#include "collector/child/watch.h"
#include "collector/extent/unwinders.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define MAPS_MAX ((size_t)16 << 20)

#if defined(__x86_64__)

#define BREAKPOINT 0xcc

struct recording {
	const struct record_request *rq;
	unsigned char *saved; /* the byte at each entry */
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

/* The entry is as it was, in this process: all of its threads see that. */
static bool take_away(pid_t pid, uint64_t at, unsigned char byte)
{
	uint64_t word_at = at & ~(uint64_t)7;
	unsigned shift = (unsigned)(at - word_at) * 8;
	unsigned long word = (unsigned long)ptrace(PTRACE_PEEKTEXT, pid, (void *)word_at, NULL);

	word = (word & ~(0xfful << shift)) | ((unsigned long)byte << shift);
	return !ptrace(PTRACE_POKETEXT, pid, (void *)word_at, (void *)word);
}

/* The byte at a breakpoint of ours, which is noted to be reached; NULL: there is none. */
static const unsigned char *saved_at(struct recording *r, uint64_t address)
{
	uint64_t at = address - r->slide;
	const uint64_t *v = r->rq->entries, *found;
	size_t i;

	found = bsearch(&at, v, r->rq->n, sizeof(at), by_address);
	if (found) {
		r->hit[found - v] = true;
		return &r->saved[found - v];
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
	saved = saved_at(r, regs.rip);
	if (!saved)
		return false;
	if (!take_away(pid, regs.rip, *saved) || ptrace(PTRACE_SETREGS, pid, NULL, &regs))
		fail(r, "a breakpoint in it could not be taken away");
	return true;
}

/* tree: the project's, which may lie in a folder of the system itself. */
static bool is_of_system(const char *path, const char *tree)
{
	static const char *const folders[] = { "/lib/", "/lib64/", "/usr/",
					       "/opt/", "[vdso]",  "[vsyscall]" };
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (str_starts(path, folders[i]))
			return !str_below(path, tree);
	return false;
}

/* What it could execute: its own file, and libraries of the system. */
static void look_at_maps(struct recording *r, pid_t pid)
{
	int fd = open_of(pid, "maps", O_RDONLY);
	struct buf text = BUF_INIT;
	char *exe = program_path(r),
	     *tree = realpath(r->rq->spec->dir ? r->rq->spec->dir : ".", NULL);
	char *line, *rest;

	if (fd < 0 || !exe || !tree || file_read_fd(fd, "maps", MAPS_MAX, &text, NULL))
		goto out;
	for (line = strtok_r(text.data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		const char *rights = strchr(line, ' '), *path = strpbrk(line, "/[");

		if (!rights || strlen(rights) < 5 || rights[3] != 'x')
			continue;
		if (!path || (strcmp(path, exe) != 0 && !is_of_system(path, tree)))
			fail(r,
			     "it runs code of no file, or of a library that is not the system's");
	}
	r->saw_maps = true;
out:
	file_close(&fd);
	free(exe);
	free(tree);
	buf_release(&text);
}

static bool stopped(void *ctx, pid_t pid, int status)
{
	struct recording *r = ctx;
	int event = status >> 16;

	if (event == PTRACE_EVENT_EXEC)
		fail(r, "it starts other programs");
	else if (event == PTRACE_EVENT_EXIT)
		look_at_maps(r, pid);
	else if (!event && WSTOPSIG(status) == SIGTRAP)
		return pass_breakpoint(r, pid);
	return event != 0;
}

static bool was_opened(const struct recording *r)
{
	char events[4096];

	return read(r->notify_fd, events, sizeof(events)) > 0;
}

static int judge(struct recording *r, enum child_event event, const struct child_result *res,
		 struct err *err)
{
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
	if (was_opened(r))
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

	spec.watch = true;
	r.saved = calloc(rq->n + 1, 1);
	r.notify_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (!r.saved) {
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
	if (!result)
		result = judge(&r, event, &res, err);
out:
	child_release(&child);
	file_close(&r.notify_fd);
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
