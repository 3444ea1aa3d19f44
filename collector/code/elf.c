#include "collector/code/elf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/banned.h"

#if __SIZEOF_POINTER__ == 8
#define NATIVE_CLASS ELFCLASS64
#else
#define NATIVE_CLASS ELFCLASS32
#endif

typedef ElfW(Ehdr) header;
typedef ElfW(Shdr) section;
typedef ElfW(Phdr) segment;
typedef ElfW(Dyn) dynamic;

void elf_close(struct elf *elf)
{
	if (elf->data)
		munmap((void *)(uintptr_t)elf->data, elf->n);
	elf->data = NULL;
	elf->n = 0;
}

int elf_map(const char *path, struct elf *out, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	void *data;

	memset(out, 0, sizeof(*out));
	if (fd < 0)
		return err_sys(err, errno == ENOENT ? ERR_ABSENT : ERR_IO, "cannot open '%s'",
			       path);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(header)) {
		close(fd);
		return err_set(err, ERR_SYNTAX, "'%s' is not an executable file", path);
	}
	data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (data == MAP_FAILED)
		return err_sys(err, ERR_IO, "cannot map '%s'", path);
	out->data = data;
	out->n = (size_t)st.st_size;
	return 0;
}

int elf_open(const char *path, struct elf *out, struct err *err)
{
	if (elf_map(path, out, err))
		return -1;
	if (memcmp(out->data, ELFMAG, SELFMAG) || out->data[EI_CLASS] != NATIVE_CLASS) {
		elf_close(out);
		return err_set(err, ERR_SYNTAX, "'%s' is not an ELF file of this machine", path);
	}
	return 0;
}

/*
 * Entries of tables are copied out: nothing says that a table in a hostile file begins
 * where its entries may be read in place.
 */
static section section_at(const unsigned char *table, size_t i)
{
	section s;

	memcpy(&s, table + i * sizeof(s), sizeof(s));
	return s;
}

static segment segment_at(const unsigned char *table, size_t i)
{
	segment s;

	memcpy(&s, table + i * sizeof(s), sizeof(s));
	return s;
}

static dynamic dynamic_at(const unsigned char *table, size_t i)
{
	dynamic d;

	memcpy(&d, table + i * sizeof(d), sizeof(d));
	return d;
}

const void *elf_at(const struct elf *elf, uint64_t offset, uint64_t n)
{
	if (offset > elf->n || n > elf->n - offset)
		return NULL;
	return elf->data + offset;
}

static int outside(struct err *err)
{
	return err_set(err, ERR_SYNTAX, "an ELF table lies outside the file");
}

const char *elf_text(const struct elf *elf, uint64_t table, uint64_t size, uint64_t offset)
{
	const char *text;

	if (offset >= size || !elf_at(elf, table, size))
		return NULL;
	text = elf_at(elf, table + offset, 1);
	return text && memchr(text, '\0', size - offset) ? text : NULL;
}

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

static int digest_sections(const struct elf *elf, const header *h, struct digest *d,
			   struct err *err)
{
	section names, s;
	const unsigned char *all = sections(elf, h, &names);
	size_t i;

	if (!all)
		return outside(err);
	for (i = 0; i < h->e_shnum; i++) {
		const char *name;
		const void *bytes;

		s = section_at(all, i);
		name = elf_text(elf, names.sh_offset, names.sh_size, s.sh_name);
		if (!(s.sh_flags & SHF_ALLOC))
			continue;
		if (!name)
			return outside(err);
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
			return outside(err);
		digest_add(d, bytes, s.sh_size);
	}
	return 0;
}

static const unsigned char *segments(const struct elf *elf, const header *h)
{
	if (h->e_phentsize != sizeof(segment))
		return NULL;
	return elf_at(elf, h->e_phoff, (uint64_t)h->e_phnum * sizeof(segment));
}

