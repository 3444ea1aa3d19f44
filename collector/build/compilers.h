/*
 * compilers - which compilers a build uses, and how it is kept from them where the sources lie.
 *
 * A compiler puts the path of its sources into programs (__FILE__, so assert() too).  Two commits
 * are built in two folders, so equal sources would make different programs.  gcc and clang leave
 * the folder out when they are told to; how, without the project's flags being touched, is in
 * docs/decisions/0010-equal-builds.md.
 */
#ifndef PAWL_COLLECTOR_BUILD_COMPILERS_H
#define PAWL_COLLECTOR_BUILD_COMPILERS_H

#include "lib/base/err.h"
#include "lib/base/strv.h"

/* The variable that tells the wrappers which folder is to be left out. */
#define COMPILERS_TREE "PAWL_BUILD_TREE"

/*
 * Appends what builds with environment env depend on besides their sources: names and versions of
 * the compilers, assembler and linker, and which packages the system has installed.  Several lines.
 *
 * The programs are asked for their versions, by some twelve processes; memory is the path of a file
 * that keeps the answer for as long as they, env and the packages stay as they are (NULL: none).
 * What a script stands for is asked each time: it may start anything.
 *
 * Errors: ERR_TIMEOUT, ERR_IO, ERR_NOMEM; a memory that cannot be written is none.
 */
int compilers_identity(const struct strv *env, const char *memory, struct buf *out,
		       struct err *err);

/*
 * Makes a folder of wrappers for the compilers of env that can leave a folder out, once for a
 * name (of one path part) below folder root, and puts it in front of PATH in env; CC and CXX with
 * absolute paths become wrappers.  Where none can, env stays as it is.
 * Errors: ERR_IO, ERR_FULL, ERR_NOMEM.
 */
int compilers_wrap(const char *root, const char *name, struct strv *env, struct err *err);

#endif
