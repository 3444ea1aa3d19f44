/*
 * doctor - what is in order here and what is not, each fault with its cure.
 *
 * One row of the table in doctor.c for each thing that is looked at.  Nothing is changed and
 * nothing is measured; the server is asked only where one is named.
 */
#ifndef PAWL_CLI_DOCTOR_H
#define PAWL_CLI_DOCTOR_H

#include "cli/command.h"

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

/* Looks at everything; never fails: what cannot be looked at is a finding. */
void doctor_look(const struct options *o, struct diagnosis *out);

/* For the checks: adds one; cure may be NULL. */
void finding_add(struct diagnosis *d, const char *area, enum doctor_state state, const char *cure,
		 const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* What is found out about the machine alone: noise, counters, tools. */
void doctor_look_machine(struct diagnosis *d);

#endif
