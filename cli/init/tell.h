/*
 * init_tell - what pawl init says of what it found, and what to type next.
 */
#ifndef PAWL_CLI_INIT_TELL_H
#define PAWL_CLI_INIT_TELL_H

#include "cli/command.h"
#include "collector/survey/survey.h"

#define CONFIG_FILE ".pawlconfig"

/* lead and the first line of text, whatever is in it. */
void init_add_line(const char *lead, const char *text, struct buf *out);

/*
 * The build, each benchmark and how it was found; then what is missing until the first comparison,
 * in one sentence with the command to type, or the commands that come next.  branch: the default
 * one, or NULL.
 */
void init_tell(const struct context *c, const struct survey *s, const char *branch,
	       struct buf *out);

/* Whether a benchmark was found that runs: a test that stands in is none. */
bool init_has_benchmark(const struct survey *s);

#endif
