#include "collector/link/program.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/digest/digest.h"

#include "lib/base/banned.h"

#if __SIZEOF_POINTER__ == 8
#define INFO_SYMBOL(info) ELF64_R_SYM(info)
#define INFO_TYPE(info) ((uint32_t)ELF64_R_TYPE(info))
#else
#define INFO_SYMBOL(info) ELF32_R_SYM(info)
#define INFO_TYPE(info) ((uint32_t)ELF32_R_TYPE(info))
#endif

typedef ElfW(Shdr) section;
typedef ElfW(Sym) symbol;
typedef ElfW(Rela) relocation;

int program_damaged(struct err *err)
{
	return err_set(err, ERR_SYNTAX, "a table of the program lies outside its file");
}

section program_section(const struct program *f, size_t i)
{
	section s;

	memcpy(&s, f->sections + i * sizeof(s), sizeof(s));
	return s;
}

symbol program_symbol(const struct program *f, size_t i)
{
	symbol s;

	memset(&s, 0, sizeof(s));
	if (i < f->n_symbols)
		memcpy(&s, f->elf.data + f->symbols.sh_offset + i * sizeof(s), sizeof(s));
	return s;
}

const char *program_symbol_name(const struct program *f, const symbol *s)
{
	return elf_text(&f->elf, f->texts.sh_offset, f->texts.sh_size, s->st_name);
}

const char *program_section_name(const struct program *f, const section *s)
{
	return elf_text(&f->elf, f->names.sh_offset, f->names.sh_size, s->sh_name);
}

static int find_symbols(struct program *f, struct err *err)
{
	size_t i;

	for (i = 0; i < f->head.e_shnum; i++) {
		section s = program_section(f, i);

		if (s.sh_type != SHT_SYMTAB)
			continue;
		if (s.sh_link >= f->head.e_shnum || !elf_at(&f->elf, s.sh_offset, s.sh_size))
			return program_damaged(err);
		f->symbols = s;
		f->texts = program_section(f, s.sh_link);
		f->n_symbols = s.sh_size / sizeof(symbol);
		return 0;
	}
	return err_set(err, ERR_SYNTAX, "the program has no symbols");
}

static int load(const char *path, struct program *f, struct err *err)
{
	if (elf_open(path, &f->elf, err))
		return -1;
	memcpy(&f->head, f->elf.data, sizeof(f->head));
	f->sections = elf_at(&f->elf, f->head.e_shoff, (uint64_t)f->head.e_shnum * sizeof(section));
	if (!f->sections || f->head.e_shentsize != sizeof(section) ||
	    f->head.e_shstrndx >= f->head.e_shnum)
		return program_damaged(err);
	if (f->head.e_machine != EM_X86_64 && f->head.e_machine != EM_AARCH64)
		return err_set(err, ERR_ABSENT, "programs of this machine have one layout only");
	f->names = program_section(f, f->head.e_shstrndx);
	return find_symbols(f, err);
}

/* Bytes at a place of that kind. */
static size_t width_of(const struct program *f, uint32_t type)
{
	if (f->head.e_machine == EM_AARCH64)
		return type == R_AARCH64_ABS64 || type == R_AARCH64_PREL64   ? 8
		       : type == R_AARCH64_ABS16 || type == R_AARCH64_PREL16 ? 2
		       : type == R_AARCH64_NONE				     ? 0
									     : 4;
	switch (type) {
	case R_X86_64_NONE:
	case R_X86_64_TLSDESC_CALL:
		return 0;
	case R_X86_64_8:
	case R_X86_64_PC8:
		return 1;
	case R_X86_64_16:
	case R_X86_64_PC16:
		return 2;
	case R_X86_64_64:
	case R_X86_64_DTPMOD64:
	case R_X86_64_DTPOFF64:
	case R_X86_64_TPOFF64:
	case R_X86_64_PC64:
	case R_X86_64_GOTOFF64:
	case R_X86_64_GOT64:
	case R_X86_64_GOTPCREL64:
	case R_X86_64_GOTPC64:
	case R_X86_64_PLTOFF64:
	case R_X86_64_SIZE64:
		return 8;
	default:
		return 4;
	}
}

static int by_place(const void *a, const void *b)
{
	const relocation *x = a, *y = b;

	if (x->r_offset != y->r_offset)
		return x->r_offset < y->r_offset ? -1 : 1;
	return (x->r_info > y->r_info) - (x->r_info < y->r_info);
}

