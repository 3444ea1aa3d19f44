/* SPDX-License-Identifier: MIT */
/*
 * clocks - every clock of the machine, for a person or as JSON: --clocks.
 */
#ifndef PAWL_HARNESS_SHOW_CLOCKS_H
#define PAWL_HARNESS_SHOW_CLOCKS_H

#include <stdio.h>

/* Opens and prints every clock of the table.  Cost: some 10 ms a clock. */
void pawl_clocks_print(FILE *to);
void pawl_clocks_print_json(FILE *to);

#endif
