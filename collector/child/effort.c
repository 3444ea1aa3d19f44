#include "collector/child/effort.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define LOOK_NS 250000000u
#define STAT_BYTES 1024

struct process {
	pid_t pid, parent;
	uint64_t ticks;
	long n_threads;
	char state;
	bool is_ours;
};

struct processes {
	struct process *v;
	size_t n, size;
};

/* Whether it is still there. */
static bool read_process(const char *number, struct process *out)
{
	char path[64], line[STAT_BYTES];
	unsigned long long t[4];
	const char *rest;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", number);
	if (!file_first_line(path, line, sizeof(line)))
		return false;
	rest = strrchr(line, ')'); /* a name may hold anything */
	memset(out, 0, sizeof(*out));
	out->pid = (pid_t)strtol(number, NULL, 10);
	if (!rest ||
	    sscanf(rest,
		   ") %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu "
		   "%*d %*d %ld",
		   &out->state, &out->parent, &t[0], &t[1], &t[2], &t[3], &out->n_threads) != 7)
		return false;
	out->ticks = t[0] + t[1] + t[2] + t[3];
	return true;
}

/* As many as memory holds: of the others nothing is told. */
static void read_all(struct processes *all)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	struct process *more, p;

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9' ||
		    !read_process(entry->d_name, &p))
			continue;
		if (all->n == all->size) {
			more = realloc(all->v, (2 * all->size + 256) * sizeof(*more));
			if (!more)
				break;
			all->v = more;
			all->size = 2 * all->size + 256;
		}
		all->v[all->n++] = p;
	}
	if (dir)
		closedir(dir);
}

static bool is_ours(const struct processes *all, pid_t pid)
{
	size_t i;

	if (pid == getpid())
		return true;
	for (i = 0; i < all->n; i++)
		if (all->v[i].pid == pid)
			return all->v[i].is_ours;
	return false;
}

static void mark_ours(struct processes *all)
{
	bool again = true;
	size_t i;

	while (again)
		for (again = false, i = 0; i < all->n; i++)
			if (!all->v[i].is_ours && is_ours(all, all->v[i].parent))
				all->v[i].is_ours = again = true;
}

void effort_look(struct effort_look *out)
{
	struct processes all = { NULL, 0, 0 };
	uint64_t tick_ns = 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK);
	size_t i;

	memset(out, 0, sizeof(*out));
	read_all(&all);
	mark_ours(&all);
	out->now_ns = when_monotonic_ns();
	for (i = 0; i < all.n; i++) {
		const struct process *p = &all.v[i];

		if (!p->is_ours)
			continue;
		out->cpu_ns += p->ticks * tick_ns;
		out->is_ready = out->is_ready || p->state == 'R';
		out->has_threads = out->has_threads || p->n_threads > 1;
	}
	free(all.v);
}

void effort_add(struct effort *e, const struct effort_look *look)
{
	uint64_t wall = look->now_ns - e->last.now_ns, worked = 0;
	bool waits;

	/* Less than before: one that worked is gone, and nobody waited for it. */
	if (look->cpu_ns > e->last.cpu_ns)
		worked = look->cpu_ns - e->last.cpu_ns;
	waits = look->is_ready || (look->has_threads && worked);
	e->ns += waits && worked < wall ? worked : wall;
	e->last = *look;
}

int effort_run(const struct child_spec *spec, uint64_t most_ns, struct child *c,
	       struct child_result *out, uint64_t *out_ns, struct err *err)
{
	struct effort effort = { .ns = 0 };
	struct effort_look look;
	enum child_event event;
	uint64_t end_ns;

	if (child_start(spec, c, err))
		return -1;
	effort.last.now_ns = c->start_ns;
	end_ns = c->deadline_ns ? c->deadline_ns : UINT64_MAX;
	do {
		uint64_t next_ns = when_monotonic_ns() + LOOK_NS;

		c->deadline_ns = next_ns < end_ns ? next_ns : end_ns;
		event = child_poll(c, false);
		if (event != CHILD_TIMEOUT)
			break;
		effort_look(&look);
		effort_add(&effort, &look);
	} while (effort.ns < most_ns && look.now_ns < end_ns);
	child_finish(c, NULL, event == CHILD_TIMEOUT, out);
	*out_ns = effort.ns;
	if (event == CHILD_STOPPED)
		return err_set(err, ERR_STOPPED, "stopped by a signal");
	return 0;
}
