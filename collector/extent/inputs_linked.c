/*
 * inputs_linked - whether the objects are those that were linked.
 */
#include <string.h>

#include "collector/extent/inputs.h"
#include "collector/extent/relocation.h"

#include "lib/base/banned.h"

#define FIELD_MOST 8 /* bytes that a relocation fills in */
#define BEFORE_FIELD \
	4 /* bytes of an instruction before them that the linker may change with them */

typedef ElfW(Shdr) section;

/* The bytes of the program at an address, or NULL. */
static const unsigned char *linked_bytes(const struct program *p, uint64_t address, uint64_t size)
{
	size_t i;

	for (i = 0; i < p->head.e_shnum; i++) {
		section s = program_section(p, i);
		uint64_t at = address - s.sh_addr;

		if ((s.sh_flags & SHF_ALLOC) && s.sh_type != SHT_NOBITS && address >= s.sh_addr &&
		    at <= s.sh_size && size <= s.sh_size - at)
			return elf_at(&p->elf, s.sh_offset + at, size);
	}
	return NULL;
}

/* Of a place that names another one of its object: whether the program has it lead there. */
static bool leads_there(const struct inputs *in, const struct input *i, uint64_t at,
			const ElfW(Rela) * r)
{
	ElfW(Sym) s = object_symbol(&i->object, ELF64_R_SYM(r->r_info)), final;
	const struct program *p = &in->program;
	size_t k = program_first_place(p, at);
	uint32_t type = (uint32_t)ELF64_R_TYPE(r->r_info);

	if ((type != R_X86_64_PC32 && type != R_X86_64_64) ||
	    ELF64_ST_BIND(s.st_info) != STB_LOCAL || s.st_shndx >= i->object.head.e_shnum ||
	    !i->places[s.st_shndx].is_in ||
	    (object_section(&i->object, s.st_shndx).sh_flags & SHF_MERGE) || k == p->n_places ||
	    p->places[k].r_offset != at)
		return true;
	final = program_symbol(p, program_place_symbol(&p->places[k]));
	return final.st_value + (uint64_t)p->places[k].r_addend ==
	       i->places[s.st_shndx].address + s.st_value + (uint64_t)r->r_addend;
}

bool inputs_leads_as_linked(const struct inputs *in, size_t input, size_t at)
{
	const struct input *i = &in->v[input];
	const struct place *p = &i->places[at];
	bool good = true;
	size_t k;

	for (k = 0; good && k < p->n_relocations; k++)
		good = leads_there(in, i, p->address + p->relocations[k].r_offset,
				   &p->relocations[k]);
	return good;
}

bool inputs_is_as_linked(const struct inputs *in, size_t input, size_t at)
{
	const struct place *place = &in->v[input].places[at];
	section s = object_section(&in->v[input].object, at);
	const unsigned char *bytes = object_bytes(&in->v[input].object, &s), *linked;
	uint64_t from = 0, until;
	size_t i;

	if (s.sh_type == SHT_NOBITS)
		return true;
	linked = linked_bytes(&in->program, place->address, s.sh_size);
	if (!bytes || !linked)
		return false;
	for (i = 0; i <= place->n_relocations; i++) {
		uint64_t field = i < place->n_relocations ? place->relocations[i].r_offset
							  : s.sh_size + BEFORE_FIELD;
		size_t width = FIELD_MOST;
		bool near;

		if (i < place->n_relocations)
			relocation_kind((uint32_t)ELF64_R_TYPE(place->relocations[i].r_info),
					&width, &near);
		until = field > BEFORE_FIELD ? field - BEFORE_FIELD : 0;
		until = until < s.sh_size ? until : s.sh_size;
		if (until > from && memcmp(bytes + from, linked + from, until - from) != 0)
			return false;
		from = field + width > from ? field + width : from;
	}
	return true;
}
