/*
 * program - a linked file's sections, symbols and the places that the linker filled in.
 */
#ifndef PAWL_COLLECTOR_LINK_PROGRAM_H
#define PAWL_COLLECTOR_LINK_PROGRAM_H

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/code/elf.h"

struct program {
	struct elf elf;
	ElfW(Ehdr) head;
	const unsigned char *sections;
	ElfW(Shdr) names, symbols, texts; /* tables: names of sections, symbols and their names */
	size_t n_symbols;
	ElfW(Rela) * places; /* by address */
	size_t n_places;
	ElfW(Sym) * functions; /* by address */
	size_t n_functions;
};

#define PROGRAM_HASH 17 /* 16 hex digits and the NUL */

/*
 * Opens it.  Errors: ERR_ABSENT no such file, or its machine's relocations are not known here;
 * ERR_SYNTAX it is damaged, or has no symbols; ERR_IO, ERR_NOMEM.
 */
int program_open(const char *path, struct program *out, struct err *err);
void program_close(struct program *f); /* accepts a zeroed one */

/* ERR_SYNTAX: a table lies outside the file. */
int program_damaged(struct err *err);

ElfW(Shdr) program_section(const struct program *f, size_t i); /* i < f->head.e_shnum */
ElfW(Sym) program_symbol(const struct program *f, size_t i);   /* zeros where there is none */
const char *program_symbol_name(const struct program *f, const ElfW(Sym) * s); /* or NULL */
const char *program_section_name(const struct program *f, const ElfW(Shdr) * s);

/* The first of f->places at an address or behind it, or f->n_places. */
size_t program_first_place(const struct program *f, uint64_t address);

/* Which symbol the place refers to. */
size_t program_place_symbol(const ElfW(Rela) * place);

/* The name of the function that begins there, or NULL. */
const char *program_function_at(const struct program *f, uint64_t address);

/*
 * Digests n bytes at an address: what the linker fills in as zeros, but with its kind and the name
 * of a global symbol that it refers to.  Errors: ERR_NOMEM.
 */
int program_hash(const struct program *f, const void *bytes, uint64_t address, uint64_t n,
		 char out[PROGRAM_HASH], struct err *err);

#endif
