/*
 * elf_digest - what two builds of the same code have in common: what is loaded, what was put into
 * the file for the program, and nothing that only tools read.
 */
#include "collector/code/elf_local.h"

#include "lib/base/banned.h"

/* The table of sections, and the section that has their names; NULL: there is none that is whole.
 */
static const unsigned char *sections(const struct elf *elf, const header *h, section *out_names)
{
	const unsigned char *all = elf_at(elf, h->e_shoff, (uint64_t)h->e_shnum * sizeof(section));

	if (!all || h->e_shentsize != sizeof(section) || h->e_shstrndx >= h->e_shnum)
		return NULL;
	*out_names = section_at(all, h->e_shstrndx);
	return all;
}

#define BUILD_ID ".note.gnu.build-id"
#define LEAST_BUILD_ID 28 /* its head and twelve bytes: what is shorter, somebody chose */

bool elf_build_id(const struct elf *elf, struct digest *d)
{
	const header *head = elf_at(elf, 0, sizeof(header));
	section names, s;
	const unsigned char *all = head ? sections(elf, head, &names) : NULL;
	size_t i;

	if (!all)
		return false;
	for (i = 0; i < head->e_shnum; i++) {
		const char *name;

		s = section_at(all, i);
		name = elf_text(elf, names.sh_offset, names.sh_size, s.sh_name);
		if (s.sh_type != SHT_NOTE || !name || strcmp(name, BUILD_ID))
			continue;
		if (s.sh_size < LEAST_BUILD_ID || !elf_at(elf, s.sh_offset, s.sh_size))
			return false;
		digest_adds(d, BUILD_ID);
		digest_add(d, &elf->n, sizeof(elf->n));
		digest_add(d, elf_at(elf, s.sh_offset, s.sh_size), s.sh_size);
		return true;
	}
	return false;
}

/*
 * By their whole names, or what begins with a word and its end: a program's own may be called
 * ".release", which objcopy makes one of relocations by its kind.
 */
static bool is_tools_name(const char *name)
{
	static const char *const names[] = {
		".debug",
		".gdb_index",
		".stab",
		".stabstr",
		".comment",
		".llvmbc",
		".llvmcmd",
		".BTF",
		".BTF.ext",
		".ctf",
		".annobin",
		".rustc",
		".pdr",
		".mdebug",
		".symtab",
		".gnu_debuglink",
		".strtab",
		".shstrtab",
		".gnu_debugaltlink",
		".gnu_debugdata",
		".gnu.build.attributes",
	};
	static const char *const starts[] = {
		".debug_", ".zdebug_",	    ".stab.",	 ".gnu.lto_",	   ".llvm_",
		".llvm.",  ".gnu.warning.", ".annobin.", ".ctf.",	   ".SUNW_",
		".ARM.",   ".riscv.",	    ".mdebug.",	 ".gnu.debuglto_", ".gnu.build.attributes.",
		".note.",  ".rel.",	    ".rela."
	};

	return STR_IS_ONE_OF(name, names) || STR_STARTS_ONE_OF(name, starts);
}

/* Of tools that read the file, and different in two builds of the same code. */
static bool is_of_tools(const section *s, const char *name)
{
	return s->sh_type == SHT_NULL || s->sh_type == SHT_SYMTAB || s->sh_type == SHT_STRTAB ||
	       s->sh_type == SHT_GROUP || s->sh_type == SHT_SYMTAB_SHNDX ||
	       s->sh_type == SHT_NOBITS ||
	       /* of another section; with no name of one it is none, whatever its kind */
	       ((s->sh_type == SHT_REL || s->sh_type == SHT_RELA) && s->sh_info) ||
	       is_tools_name(name);
}

/* What is not loaded, and put there for the program, which reads it from its own file. */
static int digest_payload(const struct elf *elf, const section *s, const char *name,
			  struct digest *d, struct err *err)
{
	const void *bytes;

	if (!name || is_of_tools(s, name))
		return 0;
	bytes = elf_at(elf, s->sh_offset, s->sh_size);
	if (!bytes)
		return elf_outside(err);
	digest_adds(d, name);
	digest_add(d, &s->sh_size, sizeof(s->sh_size));
	digest_add(d, bytes, s->sh_size);
	return 0;
}

static int digest_sections(const struct elf *elf, const header *h, struct digest *d,
			   struct err *err)
{
	section names, s;
	const unsigned char *all = sections(elf, h, &names);
	size_t i;

	if (!all)
		return elf_outside(err);
	for (i = 0; i < h->e_shnum; i++) {
		const char *name;
		const void *bytes;

		s = section_at(all, i);
		name = elf_text(elf, names.sh_offset, names.sh_size, s.sh_name);
		if (!(s.sh_flags & SHF_ALLOC)) {
			if (digest_payload(elf, &s, name, d, err))
				return -1;
			continue;
		}
		if (!name)
			return elf_outside(err);
		if (!strcmp(name, BUILD_ID))
			continue;
		digest_adds(d, name);
		digest_add(d, &s.sh_addr, sizeof(s.sh_addr));
		digest_add(d, &s.sh_size, sizeof(s.sh_size));
		digest_add(d, &s.sh_flags, sizeof(s.sh_flags));
		if (s.sh_type == SHT_NOBITS)
			continue;
		bytes = elf_at(elf, s.sh_offset, s.sh_size);
		if (!bytes)
			return elf_outside(err);
		digest_add(d, bytes, s.sh_size);
	}
	return 0;
}

