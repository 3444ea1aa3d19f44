#include "collector/enter/breakpoints.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/file.h"

#include "lib/base/banned.h"

#define BREAKPOINT 0xcc

int breakpoints_open(pid_t pid, const char *name, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, name);
	return open(path, flags | O_CLOEXEC);
}

int breakpoints_init(struct breakpoints *b)
{
	b->saved = calloc(b->n + 1, 1);
	b->bodies = calloc(b->n + 1, sizeof(unsigned char *));
	return b->saved && b->bodies ? 0 : -1;
}

void breakpoints_release(struct breakpoints *b)
{
	size_t i;

	for (i = 0; b->bodies && i < b->n; i++)
		free(b->bodies[i]);
	free(b->bodies);
	free(b->saved);
}

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static const uint64_t *find_entry(const struct breakpoints *b, uint64_t at)
{
	return bsearch(&at, b->entries, b->n, sizeof(at), by_address);
}

/* How much of a function is behind its entry. */
static size_t body_size(const struct breakpoints *b, size_t i)
{
	uint64_t end =
		i + 1 < b->n && b->entries[i + 1] < b->ends[i] ? b->entries[i + 1] : b->ends[i];

	return end > b->entries[i] ? (size_t)(end - b->entries[i] - 1) : 0;
}

/* ---- setting ---------------------------------------------------------------------------- */

/* Where the loader put it: by the address at which it starts. */
static bool find_slide(struct breakpoints *b, pid_t pid)
{
	int fd = breakpoints_open(pid, "auxv", O_RDONLY);
	Elf64_auxv_t entry;
	bool found = false;

	while (fd >= 0 && !found && read(fd, &entry, sizeof(entry)) == sizeof(entry))
		if (entry.a_type == AT_ENTRY) {
			b->slide = entry.a_un.a_val - b->start;
			found = true;
		}
	file_close(&fd);
	return found;
}

bool breakpoints_set_one(int mem_fd, uint64_t at, unsigned char *saved)
{
	const unsigned char breakpoint = BREAKPOINT;

	return pread(mem_fd, saved, 1, (off_t)at) == 1 &&
	       pwrite(mem_fd, &breakpoint, 1, (off_t)at) == 1;
}

/* Breakpoints all over what no run entered so far. */
static bool fill_bodies(struct breakpoints *b, int fd)
{
	unsigned char *filling;
	bool good = true;
	size_t i, n;

	for (i = 0; b->passed && good && i < b->n; i++) {
		off_t at = (off_t)(b->entries[i] + 1 + b->slide);

		n = body_size(b, i);
		if (!n || b->passed[i] || b->start - b->entries[i] <= n)
			continue;
		b->bodies[i] = malloc(n);
		filling = malloc(n);
		good = b->bodies[i] && filling && pread(fd, b->bodies[i], n, at) == (ssize_t)n;
		if (good) {
			memset(filling, BREAKPOINT, n);
			good = pwrite(fd, filling, n, at) == (ssize_t)n;
		}
		free(filling);
	}
	return good;
}

/* The entries, and where it starts, which may be one of them. */
bool breakpoints_set(struct breakpoints *b, pid_t pid)
{
	int fd = breakpoints_open(pid, "mem", O_RDWR);
	const uint64_t *start = find_entry(b, b->start);
	bool good = fd >= 0 && find_slide(b, pid);
	size_t i;

	for (i = 0; good && i < b->n; i++)
		good = breakpoints_set_one(fd, b->entries[i] + b->slide, &b->saved[i]);
	if (start)
		b->at_start = b->saved[start - b->entries];
	else
		good = good && breakpoints_set_one(fd, b->start + b->slide, &b->at_start);
	good = good && fill_bodies(b, fd);
	file_close(&fd);
	return good;
}

/* ---- finding ---------------------------------------------------------------------------- */

/* The function that was filled and that somebody came into at `at`; SIZE_MAX: none was. */
static size_t filled_at(const struct breakpoints *b, uint64_t at)
{
	size_t low = 0, high = b->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (b->entries[middle] <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low-- || !b->bodies[low] || at == b->entries[low] ||
	    at - b->entries[low] > body_size(b, low) ||
	    b->bodies[low][at - b->entries[low] - 1] == BREAKPOINT) /* its own */
		return SIZE_MAX;
	return low;
}

struct breakpoint breakpoints_at(const struct breakpoints *b, uint64_t address)
{
	uint64_t at = address - b->slide;
	const uint64_t *entry = find_entry(b, at);
	struct breakpoint found = { .what = BREAKPOINT_NONE };

	if (entry) {
		found.what = BREAKPOINT_ENTRY;
		found.i = (size_t)(entry - b->entries);
		found.saved = b->saved[found.i];
		return found;
	}
	found.i = filled_at(b, at);
	if (found.i < b->n) {
		found.what = BREAKPOINT_INSIDE;
		found.saved = b->bodies[found.i][at - b->entries[found.i] - 1];
	} else if (at == b->start) {
		found.what = BREAKPOINT_START;
		found.saved = b->at_start;
	}
	return found;
}

/* ---- taking away ------------------------------------------------------------------------ */

bool breakpoints_put_back(pid_t pid, uint64_t at, const unsigned char *bytes, size_t n)
{
	int fd = breakpoints_open(pid, "mem", O_RDWR);
	bool good = fd >= 0 && pwrite(fd, bytes, n, (off_t)at) == (ssize_t)n;

	file_close(&fd);
	return good;
}

bool breakpoints_empty(const struct breakpoints *b, pid_t pid, size_t i)
{
	return !b->bodies[i] || breakpoints_put_back(pid, b->entries[i] + 1 + b->slide,
						     b->bodies[i], body_size(b, i));
}
