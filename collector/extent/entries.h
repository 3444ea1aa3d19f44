/*
 * entries - the functions of a program by address, and which of them were entered.
 */
#ifndef PAWL_COLLECTOR_EXTENT_ENTRIES_H
#define PAWL_COLLECTOR_EXTENT_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/extent/parts.h"

/* Each address once, in order; ends: behind the longest function there. */
struct entries {
	uint64_t *v, *ends;
	bool *hit;
	size_t n;
};

/* None are hit.  Errors: ERR_NOMEM.  Released in any case. */
int entries_of(const struct parts *p, struct entries *out, struct err *err);
void entries_release(struct entries *e);

/* In e->v; NULL: no function begins there. */
const uint64_t *entry_of(const struct entries *e, uint64_t address);

#endif
