/*
 * object - a relocatable object file, or a member of an archive, as a link read it.
 *
 * Source: System V ABI, Tool Interface Standard ELF 1.2; "Common archive file format", 4.4BSD ar(5)
 * with GNU's long names.  The file is not trusted: every offset is checked.
 */
#ifndef PAWL_COLLECTOR_EXTENT_OBJECT_H
#define PAWL_COLLECTOR_EXTENT_OBJECT_H

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/code/elf.h"

struct object {
	struct elf file; /* mapped */
	struct elf elf;	 /* the object in it */
	ElfW(Ehdr) head;
	const unsigned char *sections;
	ElfW(Shdr) symbols, texts; /* tables: its symbols and their names */
	size_t n_symbols;
};

/*
 * Opens it; member: its name in the archive at path, or NULL; which: of several of that name, from
 * 0 on.  *out_n gets how many there are.
 * Errors: ERR_ABSENT it is not there, or is of a kind that is not read here (another machine, a
 *         thin archive); ERR_SYNTAX it is damaged; ERR_IO.
 */
int object_open(const char *path, const char *member, size_t which, struct object *out,
		size_t *out_n, struct err *err);
void object_close(struct object *o); /* accepts a zeroed one */

ElfW(Shdr) object_section(const struct object *o, size_t i);	   /* zeros where there is none */
const char *object_section_name(const struct object *o, size_t i); /* "" where there is none */
ElfW(Sym) object_symbol(const struct object *o, size_t i);	   /* zeros where there is none */
const char *object_symbol_name(const struct object *o, const ElfW(Sym) * s); /* likewise "" */

/* The bytes of a section, or NULL: it has none in the file, or they lie outside. */
const unsigned char *object_bytes(const struct object *o, const ElfW(Shdr) * s);

/*
 * The relocations of a section, by place; free() them.  Errors: ERR_SYNTAX they are damaged or not
 * of the kind with addends; ERR_NOMEM.
 */
int object_relocations(const struct object *o, size_t section, ElfW(Rela) * *out, size_t *out_n,
		       struct err *err);

#endif