static int digest_segments(const struct elf *elf, const header *h, struct digest *d,
			   struct err *err)
{
	const unsigned char *all = segments(elf, h);
	size_t i;

	if (!all)
		return outside(err);
	for (i = 0; i < h->e_phnum; i++) {
		segment s = segment_at(all, i);
		const void *bytes;

		if (s.p_type != PT_LOAD)
			continue;
		bytes = elf_at(elf, s.p_offset, s.p_filesz);
		if (!bytes)
			return outside(err);
		digest_add(d, &s.p_vaddr, sizeof(s.p_vaddr));
		digest_add(d, &s.p_memsz, sizeof(s.p_memsz));
		digest_add(d, bytes, s.p_filesz);
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
	if (h->e_shnum ? digest_sections(elf, h, d, err) : digest_segments(elf, h, d, err))
		return -1;
	digest_rest(elf, h, d);
	return 0;
}

bool elf_mentions(const struct elf *elf, const char *text)
{
	return memmem(elf->data, elf->n, text, strlen(text)) != NULL;
}

/* The file offset of a virtual address, or UINT64_MAX. */
static uint64_t offset_of(const unsigned char *all, size_t n, uint64_t address)
{
	size_t i;

	for (i = 0; i < n; i++) {
		segment s = segment_at(all, i);

		if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr < s.p_filesz)
			return s.p_offset + (address - s.p_vaddr);
	}
	return UINT64_MAX;
}

/* The dynamic section's entries, none in a static executable; false when they lie outside. */
static bool dynamic_of(const struct elf *elf, const unsigned char *all, size_t n,
		       const unsigned char **out, size_t *out_n)
{
	size_t i;

	*out = NULL;
	*out_n = 0;
	for (i = 0; i < n; i++) {
		segment s = segment_at(all, i);

		if (s.p_type != PT_DYNAMIC)
			continue;
		*out_n = s.p_filesz / sizeof(dynamic);
		*out = elf_at(elf, s.p_offset, s.p_filesz);
		return *out != NULL;
	}
	return true;
}

static uint64_t entry_of(const unsigned char *dyn, size_t n, int64_t tag)
{
	size_t i;

	for (i = 0; i < n; i++) {
		dynamic d = dynamic_at(dyn, i);

		if (d.d_tag == tag)
			return d.d_un.d_val;
		if (d.d_tag == DT_NULL)
			break;
	}
	return UINT64_MAX;
}

int elf_needed(const struct elf *elf, struct strv *out, char **out_path, bool *out_rpath,
	       struct err *err)
{
	const header *h = (const header *)(const void *)elf->data;
	const unsigned char *all = segments(elf, h), *dyn;
	uint64_t table, size, path;
	size_t n = 0, i;
	const char *text;

	*out_rpath = false;
	if (!all || !dynamic_of(elf, all, h->e_phnum, &dyn, &n))
		return outside(err);
	if (!dyn)
		return 0;
	table = entry_of(dyn, n, DT_STRTAB);
	size = entry_of(dyn, n, DT_STRSZ);
	table = table == UINT64_MAX ? table : offset_of(all, h->e_phnum, table);
	if (table == UINT64_MAX || size == UINT64_MAX)
		return outside(err);
	for (i = 0; i < n; i++) {
		dynamic d = dynamic_at(dyn, i);

		if (d.d_tag == DT_NULL)
			break;
		if (d.d_tag != DT_NEEDED)
			continue;
		text = elf_text(elf, table, size, d.d_un.d_val);
		if (!text)
			return outside(err);
		if (strv_add(out, text, err))
			return -1;
	}
	path = entry_of(dyn, n, DT_RUNPATH);
	if (path == UINT64_MAX) {
		path = entry_of(dyn, n, DT_RPATH);
		*out_rpath = path != UINT64_MAX;
	}
	if (path == UINT64_MAX)
		return 0;
	text = elf_text(elf, table, size, path);
	return text ? str_set(out_path, text, err) : outside(err);
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
