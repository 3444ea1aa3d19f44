/*
 * elf_local - what the files that read ELF share.
 */
#ifndef PAWL_COLLECTOR_CODE_ELF_LOCAL_H
#define PAWL_COLLECTOR_CODE_ELF_LOCAL_H

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

#include "collector/code/elf.h"

typedef ElfW(Ehdr) header;
typedef ElfW(Shdr) section;
typedef ElfW(Phdr) segment;
typedef ElfW(Dyn) dynamic;

/* Tables may stand at any byte. */
static inline section section_at(const unsigned char *table, size_t i)
{
	section s;

	memcpy(&s, table + i * sizeof(s), sizeof(s));
	return s;
}

static inline segment segment_at(const unsigned char *table, size_t i)
{
	segment s;

	memcpy(&s, table + i * sizeof(s), sizeof(s));
	return s;
}

int elf_outside(struct err *err);

/* The table of segments; NULL: there is none that is whole. */
const unsigned char *elf_segments(const struct elf *elf, const header *h);

#endif
