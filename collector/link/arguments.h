/*
 * arguments - the command line of a linker: what it asks for, and what it is to be when the link is
 * made again.
 *
 * Source: "Options", manual of GNU ld 2.40; response files are read as libiberty's expandargv()
 * reads them.
 */
#ifndef PAWL_COLLECTOR_LINK_ARGUMENTS_H
#define PAWL_COLLECTOR_LINK_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

/*
 * Appends argv with every @FILE replaced by the words in it, and those in these; paths are relative
 * to the working folder.  A file that cannot be read stays as it is, as for the linker, and so does
 * what is no file: a pipe can be read once.
 * Errors: ERR_LIMIT files that contain each other, or too many words; ERR_NOMEM.
 */
int arguments_expand(char *const *argv, struct strv *out, struct err *err);

/* Appends what arguments_expand() reads back, one word a line. */
void arguments_respond(const struct strv *words, struct buf *out);

/* Whether it makes a program or a shared object: not for -r, --version, --help. */
bool arguments_are_link(const struct strv *words);

/* Why such a link has no other layout ("it has a linker script of its own"), or NULL. */
const char *arguments_refusal(const struct strv *words);

/* What it writes: "a.out" where nothing is said.  Points into words. */
const char *arguments_output(const struct strv *words);

/*
 * Appends the words of the same link that writes nothing but output: not where its output was, no
 * map, nothing to read for people, and symbols are kept.  What link-time optimisation writes on the
 * way goes to OUTPUT.resolution. Errors: ERR_NOMEM.
 */
int arguments_again(const struct strv *words, const char *output, struct strv *out,
		    struct err *err);

#endif
