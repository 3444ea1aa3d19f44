/* SPDX-License-Identifier: MIT */
/*
 * clock_rows - the tables of clocks, one a platform, each in a file of its own.
 *
 * A file compiles everywhere; what its platform lacks is a row whose probe says so.  Each table
 * ends with a row without a name.  clock.c puts them in order of preference.
 */
#ifndef PAWL_HARNESS_CLOCK_ROWS_H
#define PAWL_HARNESS_CLOCK_ROWS_H

#include "harness/clock/clock.h"

extern const struct clock_row pawl_clock_posix[];
extern const struct clock_row pawl_clock_hrtime[];
extern const struct clock_row pawl_clock_x86[];
extern const struct clock_row pawl_clock_arm64[];
extern const struct clock_row pawl_clock_riscv[];
extern const struct clock_row pawl_clock_mach[];
extern const struct clock_row pawl_clock_windows[];

#endif
