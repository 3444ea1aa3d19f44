#include "lib/process/processes.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/banned.h"

#define STAT_BYTES 1024

/* Whether it is still there. */
static bool read_stat(const char *number, char line[STAT_BYTES])
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", number);
	f = fopen(path, "re");
	if (!f)
		return false;
	line[fread(line, 1, STAT_BYTES - 1, f)] = '\0';
	fclose(f);
	return true;
}

static bool read_process(const char *number, struct process *out)
{
	char line[STAT_BYTES];
	unsigned long long t[4];
	const char *rest;

	if (!read_stat(number, line))
		return false;
	rest = strrchr(line, ')'); /* a name may hold anything, ends of lines too */
	*out = (struct process){ .pid = (pid_t)strtol(number, NULL, 10) };
	if (!rest ||
	    sscanf(rest,
		   ") %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu "
		   "%*d %*d %ld",
		   &out->state, &out->parent, &t[0], &t[1], &t[2], &t[3], &out->n_threads) != 7)
		return false;
	out->ticks = t[0] + t[1] + t[2] + t[3];
	return true;
}

static bool add(struct processes *all, const struct process *p)
{
	if (all->n == all->size) {
		size_t size = 2 * all->size + 256;
		struct process *more = realloc(all->v, size * sizeof(*more));

		if (!more)
			return false;
		all->v = more;
		all->size = size;
	}
	all->v[all->n++] = *p;
	return true;
}

static bool is_ours(const struct processes *all, pid_t pid)
{
	if (pid == getpid())
		return true;
	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].pid == pid)
			return all->v[i].is_ours;
	return false;
}

static void mark_ours(struct processes *all)
{
	bool again = true;

	while (again) {
		again = false;
		for (size_t i = 0; i < all->n; i++)
			if (!all->v[i].is_ours && is_ours(all, all->v[i].parent))
				all->v[i].is_ours = again = true;
	}
}

void processes_look(struct processes *all)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	struct process p;

	all->n = 0;
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
		    read_process(entry->d_name, &p) && !add(all, &p))
			break;
	if (dir)
		closedir(dir);
	mark_ours(all);
}

void processes_release(struct processes *all)
{
	free(all->v);
	*all = (struct processes)PROCESSES_INIT;
}
