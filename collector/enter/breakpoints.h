/*
 * breakpoints - one at the entry of each function of a traced process, which tells by its place
 * that the function was entered, and is taken away then.
 *
 * What no run entered so far can be filled with them: who comes into it by another way than its
 * entry is seen, too.  x86-64 alone.
 *
 * Source: ptrace(2); Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2,
 * "INT3".
 */
#ifndef PAWL_COLLECTOR_ENTER_BREAKPOINTS_H
#define PAWL_COLLECTOR_ENTER_BREAKPOINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct breakpoints {
	const uint64_t *entries; /* addresses in the program, in ascending order */
	const uint64_t *ends;	 /* of each function; only with passed */
	const bool *passed;	 /* those that are not filled; NULL: none is */
	size_t n;
	uint64_t start; /* the address at which it starts */
	/* Set by breakpoints_init(): */
	uint64_t slide;		/* what the loader added to all addresses */
	unsigned char *saved;	/* the byte at each entry */
	unsigned char **bodies; /* what is behind it, of those that are filled; else NULL */
	unsigned char at_start; /* the byte at which it starts */
};

/* What stands at an address. */
struct breakpoint {
	enum { BREAKPOINT_NONE, BREAKPOINT_ENTRY, BREAKPOINT_INSIDE, BREAKPOINT_START } what;
	size_t i;	     /* of which function; not of BREAKPOINT_START */
	unsigned char saved; /* what belongs there */
};

/* 0, or -1: no memory.  breakpoints_release() either way. */
int breakpoints_init(struct breakpoints *b);
void breakpoints_release(struct breakpoints *b);

/* Sets all, in a process that begins to run the program.  false: they cannot be set. */
bool breakpoints_set(struct breakpoints *b, pid_t pid);

/* Sets one more, at an address of the process; saved: what was there. */
bool breakpoints_set_one(int mem_fd, uint64_t at, unsigned char *saved);

/* Of an address in the process. */
struct breakpoint breakpoints_at(const struct breakpoints *b, uint64_t address);

/* Takes all behind the entry of a function away, where it was filled.  false: it cannot. */
bool breakpoints_empty(const struct breakpoints *b, pid_t pid, size_t i);

/* The bytes as they were, in this process: all of its threads see that.  false: it cannot. */
bool breakpoints_put_back(pid_t pid, uint64_t at, const unsigned char *bytes, size_t n);

/* A file of /proc/PID; -1 with errno.  The caller's to close. */
int breakpoints_open(pid_t pid, const char *name, int flags);

#endif
