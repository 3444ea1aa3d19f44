/*
 * sources - what a repository's own files say of its benchmarks, without building anything.
 */
#ifndef PAWL_COLLECTOR_SURVEY_SOURCES_H
#define PAWL_COLLECTOR_SURVEY_SOURCES_H

#include <stdbool.h>

#include "collector/survey/survey_list.h"

/* Whether the file below top holds the text; false where it is too large or cannot be read. */
bool source_holds(const char *top, const char *path, const char *text);

/* What an option builds. */
enum source_part { PART_BENCHMARKS, PART_TESTS, PARTS };

/*
 * Options that switch a part on which is off unless asked for: " -DX_BENCHMARKS=ON" of CMake or
 * " -Dbenchmarks=true" of Meson; what: the description, "CMakeLists.txt" or "meson.build", that
 * lies in the folder of n bytes.  "" where there are none.  free().  Errors: ERR_NOMEM.
 */
int source_options(const char *top, const struct strv *tracked, const char *folder, size_t n,
		   const char *what, enum source_part part, char **out, struct err *err);

/*
 * Adds tracked scripts of Python below top whose name says that they are benchmarks, as a command
 * that runs them; with a fault where they use a harness that repeats by its clock.
 * Errors: ERR_NOMEM.
 */
int source_scripts(const char *top, const struct strv *tracked, struct survey *s, struct err *err);

/*
 * Tracked programs at the top, in bin, or whose name says that they are benchmarks become
 * s->others.  Errors: ERR_NOMEM.
 */
int source_programs(const char *top, const struct strv *tracked, struct survey *s, struct err *err);

/*
 * The whole suite of tests of a Python project, as tests: by pytest and by unittest.
 * Errors: ERR_NOMEM.
 */
int source_suites(const struct strv *tracked, struct survey *s, struct err *err);

#endif
