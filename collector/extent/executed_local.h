/*
 * executed_local - what the files of executed.h share.
 */
#ifndef PAWL_COLLECTOR_EXTENT_EXECUTED_LOCAL_H
#define PAWL_COLLECTOR_EXTENT_EXECUTED_LOCAL_H

#include "collector/extent/entries.h"
#include "collector/extent/executed.h"

/*
 * Fills out, all but runs, and the hits of the entries, from what was kept at path; false: nothing
 * was, or it is of something else, or a file elsewhere that it asked for is another one.
 */
bool executed_load(const char *path, const struct entries *e, struct executed *out);

/* Where it cannot be kept, it is recorded again the next time. */
void executed_store(const char *path, const struct entries *e, const struct executed *known);

#endif
