/*
 * files - the files that a command line names and no commit holds.
 *
 * Internal to cli/kept.
 */
#ifndef PAWL_CLI_KEPT_FILES_H
#define PAWL_CLI_KEPT_FILES_H

#include <stdbool.h>

#include "lib/digest/digest.h"

#define RECEIPT_MAX_FILES 10000

/*
 * Adds device, inode, size and times of every file that the text names by an absolute path, as a
 * whole, behind a sign ("--data=/x", "-d/x") or among the words of a shell; of a folder, of all in
 * it.  What is not there says so; a device or a pipe is only named.  Among words a path ends at any
 * sign behind which there is a file.
 *
 * Returns whether that is all of it: false where there is more than RECEIPT_MAX_FILES, what cannot
 * be read, a link to a folder inside a folder, or a path of which a shell makes others ("/x/a?",
 * "$HOME/x", "~/x").
 * Cost: a stat() a file, and one for each word behind a path; no content is read.
 */
bool receipt_files(const char *text, struct digest *d);

#endif