static int digest_segment(const struct elf *elf, const segment *s, struct digest *d,
			  struct err *err)
{
	const void *bytes = elf_at(elf, s->p_offset, s->p_filesz);

	if (!bytes)
		return elf_outside(err);
	digest_add(d, &s->p_vaddr, sizeof(s->p_vaddr));
	digest_add(d, &s->p_memsz, sizeof(s->p_memsz));
	digest_add(d, bytes, s->p_filesz);
	return 0;
}

static int digest_segments(const struct elf *elf, const header *h, struct digest *d,
			   struct err *err)
{
	const unsigned char *all = elf_segments(elf, h);
	size_t i;

	if (!all)
		return elf_outside(err);
	for (i = 0; i < h->e_phnum; i++) {
		segment s = segment_at(all, i);

		if (s.p_type == PT_LOAD && digest_segment(elf, &s, d, err))
			return -1;
	}
	return 0;
}

static bool has_section(const struct elf *elf, const header *h, const segment *in)
{
	const unsigned char *all = elf_at(elf, h->e_shoff, (uint64_t)h->e_shnum * sizeof(section));
	size_t i;

	for (i = 0; all && i < h->e_shnum; i++) {
		section s = section_at(all, i);

		if ((s.sh_flags & SHF_ALLOC) && s.sh_addr >= in->p_vaddr &&
		    s.sh_addr - in->p_vaddr < in->p_memsz)
			return true;
	}
	return false;
}

/*
 * What the program's own table says beyond the sections: a stack that is executable or of another
 * size, and what is loaded though no section tells of it.
 */
static int digest_beyond(const struct elf *elf, const header *h, struct digest *d, struct err *err)
{
	const unsigned char *all = elf_segments(elf, h);
	size_t i;

	for (i = 0; all && i < h->e_phnum; i++) {
		segment s = segment_at(all, i);

		if (s.p_type == PT_GNU_STACK && ((s.p_flags & PF_X) || s.p_memsz)) {
			digest_add(d, &s.p_flags, sizeof(s.p_flags));
			digest_add(d, &s.p_memsz, sizeof(s.p_memsz));
		}
		if (s.p_type == PT_LOAD && !has_section(elf, h, &s) &&
		    digest_segment(elf, &s, d, err))
			return -1;
	}
	return 0;
}

static uint64_t later(uint64_t end, uint64_t offset, uint64_t n)
{
	return offset <= UINT64_MAX - n && offset + n > end ? offset + n : end;
}

/*
 * What lies behind all tables, sections and segments, as programs append data that they read from
 * their own file.  A table that lies outside has been refused already.
 */
static void digest_rest(const struct elf *elf, const header *h, struct digest *d)
{
	uint64_t end = later(0, h->e_shoff, (uint64_t)h->e_shnum * h->e_shentsize);
	const unsigned char *all;
	size_t i, n;

	end = later(end, h->e_phoff, (uint64_t)h->e_phnum * h->e_phentsize);
	all = elf_at(elf, h->e_shoff, (uint64_t)h->e_shnum * sizeof(section));
	for (i = 0; all && i < h->e_shnum; i++) {
		section s = section_at(all, i);

		if (s.sh_type != SHT_NOBITS)
			end = later(end, s.sh_offset, s.sh_size);
	}
	all = elf_at(elf, h->e_phoff, (uint64_t)h->e_phnum * sizeof(segment));
	for (i = 0, n = all ? h->e_phnum : 0; i < n; i++) {
		segment s = segment_at(all, i);

		end = later(end, s.p_offset, s.p_filesz);
	}
	if (end < elf->n)
		digest_add(d, elf->data + end, elf->n - end);
}

int elf_digest(const struct elf *elf, struct digest *d, struct err *err)
{
	const header *h = (const header *)(const void *)elf->data;

	digest_add(d, &h->e_machine, sizeof(h->e_machine));
	digest_add(d, &h->e_entry, sizeof(h->e_entry));
	if (h->e_shnum ? digest_sections(elf, h, d, err) || digest_beyond(elf, h, d, err)
		       : digest_segments(elf, h, d, err))
		return -1;
	digest_rest(elf, h, d);
	return 0;
}

int elf_code(const char *path, char out[DIGEST_HEX], struct err *err)
{
	struct digest d = DIGEST_INIT;
	struct elf elf;
	int result = -1;

	if (elf_open(path, &elf, err))
		return -1;
	if (!digest_begin(&d, err) && !elf_digest(&elf, &d, err))
		result = digest_end(&d, out, err);
	digest_release(&d);
	elf_close(&elf);
	return result;
}
