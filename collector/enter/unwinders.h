/*
 * unwinders - what the libraries of a process are, and where they unwind a stack: what catches
 * exceptions, or goes through the callers of a function, passes there.
 *
 * While nobody passes, no table of a program is read by which stacks are unwound, and no code is
 * entered that only those tables name.
 */
#ifndef PAWL_COLLECTOR_ENTER_UNWINDERS_H
#define PAWL_COLLECTOR_ENTER_UNWINDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNWINDERS_MOST 64

struct unwinders {
	uint64_t v[UNWINDERS_MOST]; /* addresses in the process, in no order */
	size_t n;
};

/* Whether a function of that name unwinds stacks. */
bool unwinders_is_one(const char *name);

/*
 * Finds those of all libraries that are mapped; maps: /proc/PID/maps, which is taken apart; exe:
 * the program, which is passed over.  false: a library cannot be read, or there are too many.
 */
bool unwinders_find(char *maps, const char *exe, struct unwinders *out);

/*
 * Whether all code that is mapped is the program's own or of a library of the system, which is none
 * of the tree; maps is taken apart.
 */
bool unwinders_all_code_is_known(char *maps, const char *exe, const char *tree);

#endif
