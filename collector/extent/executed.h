/*
 * executed - which functions of a program a benchmark enters: recorded twice, kept beside the
 * program's layouts.
 */
#ifndef PAWL_COLLECTOR_EXTENT_EXECUTED_H
#define PAWL_COLLECTOR_EXTENT_EXECUTED_H

#include "collector/child/child.h"
#include "collector/extent/parts.h"

/*
 * Sets runs[i] for each part of the program that is a function and is entered when spec runs.
 * folder: of the program's layouts; inputs: what identifies the arguments and inputs of the run.
 * Errors: ERR_ABSENT it cannot be told: the reasons of record_run(), or two runs enter different
 *         functions; ERR_STOPPED, ERR_NOMEM.
 * Cost: two runs, the first time.
 */
int executed_find(const char *folder, const char *inputs, const struct child_spec *spec,
		  const struct parts *p, bool *runs, struct err *err);

#endif
