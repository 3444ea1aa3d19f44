#include "collector/enter/unwinders.h"

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "collector/code/elf.h"
#include "lib/base/strv.h"

#include "lib/base/banned.h"

typedef ElfW(Ehdr) header;
typedef ElfW(Shdr) section;
typedef ElfW(Sym) symbol;
typedef ElfW(Phdr) segment;

bool unwinders_is_one(const char *name)
{
	static const char *const names[] = {
		"_Unwind_RaiseException", "_Unwind_ForcedUnwind", "_Unwind_Resume_or_Rethrow",
		"_Unwind_Backtrace",	  "_Unwind_Find_FDE",	  "unw_step",
		"_ULx86_64_step",	  "_Ux86_64_step"
	};

	return STR_IS_ONE_OF(name, names);
}

/* The address that a library's first byte was linked for. */
static bool find_first(const struct elf *e, const header *h, uint64_t *out)
{
	const unsigned char *all = elf_at(e, h->e_phoff, (uint64_t)h->e_phnum * sizeof(segment));
	segment one;
	size_t i;

	for (i = 0; all && i < h->e_phnum; i++) {
		memcpy(&one, all + i * sizeof(one), sizeof(one));
		if (one.p_type == PT_LOAD && !one.p_offset) {
			*out = one.p_vaddr;
			return true;
		}
	}
	return false;
}

static bool find_symbols(const struct elf *e, const header *h, section *out, section *texts)
{
	const unsigned char *all = elf_at(e, h->e_shoff, (uint64_t)h->e_shnum * sizeof(section));
	size_t i;

	for (i = 0; all && i < h->e_shnum; i++) {
		memcpy(out, all + i * sizeof(*out), sizeof(*out));
		if (out->sh_type != SHT_DYNSYM || out->sh_link >= h->e_shnum)
			continue;
		memcpy(texts, all + out->sh_link * sizeof(*texts), sizeof(*texts));
		return elf_at(e, out->sh_offset, out->sh_size) != NULL;
	}
	return false;
}

static bool add_all(const struct elf *e, uint64_t base, struct unwinders *out)
{
	const unsigned char *all;
	section symbols, texts;
	uint64_t first;
	symbol one;
	header h;
	size_t i;

	if (e->n < sizeof(h))
		return false;
	memcpy(&h, e->data, sizeof(h));
	if (!find_first(e, &h, &first) || !find_symbols(e, &h, &symbols, &texts))
		return false;
	all = elf_at(e, symbols.sh_offset, symbols.sh_size);
	for (i = 0; i < symbols.sh_size / sizeof(one); i++) {
		const char *name;

		memcpy(&one, all + i * sizeof(one), sizeof(one));
		name = elf_text(e, texts.sh_offset, texts.sh_size, one.st_name);
		if (!name || !one.st_shndx || ELF64_ST_TYPE(one.st_info) != STT_FUNC ||
		    !unwinders_is_one(name))
			continue;
		if (out->n == UNWINDERS_MOST)
			return false;
		out->v[out->n++] = base + one.st_value - first;
	}
	return true;
}

/* Of a line "BEGIN-END RIGHTS OFFSET DEVICE INODE PATH" where the file's first byte is. */
static bool add_line(const char *line, const char *exe, struct unwinders *out)
{
	const char *path = strchr(line, '/'), *offset;
	struct elf e = { NULL, 0 };
	char *end;
	uint64_t base = strtoull(line, &end, 16);
	bool good;

	offset = *end == '-' ? strchr(end, ' ') : NULL;
	offset = offset ? strchr(offset + 1, ' ') : NULL;
	if (!path || !offset || strtoull(offset, NULL, 16) || !strcmp(path, exe))
		return true;
	if (elf_open(path, &e, NULL)) /* data that is mapped: no code of it runs */
		return true;
	good = add_all(&e, base, out);
	elf_close(&e);
	return good;
}

bool unwinders_find(char *maps, const char *exe, struct unwinders *out)
{
	char *line, *rest;
	bool good = true;

	out->n = 0;
	for (line = strtok_r(maps, "\n", &rest); good && line; line = strtok_r(NULL, "\n", &rest))
		good = add_line(line, exe, out);
	return good;
}

/* tree: the project's, which may lie in a folder of the system itself. */
static bool is_of_system(const char *path, const char *tree)
{
	static const char *const folders[] = { "/lib/", "/lib64/", "/usr/",
					       "/opt/", "[vdso]",  "[vsyscall]" };
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (str_starts(path, folders[i]))
			return !str_below(path, tree);
	return false;
}

bool unwinders_all_code_is_known(char *maps, const char *exe, const char *tree)
{
	char *line, *rest;

	for (line = strtok_r(maps, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		const char *rights = strchr(line, ' '), *path = strpbrk(line, "/[");

		if (!rights || strlen(rights) < 5 || rights[3] != 'x')
			continue;
		if (!path || (strcmp(path, exe) != 0 && !is_of_system(path, tree)))
			return false;
	}
	return true;
}
