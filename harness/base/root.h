/* SPDX-License-Identifier: MIT */
/*
 * root - square root by Newton's method, since libm is not linked.
 */
#ifndef PAWL_HARNESS_BASE_ROOT_H
#define PAWL_HARNESS_BASE_ROOT_H

/* 0 for x <= 0. */
double pawl_root(double x);

#endif
