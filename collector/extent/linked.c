#include "collector/extent/linked.h"

#include <stdlib.h>
#include <string.h>

#include "collector/extent/names.h"

#include "lib/base/banned.h"

typedef ElfW(Shdr) section;
typedef ElfW(Sym) symbol;
typedef ElfW(Phdr) segment;
typedef ElfW(Dyn) dynamic;

#define RELR 19 /* SHT_RELR, which not every <elf.h> has */

/* What a program asks others for that runs, or reads, what cannot be followed. */
static const char *why_refused(const char *name)
{
	static const struct {
		const char *name; /* with '*' behind it: the begin of names */
		const char *why;
	} refused[] = {
		{ "dlopen", "it loads libraries while it runs" },
		{ "dlmopen", "it loads libraries while it runs" },
		{ "dlsym", "it looks functions up while it runs" },
		{ "dlvsym", "it looks functions up while it runs" },
		{ "dladdr*", "it looks functions up while it runs" },
		{ "dl_iterate_phdr", "it looks at its own parts" },
		{ "mlockall", "it has all its memory locked" },
		{ "setrlimit*", "it limits itself" },
		{ "prlimit*", "it limits itself" },
		{ "mprotect", "it may make code" },
		{ "pkey_mprotect", "it may make code" },
		{ "memfd_create", "it may make code" },
		{ "ptrace", "it traces processes" },
		{ "backtrace*", "it unwinds its stack" },
		{ "__register_frame*", "it unwinds its stack" },
	};
	size_t i, n;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		n = strcspn(refused[i].name, "*");
		if (!strncmp(name, refused[i].name, n) && (refused[i].name[n] || !name[n]))
			return refused[i].why;
	}
	return NULL;
}

static section section_of_type(const struct program *p, uint32_t type)
{
	section s;
	size_t i;

	for (i = 0; i < p->head.e_shnum; i++) {
		s = program_section(p, i);
		if (s.sh_type == type)
			return s;
	}
	memset(&s, 0, sizeof(s));
	return s;
}

/* All bytes of the section of a type. */
static int add_section(const struct program *p, uint32_t type, struct digest *d, struct err *err)
{
	section s = section_of_type(p, type);
	const void *bytes = s.sh_type ? elf_at(&p->elf, s.sh_offset, s.sh_size) : "";

	if (!bytes)
		return program_damaged(err);
	digest_add(d, &s.sh_size, sizeof(s.sh_size));
	digest_add(d, bytes, s.sh_size);
	return 0;
}

static int add_symbol(const struct program *p, const section *texts, const symbol *s,
		      struct digest *d, struct strv *exported, struct err *err)
{
	const char *name = elf_text(&p->elf, texts->sh_offset, texts->sh_size, s->st_name);
	const char *why = name && !s->st_shndx ? why_refused(name) : NULL;
	unsigned char is_ours = s->st_shndx != SHN_UNDEF;

	if (!name)
		return program_damaged(err);
	if (why)
		return err_set(err, ERR_ABSENT, "%s ('%s')", why, name);
	digest_adds(d, name);
	digest_add(d, &s->st_info, sizeof(s->st_info));
	digest_add(d, &s->st_other, sizeof(s->st_other));
	digest_add(d, &is_ours, sizeof(is_ours));
	if (ELF64_ST_TYPE(s->st_info) != STT_FUNC)
		digest_add(d, &s->st_size, sizeof(s->st_size));
	return is_ours ? strv_add(exported, name, err) : 0;
}

/* In their order, which the versions follow. */
static int add_symbols(const struct program *p, struct digest *d, struct strv *exported,
		       struct err *err)
{
	section s = section_of_type(p, SHT_DYNSYM), texts;
	const unsigned char *all = elf_at(&p->elf, s.sh_offset, s.sh_size);
	symbol one;
	size_t i;

	if (!s.sh_type)
		return err_set(err, ERR_ABSENT, "it is linked statically");
	if (!all || s.sh_link >= p->head.e_shnum)
		return program_damaged(err);
	texts = program_section(p, s.sh_link);
	for (i = 1; i < s.sh_size / sizeof(one); i++) {
		memcpy(&one, all + i * sizeof(one), sizeof(one));
		if (add_symbol(p, &texts, &one, d, exported, err))
			return -1;
	}
	return add_section(p, SHT_GNU_versym, d, err) || add_section(p, SHT_GNU_verneed, d, err) ||
			       add_section(p, SHT_GNU_verdef, d, err)
		       ? -1
		       : 0;
}

/* Entries that are no address and no size. */
static int add_dynamic(const struct program *p, struct digest *d, struct err *err)
{
	section s = section_of_type(p, SHT_DYNAMIC);
	const unsigned char *all = elf_at(&p->elf, s.sh_offset, s.sh_size);
	dynamic one;
	size_t i;

	if (!all)
		return program_damaged(err);
	for (i = 0; i < s.sh_size / sizeof(one); i++) {
		memcpy(&one, all + i * sizeof(one), sizeof(one));
		if (one.d_tag == DT_RELACOUNT || one.d_tag == DT_RELASZ || one.d_tag == DT_RELRSZ)
			continue;
		digest_add(d, &one.d_tag, sizeof(one.d_tag));
		if (one.d_tag == DT_FLAGS || one.d_tag == DT_FLAGS_1 || one.d_tag == DT_BIND_NOW)
			digest_add(d, &one.d_un.d_val, sizeof(one.d_un.d_val));
	}
	return 0;
}