/* Those that --emit-relocs left: of sections that are loaded, but not loaded themselves. */
static int read_places(struct program *f, struct err *err)
{
	size_t i, n;

	for (i = 0; i < f->head.e_shnum; i++) {
		section s = program_section(f, i);
		const void *table;
		relocation *grown;

		if (s.sh_type != SHT_RELA || (s.sh_flags & SHF_ALLOC))
			continue;
		table = elf_at(&f->elf, s.sh_offset, s.sh_size);
		n = s.sh_size / sizeof(relocation);
		if (!table)
			return program_damaged(err);
		if (!n)
			continue;
		grown = realloc(f->places, (f->n_places + n) * sizeof(*grown));
		if (!grown)
			return err_nomem(err);
		f->places = grown;
		memcpy(grown + f->n_places, table, n * sizeof(*grown));
		f->n_places += n;
	}
	if (f->n_places)
		qsort(f->places, f->n_places, sizeof(*f->places), by_place);
	return 0;
}

size_t program_first_place(const struct program *f, uint64_t address)
{
	size_t low = 0, high = f->n_places;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->places[middle].r_offset < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int program_hash(const struct program *f, const void *bytes, uint64_t address, uint64_t n,
		 char out[PROGRAM_HASH], struct err *err)
{
	unsigned char *copy = malloc(n ? n : 1);
	struct digest d = DIGEST_INIT;
	char hex[DIGEST_HEX];
	size_t i;
	int result = -1;

	if (!copy)
		return err_nomem(err);
	if (digest_begin(&d, err))
		goto out;
	memcpy(copy, bytes, n);
	for (i = program_first_place(f, address);
	     i < f->n_places && f->places[i].r_offset < address + n; i++) {
		uint64_t at = f->places[i].r_offset - address;
		uint32_t type = INFO_TYPE(f->places[i].r_info);
		symbol s = program_symbol(f, INFO_SYMBOL(f->places[i].r_info));
		size_t width = width_of(f, type);

		memset(copy + at, 0, width < n - at ? width : n - at);
		digest_add(&d, &at, sizeof(at));
		digest_add(&d, &type, sizeof(type));
		if (ELF64_ST_BIND(s.st_info) == STB_GLOBAL)
			digest_adds(&d, program_symbol_name(f, &s));
	}
	digest_add(&d, copy, n);
	result = digest_end(&d, hex, err);
	if (!result) {
		memcpy(out, hex, PROGRAM_HASH - 1);
		out[PROGRAM_HASH - 1] = '\0';
	}
out:
	digest_release(&d);
	free(copy);
	return result;
}

static int by_address(const void *a, const void *b)
{
	const symbol *x = a, *y = b;

	return (x->st_value > y->st_value) - (x->st_value < y->st_value);
}

static int read_functions(struct program *f, struct err *err)
{
	size_t i;

	f->functions = calloc(f->n_symbols ? f->n_symbols : 1, sizeof(*f->functions));
	if (!f->functions)
		return err_nomem(err);
	for (i = 1; i < f->n_symbols; i++) {
		symbol s = program_symbol(f, i);

		if (ELF64_ST_TYPE(s.st_info) == STT_FUNC && s.st_shndx)
			f->functions[f->n_functions++] = s;
	}
	qsort(f->functions, f->n_functions, sizeof(*f->functions), by_address);
	return 0;
}

const char *program_function_at(const struct program *f, uint64_t address)
{
	symbol key = { .st_value = address }, *found;

	found = bsearch(&key, f->functions, f->n_functions, sizeof(key), by_address);
	return found ? program_symbol_name(f, found) : NULL;
}

size_t program_place_symbol(const relocation *place)
{
	return INFO_SYMBOL(place->r_info);
}

void program_close(struct program *f)
{
	free(f->places);
	free(f->functions);
	elf_close(&f->elf);
	memset(f, 0, sizeof(*f));
}

int program_open(const char *path, struct program *out, struct err *err)
{
	struct program f;

	memset(&f, 0, sizeof(f));
	memset(out, 0, sizeof(*out));
	if (load(path, &f, err) || read_places(&f, err) || read_functions(&f, err)) {
		program_close(&f);
		return -1;
	}
	*out = f;
	return 0;
}
