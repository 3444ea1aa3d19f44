/*
 * stand_in - a test program, where a project has no benchmark.
 *
 * One that runs by itself, ends well and works for a while tells whether a commit made the code
 * slower, as far as its tests go there.  One that says how it is used, or that has hardly begun
 * when it ends, measures nothing and is not taken.
 */
#ifndef PAWL_CLI_INIT_STAND_IN_H
#define PAWL_CLI_INIT_STAND_IN_H

#include "collector/survey/survey.h"
#include "lib/base/strv.h"

/*
 * Runs the tests of the survey in top, which is HEAD as the survey built it, and adds the one that
 * stands in best: of those that take at most 100 ms the one that works most, else the shortest.
 * Adds none where none can.  Tries them for half a minute at most.
 * Errors: ERR_IO, ERR_NOMEM, ERR_SIGNAL.
 */
int stand_in_find(const char *top, struct survey *s, struct err *err);

/*
 * A program that is named like a benchmark, and fails, says how it is used or hardly begins when it
 * gets no argument: where it works with a file of the tree, one that git tracks, it gets that.  One
 * that only says how it is used gets a fault.
 */
int stand_in_feed(const char *top, const struct strv *tracked, struct surveyed *b, struct err *err);

#endif
