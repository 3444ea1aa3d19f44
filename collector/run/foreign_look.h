/*
 * foreign_look - what the bytes of an executable tell of the harness in it.  It is not run.
 */
#ifndef PAWL_COLLECTOR_RUN_FOREIGN_LOOK_H
#define PAWL_COLLECTOR_RUN_FOREIGN_LOOK_H

#include <stdbool.h>

#include "lib/config/config.h"

/* The format of an executable: FORMAT_COMMAND where nothing is known. */
enum bench_format foreign_look_guess(const char *exe);

/* foreign_repeater() of its bytes. */
const char *foreign_look_repeater(const char *exe);

/* foreign_alarm() of its bytes. */
bool foreign_look_alarm(const char *exe);

#endif
