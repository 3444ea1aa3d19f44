/* SPDX-License-Identifier: MIT */
/*
 * hand - started by hand: the list, the table or the JSON document on stdout.
 */
#ifndef PAWL_HARNESS_SHOW_HAND_H
#define PAWL_HARNESS_SHOW_HAND_H

#include "harness/session/session.h"

/* Returns an enum status. */
int pawl_hand(struct session *s);

#endif
