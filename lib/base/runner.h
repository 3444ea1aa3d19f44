/*
 * runner - what the runner of a continuous integration job takes for a command in its log.  Who
 * writes bytes of others puts something before a character that is found here: a backslash in text,
 * an escape of the format elsewhere.
 *
 * Sources: GitHub, "Workflow commands for GitHub Actions": "::name::" begins a line, and of old
 * "##[name]" may be anywhere in it; Microsoft, "Logging commands": "##vso[name]" and "##[name]";
 * JetBrains, "Service messages": "##teamcity[name]".
 */
#ifndef PAWL_BASE_RUNNER_H
#define PAWL_BASE_RUNNER_H

#include <stdbool.h>

/* Whether the character at p, of a text that begins at start, is a '#' after another one. */
bool runner_is_hash(const char *start, const char *p);

/* That, or the first of two colons that begin a word.  The text ends with a NUL. */
bool runner_is_command(const char *start, const char *p);

#endif
