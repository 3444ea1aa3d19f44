/*
 * recorder - stands in for the linker while a commit is built, and writes down what it was asked.
 *
 * gcc and clang look for their linker in the folders of COMPILER_PATH first.  There a build finds
 * scripts named as linkers are, which start pawl by that name; pawl sees by it that it is to record
 * (docs/decisions/0025-layouts.md).  ccache takes COMPILER_PATH for a part of what it compiles, so
 * the folder is the same for all trees, and RECORDER_LINKS says where the records go.
 */
#ifndef PAWL_COLLECTOR_LINK_RECORDER_H
#define PAWL_COLLECTOR_LINK_RECORDER_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

#define RECORDER_LINKS "PAWL_BUILD_LINKS" /* the folder of records; it need not exist yet */

/* Whether a program of that name (argv[0]'s last part) is to be the recorder. */
bool recorder_is(const char *name);

/*
 * The recorder's main(): writes the record and becomes the real linker, the one that the driver
 * would have found without us.  What cannot be recorded is linked all the same.  Returns only where
 * there is no linker, as the driver would: 1.
 */
int recorder_main(int argc, char **argv);

/*
 * Names the program whose main() calls recorder_main(), by an absolute path that stays valid: until
 * then nothing is installed.  NULL: no program.
 */
void recorder_offer(const char *program);

/*
 * Makes folder hold the recorder under the name of each linker that PATH of env leads to, and adds
 * it to env as COMPILER_PATH, which no build inherits.  A folder within, LINKERS_NAMED, has all
 * names: a compiler that is given -B looks there first, and gets this one in front.  Where that
 * cannot be, env stays as it is, and links are not recorded.  Errors: ERR_NOMEM.
 */
int recorder_install(const char *folder, struct strv *env, struct err *err);

#endif
