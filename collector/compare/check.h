/*
 * check - what a comparison needs before anything is built.
 */
#ifndef PAWL_COLLECTOR_COMPARE_CHECK_H
#define PAWL_COLLECTOR_COMPARE_CHECK_H

#include "collector/compare.h"

/*
 * Errors: ERR_CONFIG no benchmark, with what to type; ERR_ABSENT no work tree where it is to be
 * compared; ERR_IO nowhere to build.
 */
int compare_check(const struct compare_request *rq, struct err *err);

#endif
