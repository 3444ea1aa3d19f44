/*
 * traits - what of a program is the same wherever its functions lie.
 *
 * Two layouts of one link have the same traits: the libraries that they need, their sections, all
 * symbols with type and size, the bytes of each function and object but for the places that the
 * linker fills in, and the order of constructors.  The places are known from the relocations that
 * --emit-relocs leaves in the file.
 *
 * Source: System V ABI, Tool Interface Standard ELF 1.2; System V ABI, AMD64 supplement 1.0; ELF
 * for the Arm 64-bit Architecture 2024Q3.  The file is not trusted: every offset is checked.
 */
#ifndef PAWL_COLLECTOR_LAYOUT_TRAITS_H
#define PAWL_COLLECTOR_LAYOUT_TRAITS_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

/*
 * Appends the traits of the file at path, sorted, one text each.
 * Errors: ERR_ABSENT no such file, or its machine's relocations are not known here; ERR_SYNTAX it
 *         is damaged, or has no symbols; ERR_IO, ERR_NOMEM.
 * Cost: reads the file once; about 1 us a symbol.
 */
int traits_read(const char *path, struct strv *out, struct err *err);

/* Whether both are the same.  Errors: ERR_CORRUPT with the first trait that only one has. */
int traits_compare(const struct strv *a, const struct strv *b, struct err *err);

/*
 * Whether a program executes what plain does, section by section, at the same addresses, or at
 * others (moved): program is the same link with its relocations kept, which must not change which
 * instructions it has.  Errors: ERR_CORRUPT they differ; those of traits_read().
 */
int traits_compare_code(const char *program, const char *plain, bool moved, struct err *err);

/*
 * Errors: ERR_ABSENT the program, or a library that it loads, asks where its data begins, as
 * garbage collectors do: what is put in front of that would not be looked at.
 */
int traits_refuse_data_start(const char *path, struct err *err);

#endif
