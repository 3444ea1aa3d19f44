/*
 * checked - what a project's own 'make check' or 'make test' runs.
 *
 * With their arguments these are programs that run by themselves.  Where the default target does
 * not build them, their own targets do: make is asked what it would do, and nothing of it runs.
 */
#ifndef PAWL_COLLECTOR_SURVEY_CHECKED_H
#define PAWL_COLLECTOR_SURVEY_CHECKED_H

#include "collector/survey/survey_list.h"

/*
 * Adds those that a tree, built in its folder ("" its top), has and git does not track, as tests.
 * tracked is in order.  Errors: ERR_NOMEM.
 */
int checked_add(struct survey *s, const char *tree, const char *folder, const struct strv *tracked,
		struct err *err);

/*
 * The build, and after it what builds test programs that it left out, without running one; NULL
 * where nothing is known that only builds them.  free() it.  Errors: ERR_NOMEM.
 */
int checked_build(const char *tree, const struct strv *tracked, const char *build, char **out,
		  struct err *err);

#endif
