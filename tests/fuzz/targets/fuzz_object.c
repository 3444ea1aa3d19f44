/*
 * An object file, or an archive of one, that is not what it seems, and code that is none.
 *
 * The seeds are an object of gcc 12 with a table of jumps, a text and a constructor, and an archive
 * of one function under a short and a long name.
 */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "collector/extent/object.h"
#include "collector/extent/x86.h"

#include "lib/base/banned.h"

/* Instructions lie in the bytes, and their fields in them. */
static void read_code(const unsigned char *bytes, size_t n)
{
	struct x86 x;

	for (; n && x86_read(bytes, n, &x); bytes += x.length, n -= x.length) {
		must(x.length && x.length <= n);
		must(x.shift_at + x.shift_n <= x.length && x.value_at + x.value_n <= x.length);
	}
}

static void read_section(const struct object *o, size_t i)
{
	ElfW(Shdr) s = object_section(o, i);
	const unsigned char *bytes = object_bytes(o, &s);
	struct err err = ERR_INIT;
	ElfW(Rela) *list = NULL;
	size_t n = 0, k;

	must(strlen(object_section_name(o, i)) < o->elf.n);
	if (bytes)
		read_code(bytes, s.sh_size);
	if (object_relocations(o, i, &list, &n, &err))
		must(err.code == ERR_SYNTAX && !list);
	for (k = 1; k < n; k++)
		must(list[k - 1].r_offset <= list[k].r_offset);
	free(list);
}

static void read_object(const char *path, const char *member)
{
	struct err err = ERR_INIT;
	struct object o;
	size_t i, n;

	if (object_open(path, member, 0, &o, &n, &err)) {
		must((err.code == ERR_ABSENT || err.code == ERR_SYNTAX) && !o.file.data);
		return;
	}
	fuzz_accept();
	for (i = 0; i < o.head.e_shnum && i < 64; i++)
		read_section(&o, i);
	for (i = 0; i < o.n_symbols; i++) {
		ElfW(Sym) s = object_symbol(&o, i);

		must(strlen(object_symbol_name(&o, &s)) < o.elf.n);
	}
	object_close(&o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const char *path = fuzz_file(data, n);

	read_code(data, n);
	read_object(path, NULL);
	read_object(path, "a.o");
	read_object(path, "a-name-that-is-a-long-one.o");
	return 0;
}
