/*
 * stage_folder - the folder of a stage's copies: locked while its pawl lives, in memory or on disk.
 */
#ifndef PAWL_COLLECTOR_CODE_STAGE_FOLDER_H
#define PAWL_COLLECTOR_CODE_STAGE_FOLDER_H

#include "lib/base/err.h"

/*
 * The folder in memory of this user, in place of the state folder, made where it is missing: free()
 * it.  NULL: there is none, it is nearly full, or no program may run from it.
 */
char *stage_folder_memory(void);

/*
 * Makes a folder in state_dir/run, free() its path, and removes what killed pawls left there; the
 * lock ends with the descriptor.  Errors: ERR_IO, ERR_FULL, ERR_NOMEM.
 */
int stage_folder_make(const char *state_dir, char **out, int *out_lock_fd, struct err *err);

#endif
