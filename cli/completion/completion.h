/*
 * completion - the scripts with which shells complete pawl's words, from the tables of commands,
 * options and values.
 */
#ifndef PAWL_CLI_COMPLETION_COMPLETION_H
#define PAWL_CLI_COMPLETION_COMPLETION_H

#include "lib/base/buf.h"

/* Appends the script for bash, zsh or fish; false for another shell. */
bool completion_script(const char *shell, struct buf *out);

#endif
