#include "collector/code/elf_local.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/banned.h"

#if __SIZEOF_POINTER__ == 8
#define NATIVE_CLASS ELFCLASS64
#else
#define NATIVE_CLASS ELFCLASS32
#endif

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

int elf_outside(struct err *err)
{
	return err_set(err, ERR_SYNTAX, "an ELF table lies outside the file");
}

const unsigned char *elf_segments(const struct elf *elf, const header *h)
{
	if (h->e_phentsize != sizeof(segment))
		return NULL;
	return elf_at(elf, h->e_phoff, (uint64_t)h->e_phnum * sizeof(segment));
}

const char *elf_text(const struct elf *elf, uint64_t table, uint64_t size, uint64_t offset)
{
	const char *text;

	if (offset >= size || !elf_at(elf, table, size))
		return NULL;
	text = elf_at(elf, table + offset, 1);
	return text && memchr(text, '\0', size - offset) ? text : NULL;
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
	const unsigned char *all = elf_segments(elf, h), *dyn;
	uint64_t table, size, path;
	size_t n = 0, i;
	const char *text;

	*out_rpath = false;
	if (!all || !dynamic_of(elf, all, h->e_phnum, &dyn, &n))
		return elf_outside(err);
	if (!dyn)
		return 0;
	table = entry_of(dyn, n, DT_STRTAB);
	size = entry_of(dyn, n, DT_STRSZ);
	table = table == UINT64_MAX ? table : offset_of(all, h->e_phnum, table);
	if (table == UINT64_MAX || size == UINT64_MAX)
		return elf_outside(err);
	for (i = 0; i < n; i++) {
		dynamic d = dynamic_at(dyn, i);

		if (d.d_tag == DT_NULL)
			break;
		if (d.d_tag == DT_AUDIT || d.d_tag == DT_DEPAUDIT)
			return err_set(err, ERR_SYNTAX, "it has its loader watched (DT_AUDIT)");
		if (d.d_tag != DT_NEEDED && d.d_tag != DT_AUXILIARY && d.d_tag != DT_FILTER)
			continue;
		text = elf_text(elf, table, size, d.d_un.d_val);
		if (!text)
			return elf_outside(err);
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
	return text ? str_set(out_path, text, err) : elf_outside(err);
}
