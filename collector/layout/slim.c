#include "collector/layout/slim.h"

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "collector/code/elf.h"
#include "lib/base/buf.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define ALIGNED 16
#define VERSION 2 /* bytes of a symbol's */

typedef ElfW(Ehdr) header;
typedef ElfW(Shdr) section;
typedef ElfW(Sym) symbol;
typedef ElfW(Dyn) dynamic;

struct work {
	struct elf elf;
	header head;
	section *sections, *symbols, *texts, *versions;
	const struct strv *names;
	struct buf kept, kept_versions; /* of the symbols */
	size_t dropped;
	struct buf out;
};

static int damaged(struct err *err)
{
	return err_set(err, ERR_SYNTAX, "the library is damaged");
}

static const void *bytes_of(const struct work *w, const section *s)
{
	return elf_at(&w->elf, s->sh_offset, s->sh_size);
}

/* ---- reading it ----------------------------------------------------------------------------- */

static section *of_type(const struct work *w, uint32_t type)
{
	size_t i;

	for (i = 0; i < w->head.e_shnum; i++)
		if (w->sections[i].sh_type == type)
			return &w->sections[i];
	return NULL;
}

static int read_sections(struct work *w, struct err *err)
{
	const void *head = elf_at(&w->elf, 0, sizeof(w->head)), *table;

	if (!head)
		return damaged(err);
	memcpy(&w->head, head, sizeof(w->head));
	if (w->head.e_type != ET_DYN || w->head.e_shentsize != sizeof(section))
		return err_set(err, ERR_ABSENT, "it is no shared library");
	table = elf_at(&w->elf, w->head.e_shoff, (uint64_t)w->head.e_shnum * sizeof(section));
	w->sections = calloc((size_t)w->head.e_shnum + 1, sizeof(section));
	if (!w->sections)
		return err_nomem(err);
	if (!table)
		return damaged(err);
	memcpy(w->sections, table, w->head.e_shnum * sizeof(section));
	w->symbols = of_type(w, SHT_DYNSYM);
	w->versions = of_type(w, SHT_GNU_versym);
	if (!w->symbols)
		return err_set(err, ERR_ABSENT, "it has no symbols");
	if (w->symbols->sh_link >= w->head.e_shnum || w->head.e_shstrndx >= w->head.e_shnum)
		return damaged(err);
	w->texts = &w->sections[w->symbols->sh_link];
	return 0;
}

static bool is_wanted(const struct work *w, const char *name)
{
	return strv_has_sorted(w->names, name);
}

static void keep(struct work *w, const char *all, const char *versions, size_t i)
{
	buf_add(&w->kept, all + i * sizeof(symbol), sizeof(symbol));
	if (versions)
		buf_add(&w->kept_versions, versions + i * VERSION, VERSION);
}

/* GNU ld takes a library of no symbols for a damaged one: the first that there is stays. */
static int choose(struct work *w, struct err *err)
{
	const char *all = bytes_of(w, w->symbols);
	size_t n = w->symbols->sh_size / sizeof(symbol), i, first = 0;
	const char *versions = w->versions ? bytes_of(w, w->versions) : NULL;

	if (!all || !n || (w->versions && (!versions || w->versions->sh_size / VERSION < n)))
		return damaged(err);
	keep(w, all, versions, 0);
	for (i = 1; i < n; i++) {
		const char *name;
		symbol s;

		memcpy(&s, all + i * sizeof(s), sizeof(s));
		name = elf_text(&w->elf, w->texts->sh_offset, w->texts->sh_size, s.st_name);
		if (!name)
			return damaged(err);
		if (ELF64_ST_BIND(s.st_info) == STB_LOCAL)
			continue;
		first = first || !s.st_shndx ? first : i;
		if (is_wanted(w, name))
			keep(w, all, versions, i);
		else
			w->dropped++;
	}
	if (!first)
		return err_set(err, ERR_ABSENT, "it has no symbols");
	if (w->kept.len == sizeof(symbol))
		keep(w, all, versions, first);
	return buf_check(&w->kept, err) || buf_check(&w->kept_versions, err) ? -1 : 0;
}

