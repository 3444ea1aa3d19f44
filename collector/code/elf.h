/*
 * elf - what an ELF file runs: its loadable code and the shared objects it asks for.
 *
 * Source: System V ABI, Tool Interface Standard ELF 1.2.  Reads files of this machine's
 * class; every offset is checked, the file is not trusted.
 *
 * Not libelf: linked with it each command starts 0.11 ms later (7 % of `pawl --version`), opened
 * late it is the longer code (docs/decisions/0024-libraries-tried.md).
 */
#ifndef PAWL_COLLECTOR_CODE_ELF_H
#define PAWL_COLLECTOR_CODE_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/digest/digest.h"

struct elf {
	const unsigned char *data; /* mapped */
	size_t n;
};

/*
 * Maps the file.  Errors: ERR_ABSENT no such file, ERR_IO, ERR_SYNTAX not an ELF file of
 * this machine (a script, another architecture).
 */
int elf_open(const char *path, struct elf *out, struct err *err);
/* Maps any file of that size or more, an archive too.  Errors: ERR_ABSENT, ERR_SYNTAX, ERR_IO. */
int elf_map(const char *path, struct elf *out, struct err *err);
void elf_close(struct elf *elf); /* accepts a zeroed one */

/* n bytes at offset, or NULL when they are not all in the file. */
const void *elf_at(const struct elf *elf, uint64_t offset, uint64_t n);

/* A NUL-terminated string inside a table of so many bytes, or NULL. */
const char *elf_text(const struct elf *elf, uint64_t table, uint64_t size, uint64_t offset);

/*
 * Adds everything that is loaded to the digest: allocated sections but the build id, which
 * changes with debug information; the loadable segments where there is no section table.
 * Errors: ERR_SYNTAX a table that lies outside the file.
 */
int elf_digest(const struct elf *elf, struct digest *d, struct err *err);

/* The digest of that alone.  Errors: those of elf_open() and elf_digest(); ERR_NOMEM. */
int elf_code(const char *path, char out[DIGEST_HEX], struct err *err);

/*
 * Adds the build id, by which a linker sums up all that it wrote, and the file's size: read in
 * microseconds, where a compiler of 30 MB takes 25 ms.  False, and nothing added: it has none.
 */
bool elf_build_id(const struct elf *elf, struct digest *d);

/*
 * A digest of that, or of all bytes of a file that has none.  Errors: ERR_NOMEM, those of
 * digest_of_file().
 */
int elf_sum(const char *path, char out[DIGEST_HEX], struct err *err);

/* Whether the text stands anywhere in the file. */
bool elf_mentions(const struct elf *elf, const char *text);

/* Whether it names /proc/self/exe, as a text or as the numbers of which code makes it, or
 * /proc/%d/exe. */
bool elf_names_self(const struct elf *elf);

/* Whether it mentions what also leads there: getauxval() (AT_EXECFN), dladdr(), or "exe" as the end
 * of a path that is put together. */
bool elf_may_find_itself(const struct elf *elf);

/* DT_NEEDED names, those of filters (DT_AUXILIARY, DT_FILTER), and the search path: DT_RUNPATH, or
 * the older DT_RPATH (then *out_rpath). */
int elf_needed(const struct elf *elf, struct strv *out, char **out_path, bool *out_rpath,
	       struct err *err);

#endif
