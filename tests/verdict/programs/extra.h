/*
 * extra - how much work a program does: a multiple of 1000 elementary steps, and EXTRA_PERMILLE
 * thousandths of them more (or, below 0, less).
 *
 * The steps added are steps like the others, and they are counted, never timed: with 10 a
 * program takes exactly 1 % more of them.
 */
#ifndef PAWL_VERDICT_EXTRA_H
#define PAWL_VERDICT_EXTRA_H

/* An unused function, or nothing: another place in memory for what stands behind it. */
#include "layout.h"

#ifndef EXTRA_PERMILLE
#define EXTRA_PERMILLE 0
#endif

#define STEPS(thousands) ((thousands) * (1000 + (EXTRA_PERMILLE)))

#endif
