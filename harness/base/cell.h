/* SPDX-License-Identifier: MIT */
/*
 * cell - figures for people: four significant digits and a unit.
 */
#ifndef PAWL_HARNESS_BASE_CELL_H
#define PAWL_HARNESS_BASE_CELL_H

#include <stddef.h>

/* "1.234 us", "12.3 k/s", ... into out; "-" for NaN. */
void pawl_cell_time(char *out, size_t size, double ns);
void pawl_cell_count(char *out, size_t size, double value, const char *unit);

/* "12.3 %", and so on; "-" for NaN. */
void pawl_cell_percent(char *out, size_t size, double ratio);

/* Characters of UTF-8 text. */
int pawl_cell_width(const char *s);

#endif
