/*
 * file - whole files in and out, so that a crash leaves the old or the new one.
 */
#ifndef PAWL_BASE_FILE_H
#define PAWL_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

/* Closes *fd unless it is -1, and makes it -1. */
void file_close(int *fd);

/*
 * Opens a file to be read, a link's too, and never waits for whoever would write: a pipe is
 * refused. -1 on errors: ERR_ABSENT, ERR_IO.
 */
int file_open(const char *path, struct err *err);

/*
 * Appends a file's bytes to out; on failure out holds what it held before.
 * Errors: those of file_open(); ERR_LIMIT beyond max, ERR_NOMEM.
 */
int file_read_whole(const char *path, size_t max, struct buf *out, struct err *err);

/*
 * Calls take for each piece of what an open descriptor holds from here on, until it fails; name:
 * for errors.  Errors: ERR_IO, those of take.
 */
typedef int file_take(void *ctx, const char *bytes, size_t n, struct err *err);
int file_each_piece(int fd, const char *name, file_take *take, void *ctx, struct err *err);

/* As file_read_whole, of an open descriptor. */
int file_read_fd(int fd, const char *name, size_t max, struct buf *out, struct err *err);

/* Writes all n bytes, through short writes and EINTR.  Errors: ERR_IO, ERR_FULL. */
int file_write_fd(int fd, const char *name, const void *bytes, size_t n, struct err *err);

/*
 * Replaces path: a temporary file beside it, fsync, rename, fsync of the folder.
 * On failure the old file is untouched and the temporary one is gone; only when the last
 * fsync fails, the new one stands in its place and may be lost in a power cut.  A link at
 * path is replaced, not followed, and so is a pipe.
 */
int file_write_whole(const char *path, const void *bytes, size_t n, mode_t mode, struct err *err);

/*
 * Makes a new file with these bytes, not synced: after a power cut it may be empty.  On failure
 * there is none.  Errors: ERR_IO (also when there is one of that name), ERR_FULL.
 */
int file_write_new(const char *path, const void *bytes, size_t n, mode_t mode, struct err *err);

/*
 * Removes the temporary files in a folder, *.tmp.XXXXXX, that file_write_whole() and file_copy() of
 * a killed process left there more than a day ago, and links of such names: somebody may be writing
 * the others.
 */
void file_drop_left_overs(const char *folder);

/* Copies from to a new file at to (made as file_write_whole does) with that mode. */
int file_copy(const char *from, const char *to, mode_t mode, struct err *err);

/*
 * Creates path and the folders above it; folders that exist stay as they are.
 * Errors: ERR_IO (also when something else than a folder stands there), ERR_FULL.
 */
int file_make_dirs(const char *path, mode_t mode, struct err *err);

/*
 * Removes path and all below it; what is missing, or what another process removes meanwhile, is
 * fine.  Never follows a link.
 */
int file_remove_tree(const char *path, struct err *err);

/* Removes a link, a pipe and the like at path, where a file of ours is to be; a file stays. */
void file_clear_place(const char *path);

bool file_exists(const char *path);
/* Whether folder/name exists; false where that cannot be told.  Errors: ERR_NOMEM. */
int file_is_in(const char *folder, const char *name, bool *out, struct err *err);

/* A device or a pipe, or a link to one: a file put in its place would take it from everybody. */
bool file_is_special(const char *path);

/* Whether path lies on a file system that other machines may share, or on FUSE. */
bool file_is_on_network(const char *path);

/* First line of a small file such as /proc or /sys, without its end; false when unreadable. */
bool file_first_line(const char *path, char *out, size_t size);

/* Joins folder and name on the heap; NULL with ERR_NOMEM. */
char *path_join(const char *folder, const char *name, struct err *err);

#endif
