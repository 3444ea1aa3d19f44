/*
 * better - which way of a foreign metric is better, where its format does not say it.
 */
#ifndef PAWL_FOREIGN_BETTER_H
#define PAWL_FOREIGN_BETTER_H

#include "lib/record/summary.h"

/* Which way of a foreign metric is better, by its name or unit: rates are higher. */
enum better foreign_better(const char *metric);

#endif
