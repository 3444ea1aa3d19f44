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
 * And the one that tells which file the names of all that is read are appended to, as rules for
 * make.  Beside it lie more such files (".NUMBER"), one of headers, a line each, and one of the
 * compilers that ran, and the folders that they search, with a '/' at the end.
 */
#define COMPILERS_SEEN "PAWL_BUILD_SEEN"
#define COMPILERS_HEADERS ".headers"
#define COMPILERS_USED ".used"

#define COMPILERS_FILE "file: " /* begins the line of a file: its path, a blank, its digest */

/*
 * Appends what builds with environment env depend on besides their sources: the words of the
 * compilers, assembler and linker, and these programs, the compilers proper and what is linked into
 * every program by their content.  Several lines.
 *
 * The programs are asked by some twenty processes, and the files are read; memory is the path of a
 * file that keeps the answer for as long as the programs and env stay as they are, beside it one
 * that keeps the digests (NULL: none).  What a script stands for is asked each time: it may start
 * anything.
 *
 * Errors: ERR_TIMEOUT, ERR_IO, ERR_NOMEM; a memory that cannot be written is none.
 */
int compilers_identity(const struct strv *env, const char *memory, struct buf *out,
		       struct err *err);

/* Appends when the system's packages last changed: with them come libraries that programs load. */
void compilers_packages(struct buf *out);

/*
 * Makes a folder of wrappers for the compilers of env, once for a name (of one path part) below
 * folder root, and puts it in front of PATH in env; CC and CXX with absolute paths become wrappers.
 * Each leaves the folder out if its compiler can, which it tries when it first runs.
 * Errors: ERR_IO, ERR_FULL, ERR_NOMEM.
 */
int compilers_wrap(const char *root, const char *name, struct strv *env, struct err *err);

#endif
