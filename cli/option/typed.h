/*
 * typed - what was typed and stands in no configuration, for a command that is to be copied.
 */
#ifndef PAWL_CLI_OPTION_TYPED_H
#define PAWL_CLI_OPTION_TYPED_H

#include "cli/option/options.h"
#include "lib/base/buf.h"

/*
 * Appends " --build COMMAND" and " -- COMMAND..." as far as they were given, quoted for a shell.
 * A fault is kept in out (buf_check()).
 */
void typed_add(const struct options *o, struct buf *out);

#endif
