#include "collector/layout/traits.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collector/link/program.h"
#include "lib/base/buf.h"

#include "lib/base/banned.h"

#define OBJECT_MAX ((uint64_t)64 << 20) /* bytes of one symbol */

/* SHF_GNU_RETAIN, which lld hands on from one object to the whole: nothing at run time */
#define RETAIN ((uint64_t)1 << 21)

typedef ElfW(Shdr) section;
typedef ElfW(Sym) symbol;

/* ---- symbols -------------------------------------------------------------------------------- */

/* Tables that the linker makes hold addresses that no relocation tells; gold says how long they
 * are. */
static bool is_of_linker(const char *name)
{
	return !strcmp(name, "_GLOBAL_OFFSET_TABLE_") || !strcmp(name, "_DYNAMIC");
}

static bool has_bytes(const symbol *s, const char *name)
{
	unsigned type = ELF64_ST_TYPE(s->st_info);

	return s->st_size && name && !is_of_linker(name) && s->st_size <= OBJECT_MAX &&
	       (type == STT_FUNC || type == STT_OBJECT || type == STT_GNU_IFUNC);
}

static int add_symbol(const struct program *f, const symbol *s, struct strv *out, struct err *err)
{
	const char *name = program_symbol_name(f, s), *where = "", *bytes = NULL;
	char hash[PROGRAM_HASH] = "";

	if (s->st_shndx && s->st_shndx < f->head.e_shnum) {
		section in = program_section(f, s->st_shndx);
		bool inside = s->st_value >= in.sh_addr && s->st_value - in.sh_addr <= in.sh_size &&
			      s->st_size <= in.sh_size - (s->st_value - in.sh_addr);

		where = program_section_name(f, &in);
		if (has_bytes(s, name) && inside && in.sh_type == SHT_PROGBITS) {
			bytes = elf_at(&f->elf, in.sh_offset + (s->st_value - in.sh_addr),
				       s->st_size);
			if (!bytes)
				return program_damaged(err);
		}
	}
	if (!name || !where)
		return program_damaged(err);
	if (bytes && program_hash(f, bytes, s->st_value, s->st_size, hash, err))
		return -1;
	return strv_addf(out, err, "symbol '%s' %u/%u %llu bytes in '%s' %s", name,
			 (unsigned)s->st_info, (unsigned)s->st_other,
			 (unsigned long long)s->st_size, where, hash);
}

static int add_symbols(const struct program *f, struct strv *out, struct err *err)
{
	size_t i;

	for (i = 1; i < f->n_symbols; i++) {
		symbol s = program_symbol(f, i);
		unsigned type = ELF64_ST_TYPE(s.st_info);

		if (type != STT_SECTION && type != STT_FILE && add_symbol(f, &s, out, err))
			return -1;
	}
	return 0;
}

/* ---- sections ------------------------------------------------------------------------------- */

static bool is_of_order(const section *s, const char *name)
{
	return s->sh_type == SHT_INIT_ARRAY || s->sh_type == SHT_FINI_ARRAY ||
	       s->sh_type == SHT_PREINIT_ARRAY || !strcmp(name, ".ctors") ||
	       !strcmp(name, ".dtors");
}

/* Which functions the entries of such a section lead to, in their order. */
static int add_order(const struct program *f, const section *s, const char *name, struct strv *out,
		     struct err *err)
{
	struct buf line = BUF_INIT;
	size_t i;
	int result;

	buf_addf(&line, "order of '%s':", name);
	for (i = program_first_place(f, s->sh_addr);
	     i < f->n_places && f->places[i].r_offset < s->sh_addr + s->sh_size; i++) {
		symbol to = program_symbol(f, program_place_symbol(&f->places[i]));
		const char *function =
			program_function_at(f, to.st_value + (uint64_t)f->places[i].r_addend);

		buf_addf(&line, " %s", function ? function : "?");
	}
	result = buf_check(&line, err) ? -1 : strv_add(out, buf_str(&line), err);
	buf_release(&line);
	return result;
}

/*
 * What moves, or has another size when something else moves: so has code in a section that its
 * sources named (__libc_freeres_fn), whose parts are padded.
 */
static bool size_varies(const section *s, const char *name)
{
	static const char *const varying[] = {
		".text",     ".rodata",		  ".data",    ".bss", ".tdata", ".tbss",
		".eh_frame", ".gcc_except_table", ".relr.dyn"
	};

	if ((s->sh_flags & SHF_EXECINSTR) && name[0] != '.')
		return true;
	return STR_STARTS_ONE_OF(name, varying);
}

static int add_sections(const struct program *f, struct strv *out, struct err *err)
{
	size_t i;

	for (i = 0; i < f->head.e_shnum; i++) {
		section s = program_section(f, i);
		const char *name = program_section_name(f, &s);

		if (!(s.sh_flags & SHF_ALLOC))
			continue;
		if (!name)
			return program_damaged(err);
		if (!strcmp(name, ".relro_padding")) /* lld's and mold's, to the end of a page */
			continue;
		if (strv_addf(out, err, "section '%s' %lx/%lx %llu bytes", name,
			      (unsigned long)s.sh_type, (unsigned long)(s.sh_flags & ~RETAIN),
			      (unsigned long long)(size_varies(&s, name) ? 0 : s.sh_size)) ||
		    (is_of_order(&s, name) && add_order(f, &s, name, out, err)))
			return -1;
	}
	return 0;
}

