/*
 * inputs - what a benchmark is run on: its arguments, and the files that they and its
 * configuration name.
 */
#ifndef PAWL_COLLECTOR_CODE_INPUTS_H
#define PAWL_COLLECTOR_CODE_INPUTS_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/base/talk.h"
#include "lib/config/config.h"
#include "lib/digest/digest.h"

#define INPUTS_MAX_FILES 10000
#define INPUTS_MAX_BYTES (256u << 20)

/*
 * Digest over the arguments, and the contents of those arguments (of "--name=PATH" what stands
 * behind the sign) and declared inputs that are files, or folders below top with all in them.
 * With a prepare or cleanup command it is another one each time: nobody can tell what a shell
 * reads. *out_known is false when there is more than the limits allow: then nothing is known to be
 * the same.  An input that cannot be read is warned of. Errors: ERR_IO, ERR_NOMEM.
 */
int inputs_digest(const char *top, const struct bench_config *config, const struct talk *talk,
		  char out[DIGEST_HEX], bool *out_known, struct err *err);

/*
 * Appends every path below the top that the benchmark's command line and inputs may name, for
 * tree_entries().  Errors: ERR_NOMEM.
 */
int inputs_paths(const struct bench_config *config, struct strv *out, struct err *err);

#endif
