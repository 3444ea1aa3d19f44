/*
 * recipe - whether a target of a Makefile only builds.
 *
 * A target called "bench" may build benchmarks, run them, or fetch a repository from the network.
 */
#ifndef PAWL_COLLECTOR_BUILD_RECIPE_H
#define PAWL_COLLECTOR_BUILD_RECIPE_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

/*
 * Whether text, what `make -n` printed, starts nothing but compilers, linkers and what makes
 * folders and files.  What is not known, such as a program of the project, a loop, another make or
 * a word that only a shell can tell, is no.  No command at all is no, too.
 */
bool recipe_text_builds(const char *text);

/*
 * Whether making the target (NULL: the default one) in folder top would only build.  Asks make,
 * whose recipes and $(shell ...) run nothing meanwhile; what $(info ...) prints is left out.  false
 * where make is not there or fails.
 */
bool recipe_builds(const char *top, const char *target);

/*
 * Appends the commands that making the target in folder top would start with a program by its path
 * ("./check", "tests/run --all"), each as words_split() takes it; what only a shell can tell is
 * left out.  None where make is not there or fails.  Errors: ERR_NOMEM.
 */
int recipe_programs(const char *top, const char *target, struct strv *out, struct err *err);

#endif