/* ---- writing what is left ------------------------------------------------------------------- */

static void align(struct buf *out)
{
	buf_addn(out, '\0', (ALIGNED - out->len % ALIGNED) % ALIGNED);
}

static void add(struct work *w, section *s, const void *bytes, size_t n)
{
	align(&w->out);
	s->sh_offset = w->out.len;
	s->sh_size = n;
	buf_add(&w->out, bytes, n);
}

/* Its name and what it is; of what it needs itself nothing is looked up. */
static int add_dynamic(struct work *w, section *s, struct err *err)
{
	const char *all = bytes_of(w, s);
	size_t n = s->sh_size / sizeof(dynamic), i;
	struct buf left = BUF_INIT;
	dynamic one;
	int result;

	if (!all)
		return damaged(err);
	for (i = 0; i < n; i++) {
		memcpy(&one, all + i * sizeof(one), sizeof(one));
		if (one.d_tag != DT_NEEDED)
			buf_add(&left, &one, sizeof(one));
	}
	result = buf_check(&left, err);
	if (!result)
		add(w, s, left.data, left.len);
	buf_release(&left);
	return result;
}

/* A section is there with its place, size and alignment, and has no bytes. */
static void empty(struct work *w, section *s)
{
	s->sh_type = SHT_NOBITS;
	s->sh_offset = w->out.len;
	if (!(s->sh_flags & SHF_ALLOC))
		s->sh_size = 0;
}

static bool is_read(const struct work *w, const section *s)
{
	return s == w->texts || s == w->sections + w->head.e_shstrndx ||
	       s->sh_type == SHT_GNU_verdef || s->sh_type == SHT_GNU_verneed;
}

static int add_section(struct work *w, section *s, struct err *err)
{
	const void *bytes;

	if (s == w->symbols) {
		s->sh_info = 1; /* none of them is local */
		add(w, s, w->kept.data, w->kept.len);
	} else if (s == w->versions) {
		add(w, s, w->kept_versions.data, w->kept_versions.len);
	} else if (s->sh_type == SHT_DYNAMIC) {
		return add_dynamic(w, s, err);
	} else if (is_read(w, s)) {
		bytes = bytes_of(w, s);
		if (!bytes)
			return damaged(err);
		add(w, s, bytes, s->sh_size);
	} else {
		empty(w, s);
	}
	return 0;
}

static int write_out(struct work *w, struct err *err)
{
	size_t i;

	buf_add(&w->out, &w->head, sizeof(w->head));
	for (i = 1; i < w->head.e_shnum; i++) {
		if (add_section(w, &w->sections[i], err))
			return -1;
		/* 60,000 sections that are each the whole file would fill the memory. */
		if (w->out.len > w->elf.n + ALIGNED * (i + 1))
			return damaged(err);
	}
	align(&w->out);
	w->head.e_phoff = w->head.e_phnum = 0;
	w->head.e_shoff = w->out.len;
	buf_add(&w->out, w->sections, w->head.e_shnum * sizeof(section));
	if (buf_check(&w->out, err))
		return -1;
	memcpy(w->out.data, &w->head, sizeof(w->head));
	return 0;
}

int slim_write(const char *library, const struct strv *names, const char *path, size_t *out_dropped,
	       struct err *err)
{
	struct work w = {
		.names = names, .kept = BUF_INIT, .kept_versions = BUF_INIT, .out = BUF_INIT
	};
	int result = -1;

	if (elf_open(library, &w.elf, err))
		return -1;
	if (read_sections(&w, err) || choose(&w, err) || write_out(&w, err))
		goto out;
	result = file_write_new(path, w.out.data, w.out.len, 0600, err);
	if (!result)
		*out_dropped = w.dropped;
out:
	elf_close(&w.elf);
	free(w.sections);
	buf_release(&w.kept);
	buf_release(&w.kept_versions);
	buf_release(&w.out);
	return result;
}
