/* SPDX-License-Identifier: MIT */
/*
 * ask - answers what the collector asks for: docs/RECORD-LINES.md.
 */
#ifndef PAWL_HARNESS_SPEAK_ASK_H
#define PAWL_HARNESS_SPEAK_ASK_H

#include "harness/session/session.h"

/* Under PAWL_FD.  Returns an enum status. */
int pawl_ask(struct session *s);

/*
 * Reports a fault of usage, of the list or of the environment, on the descriptor or on stderr.
 * Returns STATUS_USAGE.
 */
int pawl_ask_refuse(struct session *s, const char *fault);

#endif
