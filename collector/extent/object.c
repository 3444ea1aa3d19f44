#include "collector/extent/object.h"

#include <ar.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/number.h"

#include "lib/base/banned.h"

typedef ElfW(Shdr) section;
typedef ElfW(Sym) symbol;
typedef ElfW(Rela) relocation;

static int damaged(struct err *err)
{
	return err_set(err, ERR_SYNTAX, "a table of the object lies outside its file");
}

/* ---- archives ------------------------------------------------------------------------------- */

/* A field of digits, blanks behind them. */
static bool read_field(const char *field, size_t n, uint64_t *out)
{
	char text[17];

	memcpy(text, field, n);
	text[n] = '\0';
	text[strcspn(text, " ")] = '\0';
	return number_u64(text, out);
}

/* Whether a header names the member: "a.o/", or "/123", its place in the table of long names. */
static bool is_named(const struct ar_hdr *h, const char *longer, size_t n_longer, const char *name)
{
	size_t n = strlen(name);
	uint64_t at;

	if (h->ar_name[0] != '/')
		return n < sizeof(h->ar_name) && !memcmp(h->ar_name, name, n) &&
		       h->ar_name[n] == '/';
	if (!read_field(h->ar_name + 1, sizeof(h->ar_name) - 1, &at) || at >= n_longer)
		return false;
	return n_longer - at > n && !memcmp(longer + at, name, n) && longer[at + n] == '/';
}

static int find_member(const struct elf *file, const char *name, size_t which, struct elf *out,
		       size_t *out_n, struct err *err)
{
	const char *longer = "";
	size_t at = SARMAG, n_longer = 0, n_found = 0;
	struct ar_hdr h;
	uint64_t size;

	while (at < file->n && file->n - at >= sizeof(h)) {
		memcpy(&h, file->data + at, sizeof(h));
		at += sizeof(h);
		if (memcmp(h.ar_fmag, ARFMAG, sizeof(h.ar_fmag)) ||
		    !read_field(h.ar_size, sizeof(h.ar_size), &size) || size > file->n - at)
			return err_set(err, ERR_SYNTAX, "the archive is damaged");
		if (!memcmp(h.ar_name, "// ", 3)) {
			longer = (const char *)file->data + at;
			n_longer = size;
		} else if (is_named(&h, longer, n_longer, name)) {
			if (n_found++ == which)
				*out = (struct elf){ file->data + at, size };
		}
		at += size + (size & 1);
	}
	*out_n = n_found;
	return n_found > which ? 0 : err_set(err, ERR_ABSENT, "the archive has no '%s'", name);
}

static int find_object(const struct elf *file, const char *member, size_t which, struct elf *out,
		       size_t *out_n, struct err *err)
{
	*out_n = 1;
	if (!member) {
		*out = *file;
		return 0;
	}
	if (file->n < SARMAG || memcmp(file->data, ARMAG, SARMAG))
		return err_set(err, ERR_ABSENT, "it is a thin archive, or none");
	return find_member(file, member, which, out, out_n, err);
}

/* ---- objects -------------------------------------------------------------------------------- */

static int find_symbols(struct object *o, struct err *err)
{
	size_t i;

	for (i = 0; i < o->head.e_shnum; i++) {
		section s = object_section(o, i);

		if (s.sh_type != SHT_SYMTAB)
			continue;
		if (s.sh_link >= o->head.e_shnum || !elf_at(&o->elf, s.sh_offset, s.sh_size))
			return damaged(err);
		o->symbols = s;
		o->texts = object_section(o, s.sh_link);
		o->n_symbols = s.sh_size / sizeof(symbol);
		return 0;
	}
	return 0;
}

