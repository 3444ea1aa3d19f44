/*
 * nomem - loaded in front of libc: one allocation of pawl or pawld fails, or all from one on, or
 * some.
 *
 * Counted are those that the program itself, SQLite, expat or libc on behalf of somebody ask for;
 * libgit2, libcurl and OpenSSL, the loader, and programs that pawl starts get what they want.
 * NOMEM_AT: which one fails, from 1; 0 or absent: none.  NOMEM_ON=1: all from there on; NOMEM_ON=N:
 * each N-th from there on. NOMEM_COUNT: a file that gets the number of allocations at the end, and
 * from where the failed one was asked for.  NOMEM_ALL=1: whoever asks. NOMEM_PLACES: a file that
 * gets the numbers of those that are the first of their place, each with a digest of that, one a
 * line: a place is all calls of the program that led there, not those within a library.
 * NOMEM_NEAR=N: only the innermost N of them.  NOMEM_SIGNAL=N: none fails, the program gets that
 * signal instead.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *malloc(size_t n);
void *calloc(size_t n, size_t size);
void *realloc(void *p, size_t n);

#define MOST_PARTS 256
#define MOST_FRAMES 48
#define MOST_PLACES 16384 /* a power of two */

/* Of libc it depends on who called it. */
enum whose { OTHERS, OURS, LIBC, SELF };

static struct part {
	uintptr_t from, to;
	enum whose whose;
	bool is_program;
} parts[MOST_PARTS];
static size_t n_parts;
static atomic_long n_asked;
static long fail_at, goes_on, with_signal, near_calls;
static bool all, is_on;
static const char *count_path;
static uintptr_t failed_from;
static __thread bool busy;
static int places_fd = -1;
static uint64_t places[MOST_PLACES]; /* their digests; 0: none */

/* The program itself has no name. */
static bool is_ours(const char *name)
{
	static const char *const names[] = { "libsqlite3", "libexpat" };
	size_t i;

	if (!*name)
		return true; /* the program */
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strstr(name, names[i]))
			return true;
	return false;
}

static int add(struct dl_phdr_info *info, size_t size, void *ctx)
{
	size_t i;

	(void)size;
	(void)ctx;
	for (i = 0; i < info->dlpi_phnum && n_parts < MOST_PARTS; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];

		if (h->p_type == PT_LOAD && (h->p_flags & PF_X))
			parts[n_parts++] =
				(struct part){ info->dlpi_addr + h->p_vaddr,
					       info->dlpi_addr + h->p_vaddr + h->p_memsz,
					       strstr(info->dlpi_name, "nomem.so")  ? SELF
					       : strstr(info->dlpi_name, "libc.so") ? LIBC
					       : all || is_ours(info->dlpi_name)    ? OURS
										    : OTHERS,
					       !*info->dlpi_name };
	}
	return 0;
}

static enum whose whose(const void *caller)
{
	uintptr_t at = (uintptr_t)caller;
	int tries;
	size_t i;

	for (tries = 0; tries < 2; tries++) {
		for (i = 0; i < n_parts; i++)
			if (at >= parts[i].from && at < parts[i].to)
				return parts[i].whose;
		n_parts = 0;
		dl_iterate_phdr(add, NULL);
	}
	return OTHERS;
}

static bool counts(const void *caller)
{
	enum whose is = whose(caller);
	void *frames[24];
	int n, i;

	if (is != LIBC)
		return is == OURS;
	n = backtrace(frames, 24);
	for (i = 0; i < n && (is == LIBC || is == SELF); i++)
		is = whose(frames[i]);
	return is == OURS;
}

