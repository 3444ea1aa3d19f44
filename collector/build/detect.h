/*
 * detect - how a source tree is built when nobody said it.
 */
#ifndef PAWL_COLLECTOR_BUILD_DETECT_H
#define PAWL_COLLECTOR_BUILD_DETECT_H

#include <stddef.h>

#include "lib/base/err.h"

/*
 * Looks at folder top: *out gets a command for sh -c ("cmake -S . -B build ... && cmake --build
 * build -j$(getconf _NPROCESSORS_ONLN)"), in which a Makefile's target for benchmarks is one that
 * only builds; *out_what what it was made of ("CMakeLists.txt").  free() both. Errors: ERR_ABSENT
 * nothing known is there; ERR_NOMEM.
 */
int build_detect(const char *top, char **out, char **out_what, struct err *err);

/*
 * The same by the nth of the descriptions that are there, from 0; the first is what build_detect()
 * takes.  Of CMake and Meson the first " && " ends the step that takes options of the project.
 */
int build_detect_nth(const char *top, size_t nth, char **out, char **out_what, struct err *err);

#endif