static int add_needed(const struct program *f, struct strv *out, struct err *err)
{
	struct strv needed = STRV_INIT;
	char *path = NULL;
	bool is_rpath;
	size_t i;
	int result = -1;

	if (elf_needed(&f->elf, &needed, &path, &is_rpath, err))
		goto out;
	for (i = 0; i < needed.n; i++)
		if (strv_addf(out, err, "library '%s' (%zu)", needed.v[i], i))
			goto out;
	result = path ? strv_addf(out, err, "search path '%s'", path) : 0;
out:
	strv_release(&needed);
	free(path);
	return result;
}

int traits_read(const char *path, struct strv *out, struct err *err)
{
	struct program f;
	int result = -1;

	if (program_open(path, &f, err))
		return -1;
	if (add_symbols(&f, out, err) || add_sections(&f, out, err) || add_needed(&f, out, err))
		goto out;
	strv_sort(out);
	result = 0;
out:
	program_close(&f);
	return result;
}

int traits_compare(const struct strv *a, const struct strv *b, struct err *err)
{
	const char *x, *y;
	size_t i;

	for (i = 0; i < a->n || i < b->n; i++) {
		x = i < a->n ? a->v[i] : NULL;
		y = i < b->n ? b->v[i] : NULL;
		if (x && y && !strcmp(x, y))
			continue;
		return err_set(err, ERR_CORRUPT, "only one of both has %s",
			       !y || (x && strcmp(x, y) < 0) ? x : y);
	}
	return 0;
}

/* The section of that name, or one of no bytes. */
static section section_named(const struct program *f, const char *name)
{
	section s;
	const char *other;
	size_t i;

	for (i = 0; i < f->head.e_shnum; i++) {
		s = program_section(f, i);
		other = program_section_name(f, &s);
		if (other && !strcmp(other, name))
			return s;
	}
	memset(&s, 0, sizeof(s));
	return s;
}

/* The one of that number if it has the name: some programs have several of one name. */
static section section_like(const struct program *f, size_t i, const char *name)
{
	section s;
	const char *other;

	if (i < f->head.e_shnum) {
		s = program_section(f, i);
		other = program_section_name(f, &s);
		if (other && !strcmp(other, name))
			return s;
	}
	return section_named(f, name);
}

/* The same bytes but for the places that are known of f. */
static int compare_section(const struct program *f, const struct program *plain, size_t i,
			   const section *s, bool moved, struct err *err)
{
	const char *name = program_section_name(f, s);
	char hash[2][PROGRAM_HASH];
	const void *bytes[2];
	section other;

	if (!name)
		return program_damaged(err);
	other = section_like(plain, i, name);
	bytes[0] = elf_at(&f->elf, s->sh_offset, s->sh_size);
	bytes[1] = elf_at(&plain->elf, other.sh_offset, other.sh_size);
	if (!bytes[0] || !bytes[1])
		return program_damaged(err);
	if (other.sh_size == s->sh_size && (moved || other.sh_addr == s->sh_addr)) {
		if (program_hash(f, bytes[0], s->sh_addr, s->sh_size, hash[0], err) ||
		    program_hash(f, bytes[1], s->sh_addr, s->sh_size, hash[1], err))
			return -1;
		if (!strcmp(hash[0], hash[1]))
			return 0;
	}
	return err_set(err, ERR_CORRUPT, "with its relocations kept, its '%s' is another one",
		       name);
}

int traits_compare_code(const char *program, const char *plain, bool moved, struct err *err)
{
	struct program a, b;
	size_t i;
	int result = -1;

	memset(&b, 0, sizeof(b));
	if (program_open(program, &a, err) || program_open(plain, &b, err))
		goto out;
	for (i = 0; i < a.head.e_shnum; i++) {
		section s = program_section(&a, i);

		if ((s.sh_flags & SHF_EXECINSTR) && compare_section(&a, &b, i, &s, moved, err))
			goto out;
	}
	result = 0;
out:
	program_close(&a);
	program_close(&b);
	return result;
}

static bool is_data_start(const char *name)
{
	return name && (!strcmp(name, "data_start") || !strcmp(name, "__data_start"));
}

int traits_refuse_data_start(const char *path, struct err *err)
{
	static const char last[] = "data_start"; /* of both names, with its NUL */
	struct program f;
	section names;
	const void *text;
	size_t i;
	bool asks;

	if (program_open(path, &f, err))
		return -1;
	names = section_named(&f, ".dynstr");
	text = elf_at(&f.elf, names.sh_offset, names.sh_size);
	asks = text && memmem(text, names.sh_size, last, sizeof(last));
	for (i = 0; !asks && i < f.n_places; i++) {
		symbol s = program_symbol(&f, program_place_symbol(&f.places[i]));

		asks = is_data_start(program_symbol_name(&f, &s));
	}
	program_close(&f);
	return asks ? err_set(err, ERR_ABSENT, "it asks where its data begins") : 0;
}
