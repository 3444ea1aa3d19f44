/*
 * since_tag - small steps that add up: HEAD against the last tag.
 */
#ifndef PAWL_CLI_MEASURE_SINCE_TAG_H
#define PAWL_CLI_MEASURE_SINCE_TAG_H

#include "cli/command.h"

/*
 * Builds the last tag below what was collected, compares both, and shows it behind the answer (as
 * text or markdown; of JSON only the closing sentence, on stderr).  pawl.creep is the change that
 * counts, else the benchmarks' own thresholds.  Returns the exit status of its verdicts; without a
 * tag EXIT_OK and a note.
 * Errors: -1 with those of compare(); ERR_USAGE for a bad --budget.
 */
int since_tag(const struct options *o, struct context *c, const struct summary *s, struct err *err);

#endif
