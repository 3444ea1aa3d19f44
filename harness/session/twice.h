/* SPDX-License-Identifier: MIT */
/*
 * twice - the name that two benchmarks of a list have.
 *
 * Every process of a suite looks, and a suite of a thousand benchmarks starts thousands of them:
 * comparing each name with each other, or sorting them, took longer than what is measured.
 */
#ifndef PAWL_HARNESS_SESSION_TWICE_H
#define PAWL_HARNESS_SESSION_TWICE_H

#include <stdbool.h>
#include <stddef.h>

#include "include/pawl.h"

/*
 * *out is the name that is there twice, or NULL.  Returns false when there is no memory.
 * Cost: O(total length of the names) expected.
 */
bool pawl_twice_find(const struct pawl_bench *list, size_t count, const char **out);

#endif
