/*
 * detect - how a source tree is built when nobody said it.
 */
#ifndef PAWL_COLLECTOR_BUILD_DETECT_H
#define PAWL_COLLECTOR_BUILD_DETECT_H

#include "lib/base/err.h"

/*
 * Looks at folder top: *out gets a command for sh -c ("cmake -S . -B build ... && cmake --build
 * build -j$(getconf _NPROCESSORS_ONLN)"), in which a Makefile's target for benchmarks is one that
 * only builds; *out_what what it was made of ("CMakeLists.txt").  free() both. Errors: ERR_ABSENT
 * nothing known is there; ERR_NOMEM.
 */
int build_detect(const char *top, char **out, char **out_what, struct err *err);

#endif