static int add_needed(const struct program *p, struct digest *d, struct err *err)
{
	struct strv needed = STRV_INIT;
	char *path = NULL;
	bool is_rpath = false;
	size_t i;
	int result = elf_needed(&p->elf, &needed, &path, &is_rpath, err);

	for (i = 0; !result && i < needed.n; i++)
		digest_adds(d, needed.v[i]);
	digest_adds(d, path);
	digest_add(d, &is_rpath, sizeof(is_rpath));
	strv_release(&needed);
	free(path);
	return result;
}

static int add_segments(const struct program *p, struct digest *d, struct err *err)
{
	const unsigned char *all =
		elf_at(&p->elf, p->head.e_phoff, (uint64_t)p->head.e_phnum * sizeof(segment));
	const void *bytes;
	segment one;
	size_t i;

	if (!all || p->head.e_phentsize != sizeof(segment))
		return program_damaged(err);
	digest_add(d, &p->head.e_type, sizeof(p->head.e_type));
	for (i = 0; i < p->head.e_phnum; i++) {
		memcpy(&one, all + i * sizeof(one), sizeof(one));
		digest_add(d, &one.p_type, sizeof(one.p_type));
		digest_add(d, &one.p_flags, sizeof(one.p_flags));
		digest_add(d, &one.p_align, sizeof(one.p_align));
		bytes = elf_at(&p->elf, one.p_offset, one.p_filesz);
		if (!bytes)
			return program_damaged(err);
		/* the latter decides how calls of other libraries are made */
		if (one.p_type == PT_INTERP || one.p_type == PT_GNU_PROPERTY)
			digest_add(d, bytes, one.p_filesz);
	}
	return 0;
}

/* Options that give a name another meaning. */
static bool is_twisting(const char *word)
{
	static const char *const options[] = { "-wrap", "-defsym", "-just-symbols",
					       "-R",	"-icf",	   "-version-script",
					       "-b",	"-format" };
	size_t i;

	if (*word++ != '-')
		return false;
	word -= *word != '-';
	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (str_starts(word, options[i]) && (strcmp(options[i], "-b") || !word[2]))
			return true;
	return false;
}

/* The project's own: what is taken of them is known by their parts. */
static bool is_own_object(const char *top, const char *word)
{
	const char *end = strrchr(word, '.');

	return *word != '-' && end && (!strcmp(end, ".o") || !strcmp(end, ".a")) &&
	       (*word != '/' || str_below(word, top));
}

static int add_words(const struct link *l, const char *top, struct digest *d, struct err *err)
{
	size_t i;

	for (i = 0; i < l->words.n; i++) {
		const char *word = l->words.v[i];
		char *name;

		if (is_twisting(word))
			return err_set(err, ERR_ABSENT, "it is linked with '%s'", word);
		if (is_own_object(top, word))
			continue;
		name = strstr(word, "-fresolution=") ? str_dup("", err)
						     : names_of_word(top, word, err);
		if (!name)
			return -1;
		digest_adds(d, name);
		free(name);
	}
	return 0;
}

int linked_read(const struct program *p, const struct link *l, const char *top,
		char out[DIGEST_HEX], struct strv *exported, struct err *err)
{
	struct digest d = DIGEST_INIT;
	int result = -1;

	if (!digest_begin(&d, err) && !add_words(l, top, &d, err) &&
	    !add_symbols(p, &d, exported, err) && !add_dynamic(p, &d, err) &&
	    !add_needed(p, &d, err) && !add_segments(p, &d, err))
		result = digest_end(&d, out, err);
	digest_release(&d);
	return result;
}

#define PAGE_SHIFT 12

/* Counts places that come in the order of their addresses, or nearly. */
static void count(struct linked_filled *n, uint64_t *last, uint64_t address)
{
	n->places++;
	n->pages += address >> PAGE_SHIFT != *last;
	*last = address >> PAGE_SHIFT;
}

/* Of an address and bitmaps of the 63 words behind it, each with a 1 as its last bit. */
static void count_packed(const struct program *p, const section *s, struct linked_filled *n,
			 uint64_t *last)
{
	const unsigned char *all = elf_at(&p->elf, s->sh_offset, s->sh_size);
	uint64_t word, at = 0;
	size_t i;
	int bit;

	for (i = 0; all && i < s->sh_size / sizeof(word); i++) {
		memcpy(&word, all + i * sizeof(word), sizeof(word));
		if (!(word & 1)) {
			count(n, last, word);
			at = word + sizeof(word);
			continue;
		}
		for (bit = 1; bit < 64; bit++)
			if (word >> bit & 1)
				count(n, last, at + (uint64_t)(bit - 1) * sizeof(word));
		at += 63 * sizeof(word);
	}
}

static void count_plain(const struct program *p, const section *s, struct linked_filled *n,
			uint64_t *last)
{
	const unsigned char *all = elf_at(&p->elf, s->sh_offset, s->sh_size);
	ElfW(Rela) r;
	size_t i;

	for (i = 0; all && i < s->sh_size / sizeof(r); i++) {
		memcpy(&r, all + i * sizeof(r), sizeof(r));
		n->named += ELF64_R_SYM(r.r_info) != 0;
		count(n, last, r.r_offset);
	}
}

struct linked_filled linked_filled(const struct program *p)
{
	struct linked_filled n = { 0, 0, 0 };
	uint64_t last = UINT64_MAX;
	size_t i;

	for (i = 0; i < p->head.e_shnum; i++) {
		section s = program_section(p, i);

		if (!(s.sh_flags & SHF_ALLOC))
			continue;
		if (s.sh_type == SHT_RELA)
			count_plain(p, &s, &n, &last);
		else if (s.sh_type == RELR)
			count_packed(p, &s, &n, &last);
	}
	return n;
}
