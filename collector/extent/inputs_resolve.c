/*
 * inputs_resolve - what symbols lead to.
 */
#include <stdlib.h>
#include <string.h>

#include "collector/extent/inputs.h"

#include "lib/base/banned.h"

typedef ElfW(Sym) symbol;

static int by_definition(const void *a, const void *b)
{
	return strcmp(((const struct definition *)a)->name, ((const struct definition *)b)->name);
}

/* Where the variables of threads begin: their symbols are distances from there. */
static uint64_t threads_begin(const struct inputs *in)
{
	uint64_t least = UINT64_MAX;
	size_t i;

	for (i = 0; i < in->program.head.e_shnum; i++) {
		ElfW(Shdr) s = program_section(&in->program, i);

		if ((s.sh_flags & SHF_TLS) && s.sh_addr < least)
			least = s.sh_addr;
	}
	return least;
}

static bool lies_at(const struct inputs *in, const struct definition *d, const struct final *f)
{
	uint64_t at = in->v[d->input].places[d->section].address + d->value;

	if (f && ELF64_ST_TYPE(f->symbol.st_info) == STT_TLS)
		at -= threads_begin(in);
	return f && at == f->symbol.st_value;
}

const struct definition *inputs_definition(const struct inputs *in, const char *name)
{
	const struct definition key = { .name = name }, *all = in->definitions, *d, *found = NULL;
	const struct final *f = inputs_final(in, name, strlen(name));
	size_t n = 0;

	d = bsearch(&key, all, in->n_definitions, sizeof(key), by_definition);
	if (!d)
		return NULL;
	while (d > all && !strcmp(d[-1].name, name))
		d--;
	for (; d < all + in->n_definitions && !strcmp(d->name, name); d++)
		if (!f || lies_at(in, d, f)) { /* a hidden one has no global symbol any more */
			found = d;
			n++;
		}
	return n == 1 ? found : NULL;
}

static struct target outside(const char *name, uint64_t size)
{
	return (struct target){ .kind = TARGET_OUTSIDE, .name = name, .size = size };
}

static struct target unknown(const char *why)
{
	return (struct target){ .kind = TARGET_UNKNOWN, .why = why };
}

/* What the linker lays beside each other with nothing else of that name: variables of no file. */
static bool is_common(const struct inputs *in, uint64_t address)
{
	size_t i;

	for (i = 0; i < in->map.n; i++)
		if (!strcmp(in->map.v[i].name, "COMMON") && address >= in->map.v[i].address &&
		    address - in->map.v[i].address < in->map.v[i].size)
			return true;
	return false;
}

/* The largest that any object asks for. */
static uint64_t common_alignment(const struct inputs *in, const char *name)
{
	uint64_t most = 0;
	size_t i, k;

	for (i = 0; i < in->n; i++)
		for (k = 1; k < in->v[i].object.n_symbols; k++) {
			symbol s = object_symbol(&in->v[i].object, k);

			if (s.st_shndx == SHN_COMMON && s.st_value > most &&
			    !strcmp(object_symbol_name(&in->v[i].object, &s), name))
				most = s.st_value;
		}
	return most;
}

static struct target common(const struct inputs *in, const struct final *f)
{
	struct target t = outside(f->name, f->symbol.st_size);

	t.alignment = common_alignment(in, f->name);
	return t;
}

static bool has_copy(const struct elf *elf, const ElfW(Shdr) * s, uint64_t address)
{
	const unsigned char *all = elf_at(elf, s->sh_offset, s->sh_size);
	ElfW(Rela) one;
	size_t i;

	for (i = 0; all && i < s->sh_size / sizeof(one); i++) {
		memcpy(&one, all + i * sizeof(one), sizeof(one));
		if (ELF64_R_TYPE(one.r_info) == R_X86_64_COPY && one.r_offset == address)
			return true;
	}
	return false;
}

/* Whether the loader copies a library's variable there. */
static bool is_copy(const struct inputs *in, uint64_t address)
{
	size_t i;

	for (i = 0; i < in->program.head.e_shnum; i++) {
		ElfW(Shdr) s = program_section(&in->program, i);

		if (s.sh_type == SHT_RELA && (s.sh_flags & SHF_ALLOC) &&
		    has_copy(&in->program.elf, &s, address))
			return true;
	}
	return false;
}

static struct target resolve_global(const struct inputs *in, const char *name)
{
	static const char *const made[] = { "_GLOBAL_OFFSET_TABLE_", "_DYNAMIC", "__TMC_END__" };
	const struct definition *d = inputs_definition(in, name);
	const struct final *f = inputs_final(in, name, strlen(name));
	size_t i;

	for (i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		if (!strcmp(name, made[i]))
			return outside(made[i], 0);
	if (d)
		return (struct target){ .kind = TARGET_PLACE,
					.input = d->input,
					.section = d->section,
					.at = d->value };
	if (f && f->is_import)
		return outside(f->name, f->symbol.st_size);
	if (f && f->symbol.st_size && is_common(in, f->symbol.st_value))
		return common(in, f);
	if (f && f->symbol.st_size && is_copy(in, f->symbol.st_value))
		return outside(f->name, f->symbol.st_size);
	return unknown("the address of what only the linker knows");
}

struct target inputs_resolve(const struct inputs *in, size_t input, size_t index)
{
	const struct object *o = &in->v[input].object;
	symbol s = object_symbol(o, index);
	bool is_local = ELF64_ST_BIND(s.st_info) == STB_LOCAL;

	if (!index)
		return (struct target){ .kind = TARGET_NUMBER };
	if (index >= o->n_symbols)
		return unknown("a symbol that is not there");
	if (s.st_shndx == SHN_ABS && is_local)
		return (struct target){ .kind = TARGET_NUMBER, .at = s.st_value };
	if (!is_local)
		return resolve_global(in, object_symbol_name(o, &s));
	if (!s.st_shndx || s.st_shndx >= o->head.e_shnum)
		return unknown("a symbol without a section");
	if (!in->v[input].places[s.st_shndx].is_in &&
	    !strcmp(object_section_name(o, s.st_shndx), ".tm_clone_table"))
		return outside(".tm_clone_table", 0);
	if (!in->v[input].places[s.st_shndx].is_in &&
	    !(object_section(o, s.st_shndx).sh_flags & SHF_MERGE))
		return unknown("a section that was dropped");
	return (struct target){ .kind = TARGET_PLACE,
				.input = input,
				.section = s.st_shndx,
				.at = s.st_value,
				.is_section = ELF64_ST_TYPE(s.st_info) == STT_SECTION };
}

size_t place_first(const struct place *p, uint64_t at)
{
	size_t low = 0, high = p->n_relocations;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->relocations[middle].r_offset < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
