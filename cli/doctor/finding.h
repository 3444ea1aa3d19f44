/*
 * finding - what pawl doctor found out, one thing at a time.
 */
#ifndef PAWL_CLI_DOCTOR_FINDING_H
#define PAWL_CLI_DOCTOR_FINDING_H

#include <stddef.h>

#include "lib/base/err.h"

enum doctor_state {
	DOCTOR_OK,
	DOCTOR_NOTE, /* not there, or less than could be; nothing is broken */
	DOCTOR_FAULT,
	DOCTOR_STATES
};

/* One thing found out. */
struct finding {
	const char *area; /* "repository", "store", ...; static storage */
	enum doctor_state state;
	char text[512];
	char cure[512]; /* "" where there is nothing to do */
};

#define DOCTOR_MOST 64

struct diagnosis {
	struct finding v[DOCTOR_MOST];
	size_t n;
};

/* Adds one, beyond DOCTOR_MOST none; cure may be NULL. */
void finding_add(struct diagnosis *d, const char *area, enum doctor_state state, const char *cure,
		 const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* Adds a fault, whose hint is the cure. */
void finding_add_fault(struct diagnosis *d, const char *area, const struct err *err);

#endif
