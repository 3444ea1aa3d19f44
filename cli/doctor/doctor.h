/*
 * doctor - checks this repository and machine, and suggests fixes.
 *
 * One row of the table in doctor.c for each thing that is looked at.  Nothing is changed and
 * nothing is measured; the server is asked only where one is named.
 */
#ifndef PAWL_CLI_DOCTOR_DOCTOR_H
#define PAWL_CLI_DOCTOR_DOCTOR_H

#include "cli/command.h"
#include "cli/doctor/finding.h"

/* Looks at everything; never fails: what cannot be looked at is a finding. */
void doctor_look(const struct options *o, struct diagnosis *out);

/* Whether the server, where one is named, answers, and takes results of this project's HEAD. */
void doctor_look_server(struct diagnosis *d, const struct context *c);

/* What is found out about the machine alone: noise, counters, tools. */
void doctor_look_machine(struct diagnosis *d);

#endif