/* Its digest, the same one wherever the program is loaded. */
static uint64_t digest_of_place(void)
{
	uint64_t digest = UINT64_C(14695981039346656037);
	void *frames[MOST_FRAMES];
	long left = near_calls ? near_calls : MOST_FRAMES;
	size_t i;
	int n, j;

	n = backtrace(frames, MOST_FRAMES);
	for (j = 0; j < n && left; j++)
		for (i = 0; i < n_parts; i++) {
			uintptr_t at = (uintptr_t)frames[j];

			if (!parts[i].is_program || at < parts[i].from || at >= parts[i].to)
				continue;
			digest = (digest ^ (at - parts[i].from)) * UINT64_C(1099511628211);
			left--;
			break;
		}
	return digest;
}

/* Whether nobody asked from there before.  Two threads that come to one at once may both be the
 * first. */
static bool is_new_place(uint64_t digest)
{
	size_t i, at;

	for (at = digest % MOST_PLACES, i = 0; i < MOST_PLACES; i++, at = (at + 1) % MOST_PLACES) {
		if (places[at] == digest)
			return false;
		if (!places[at]) {
			places[at] = digest;
			return true;
		}
	}
	return false;
}

static void tell_place(long n, uint64_t digest)
{
	char line[48];
	int length = snprintf(line, sizeof(line), "%ld %016llx\n", n, (unsigned long long)digest);

	if (write(places_fd, line, (size_t)length) < 0)
		_exit(99);
}

static bool fails(const void *caller)
{
	bool result = false;
	long n;

	if (!is_on || busy)
		return false;
	busy = true;
	if (counts(caller)) {
		n = atomic_fetch_add(&n_asked, 1) + 1;
		if (places_fd >= 0) {
			uint64_t place = digest_of_place();

			if (is_new_place(place))
				tell_place(n, place);
		}
		result = fail_at &&
			 (n == fail_at || (goes_on && n > fail_at && (n - fail_at) % goes_on == 0));
		if (result && !failed_from)
			failed_from = (uintptr_t)caller;
	}
	busy = false;
	if (result && with_signal) {
		raise((int)with_signal);
		return false;
	}
	if (result)
		errno = ENOMEM;
	return result;
}

void *malloc(size_t n)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, n);
}

__attribute__((constructor)) static void begin(void)
{
	const char *at = getenv("NOMEM_AT"), *on = getenv("NOMEM_ON");
	const char *kept = getenv("NOMEM_PLACES");
	const char *number = getenv("NOMEM_SIGNAL"), *near = getenv("NOMEM_NEAR");
	void *frames[1];

	if (strcmp(program_invocation_short_name, "pawl") &&
	    strcmp(program_invocation_short_name, "pawld"))
		return;
	fail_at = at ? strtol(at, NULL, 10) : 0;
	goes_on = on ? strtol(on, NULL, 10) : 0;
	with_signal = number ? strtol(number, NULL, 10) : 0;
	near_calls = near ? strtol(near, NULL, 10) : 0;
	all = getenv("NOMEM_ALL") != NULL;
	count_path = getenv("NOMEM_COUNT");
	if (kept && *kept)
		places_fd = open(kept, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	backtrace(frames, 1); /* it opens a library the first time */
	/* What pawl starts, itself too, is counted by nobody. */
	unsetenv("LD_PRELOAD");
	is_on = true;
}

/* The place as "libsqlite3.so.0+0x1234". */
static void name_place(char *out, size_t size)
{
	Dl_info where;

	if (failed_from && dladdr((void *)failed_from, &where) && where.dli_fname)
		snprintf(out, size, "%s+0x%lx", where.dli_fname,
			 (unsigned long)(failed_from - (uintptr_t)where.dli_fbase));
	else
		snprintf(out, size, "-");
}

__attribute__((destructor)) static void end(void)
{
	char place[512], text[600];
	int fd, n;

	if (!is_on || !count_path)
		return;
	is_on = false;
	name_place(place, sizeof(place));
	fd = open(count_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	n = snprintf(text, sizeof(text), "%ld %s\n", (long)n_asked, place);
	if (fd >= 0) {
		if (write(fd, text, (size_t)n) < 0)
			_exit(99);
		close(fd);
	}
}
