/*
 * stop - the signal that asked us to stop, seen by every loop that waits.
 *
 * cli/ installs the handlers without SA_RESTART, so that a poll() returns with EINTR.
 */
#ifndef PAWL_PROCESS_STOP_H
#define PAWL_PROCESS_STOP_H

#include <signal.h>
#include <stdbool.h>

#define STOP_ECHO_MS 1000
#define STOP_LOOK_MS 200 /* whoever waits looks so often: a signal may come just before poll() */

/* 0, or the signal's number. */
extern volatile sig_atomic_t stop_signal;

/*
 * Handlers for SIGINT, SIGTERM, SIGHUP.  The first one asks us to stop.  What comes within
 * STOP_ECHO_MS of it is the same wish once more: the terminal and a parent both tell us, and
 * fingers are quick.  Another one ends what does not want to end (guard_kill()) while we put things
 * in order; the one after that ends us too.
 */
void stop_install(void);

#endif
