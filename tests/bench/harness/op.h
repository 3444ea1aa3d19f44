/* SPDX-License-Identifier: MIT */
/*
 * op - what all harnesses measure: the same machine code, in an object file of its own, so that
 * no compiler sees into it.
 */
#ifndef TESTS_BENCH_HARNESS_OP_H
#define TESTS_BENCH_HARNESS_OP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns x. */
uint64_t op_empty(uint64_t x);

/* Eight multiplications, each of the one before: about 5 ns.  Give it what it returned. */
uint64_t op_imul(uint64_t x);

/*
 * The operation n times; returns what the last one returned.  Where a loop lies in memory can
 * change the time of an empty one by a fifth, so that the reference and libpawl, whose loop is
 * the benchmark's, run the same.
 */
uint64_t op_empty_loop(uint64_t x, uint64_t n);
uint64_t op_imul_loop(uint64_t x, uint64_t n);

#ifdef __cplusplus
}
#endif

#endif
