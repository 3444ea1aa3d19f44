/*
 * places - what the names of a repository's files say.
 */
#ifndef PAWL_COLLECTOR_SURVEY_PLACES_H
#define PAWL_COLLECTOR_SURVEY_PLACES_H

#include <stdbool.h>
#include <stddef.h>

/* "bench" or "perf" as a word of the file's name, or a folder called so above it. */
bool place_is_benchmark(const char *path);

/*
 * A word such as "test", "check" or "example" in the file's name, or a folder called so above it:
 * what is meant to be started, by itself and by anybody.
 */
bool place_is_test(const char *path);

/* Whether a word of the file's name says that it draws or sums up what benchmarks wrote. */
bool place_is_of_results(const char *path);

/* Below a folder that projects keep the code of others in, data of tests, or texts. */
bool place_is_foreign(const char *path);

/* Below a folder of tests, examples or the like, where a whole project is not built. */
bool place_is_aside(const char *path);

/* The folder of a path: its bytes, without a slash at the end; 0 at the top. */
size_t place_folder(const char *path);

/* How many folders the path lies below. */
size_t place_depth(const char *path);

#endif
