/*
 * stop - the signal that asked us to stop, seen by every loop that waits.
 *
 * cli/ installs the handlers without SA_RESTART, so that a poll() returns with EINTR.
 */
#ifndef PAWL_PROCESS_STOP_H
#define PAWL_PROCESS_STOP_H

#include <signal.h>

/* 0, or the signal's number. */
extern volatile sig_atomic_t stop_signal;

/* Handlers for SIGINT, SIGTERM, SIGHUP; the second one ends the process at once. */
void stop_install(void);

#endif