static int load(struct object *o, struct err *err)
{
	if (o->elf.n < sizeof(o->head))
		return err_set(err, ERR_ABSENT, "it is no object file");
	memcpy(&o->head, o->elf.data, sizeof(o->head));
	if (memcmp(o->head.e_ident, ELFMAG, SELFMAG) || o->head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    o->head.e_type != ET_REL || o->head.e_machine != EM_X86_64)
		return err_set(err, ERR_ABSENT, "it is no object file of x86-64");
	o->sections = elf_at(&o->elf, o->head.e_shoff, (uint64_t)o->head.e_shnum * sizeof(section));
	if (!o->sections || !o->head.e_shnum || o->head.e_shentsize != sizeof(section) ||
	    o->head.e_shstrndx >= o->head.e_shnum)
		return damaged(err);
	return find_symbols(o, err);
}

int object_open(const char *path, const char *member, size_t which, struct object *out,
		size_t *out_n, struct err *err)
{
	struct object o;

	memset(&o, 0, sizeof(o));
	memset(out, 0, sizeof(*out));
	if (elf_map(path, &o.file, err)) /* which names it */
		return -1;
	if (find_object(&o.file, member, which, &o.elf, out_n, err) || load(&o, err)) {
		err_in(err, "%s%s%s", path, member ? ":" : "", member ? member : "");
		object_close(&o);
		return -1;
	}
	*out = o;
	return 0;
}

void object_close(struct object *o)
{
	elf_close(&o->file);
	memset(o, 0, sizeof(*o));
}

section object_section(const struct object *o, size_t i)
{
	section s;

	memset(&s, 0, sizeof(s));
	if (i < o->head.e_shnum)
		memcpy(&s, o->sections + i * sizeof(s), sizeof(s));
	return s;
}

const char *object_section_name(const struct object *o, size_t i)
{
	section s = object_section(o, i), names = object_section(o, o->head.e_shstrndx);
	const char *name = elf_text(&o->elf, names.sh_offset, names.sh_size, s.sh_name);

	return name ? name : "";
}

symbol object_symbol(const struct object *o, size_t i)
{
	symbol s;

	memset(&s, 0, sizeof(s));
	if (i < o->n_symbols)
		memcpy(&s, o->elf.data + o->symbols.sh_offset + i * sizeof(s), sizeof(s));
	return s;
}

const char *object_symbol_name(const struct object *o, const symbol *s)
{
	const char *name = elf_text(&o->elf, o->texts.sh_offset, o->texts.sh_size, s->st_name);

	return name ? name : "";
}

const unsigned char *object_bytes(const struct object *o, const section *s)
{
	return s->sh_type == SHT_NOBITS ? NULL : elf_at(&o->elf, s->sh_offset, s->sh_size);
}

static int by_place(const void *a, const void *b)
{
	const relocation *x = a, *y = b;

	return (x->r_offset > y->r_offset) - (x->r_offset < y->r_offset);
}

static int append(const struct object *o, const section *s, relocation **out, size_t *out_n,
		  struct err *err)
{
	const void *table = elf_at(&o->elf, s->sh_offset, s->sh_size);
	size_t n = s->sh_size / sizeof(relocation);
	relocation *grown;

	if (!table || s->sh_type != SHT_RELA)
		return damaged(err);
	grown = realloc(*out, (*out_n + n + 1) * sizeof(*grown));
	if (!grown)
		return err_nomem(err);
	memcpy(grown + *out_n, table, n * sizeof(*grown));
	*out = grown;
	*out_n += n;
	return 0;
}

int object_relocations(const struct object *o, size_t of, relocation **out, size_t *out_n,
		       struct err *err)
{
	relocation *list = NULL;
	size_t n = 0, i;

	for (i = 0; i < o->head.e_shnum; i++) {
		section s = object_section(o, i);

		if ((s.sh_type != SHT_RELA && s.sh_type != SHT_REL) || s.sh_info != of)
			continue;
		if (append(o, &s, &list, &n, err)) {
			free(list);
			return -1;
		}
	}
	if (n)
		qsort(list, n, sizeof(*list), by_place);
	*out = list;
	*out_n = n;
	return 0;
}
