/* What counts as the same code, and files that only pretend to be ELF. */
#include "tests/unit/collector/compile_fixture.h"
#include "tests/unit/coin_draws.h"

#include <elf.h>
#include <link.h>
#include <sys/stat.h>

#include "collector/code/elf.h"

#include "lib/base/banned.h"

#define SOURCE \
	"static const int table[] = { 1, 2, 3 };\n" \
	"int pick(int i) { return table[i] * 7; }\n" \
	"int main(int argc, char **argv) { (void)argv; return pick(argc); }\n"

/* The digest of one file of the workshop. */
static void digest(const char *name, char out[DIGEST_HEX])
{
	struct digest d = DIGEST_INIT;
	struct err err = ERR_INIT;
	struct elf elf;

	if (elf_open(in_workshop(name), &elf, &err) || digest_begin(&d, &err) ||
	    elf_digest(&elf, &d, &err) || digest_end(&d, out, &err))
		fail_msg("%s: %s", name, err.text);
	elf_close(&elf);
}

static bool same_code(const char *a, const char *b)
{
	char x[DIGEST_HEX], y[DIGEST_HEX];

	digest(a, x);
	digest(b, y);
	return !strcmp(x, y);
}

/* ---- the same code, and other code ------------------------------------------------------ */

static void comments_do_not_count(void **state)
{
	(void)state;
	needs_compiler();
	write_source("prog.c", SOURCE);
	COMPILE("-O1 -o one prog.c");
	write_source("prog.c", "/* a comment */ " SOURCE "/* and more of it */\n");
	COMPILE("-O1 -o two prog.c");
	assert_true(same_code("one", "two"));
}

static void debug_information_does_not_count(void **state)
{
	(void)state;
	needs_compiler();
	write_source("prog.c", SOURCE);
	COMPILE("-O1 -o one prog.c");
	COMPILE("-O1 -g3 -o two prog.c");
	assert_true(same_code("one", "two"));
}

static void stripping_does_not_count(void **state)
{
	(void)state;
	needs_compiler();
	write_source("prog.c", SOURCE);
	COMPILE("-O1 -g -o one prog.c");
	assert_int_equal(0, shell("cp one two && strip two"));
	assert_true(same_code("one", "two"));
}

static void the_build_id_does_not_count(void **state)
{
	(void)state;
	needs_compiler();
	write_source("prog.c", SOURCE);
	COMPILE("-O1 -Wl,--build-id=0x0102030405060708 -o one prog.c");
	COMPILE("-O1 -Wl,--build-id=0xf1f2f3f4f5f6f7f8 -o two prog.c");
	assert_int_equal(1, shell("cmp -s one two"));
	assert_true(same_code("one", "two"));
}

static void a_constant_counts(void **state)
{
	(void)state;
	needs_compiler();
	write_source("prog.c", SOURCE);
	COMPILE("-O1 -o one prog.c");
	assert_int_equal(0, shell("sed 's/1, 2, 3/1, 2, 4/' prog.c > other.c"));
	COMPILE("-O1 -o two other.c");
	assert_false(same_code("one", "two"));
}

static void an_instruction_counts(void **state)
{
	(void)state;
	needs_compiler();
	write_source("prog.c", SOURCE);
	COMPILE("-O1 -o one prog.c");
	assert_int_equal(0, shell("sed 's/\\* 7/* 9/' prog.c > other.c"));
	COMPILE("-O1 -o two other.c");
	assert_false(same_code("one", "two"));
	COMPILE("-O0 -o two prog.c");
	assert_false(same_code("one", "two"));
}

/* Memory that is only reserved has no bytes in the file, but a size. */
static void the_size_of_empty_memory_counts(void **state)
{
	(void)state;
	needs_compiler();
	write_source("prog.c", "static char a[64]; int main(void){return a[1];}\n");
	COMPILE("-O0 -o one prog.c");
	write_source("prog.c", "static char a[96]; int main(void){return a[1];}\n");
	COMPILE("-O0 -o two prog.c");
	assert_false(same_code("one", "two"));
}

static void segments_stand_in_for_a_missing_section_table(void **state)
{
	(void)state;
	needs_compiler();
	write_source("prog.c", SOURCE);
	COMPILE("-O1 -o one prog.c");
	assert_int_equal(0, shell("sed 's/1, 2, 3/1, 2, 4/' prog.c > other.c"));
	COMPILE("-O1 -o two other.c");
	/* e_shoff, e_shnum and e_shstrndx to 0 */
	assert_int_equal(0, shell("for f in one two; do"
				  " dd if=/dev/zero of=$f bs=1 seek=40 count=8 conv=notrunc;"
				  " dd if=/dev/zero of=$f bs=1 seek=60 count=4 conv=notrunc;"
				  " done 2>/dev/null; cp one three"));
	assert_true(same_code("one", "three"));
	assert_false(same_code("one", "two"));
}

/* Tools write sections of their own kinds or names; a program's may begin like those. */
static void a_section_that_is_nearly_called_as_those_of_tools_counts(void **state)
{
	static const char *const names[] = { ".release", ".notes", ".gnuplot", ".debugger" };
	size_t i;

	(void)state;
	needs_compiler();
	write_source("prog.c", SOURCE);
	COMPILE("-O1 -o plain prog.c");
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(0, shell("echo 1 >a && echo 2 >b &&"
					  " objcopy --add-section %s=a plain one &&"
					  " objcopy --add-section %s=b plain two",
					  names[i], names[i]));
		assert_false(same_code("one", "two"));
	}
	assert_int_equal(0, shell("objcopy --add-section .debug_own=a plain one &&"
				  " objcopy --add-section .debug_own=b plain two"));
	assert_true(same_code("one", "two"));
}

static void needed_names_and_both_kinds_of_path_are_read(void **state)
{
	struct strv names = STRV_INIT;
	struct err err = ERR_INIT;
	struct elf elf;
	char *path = NULL;
	bool rpath = true;

	(void)state;
	needs_compiler();
	write_source("prog.c", SOURCE);
	COMPILE("-Wl,--enable-new-dtags,-rpath,'$ORIGIN/x:/y' -o one prog.c");
	COMPILE("-Wl,--disable-new-dtags,-rpath,/z -o two prog.c");
	assert_int_equal(0, elf_open(in_workshop("one"), &elf, &err));
	assert_int_equal(0, elf_needed(&elf, &names, &path, &rpath, &err));
	elf_close(&elf);
	assert_int_equal(1, names.n);
	assert_string_equal("libc.so.6", names.v[0]);
	assert_string_equal("$ORIGIN/x:/y", path);
	assert_false(rpath);
	assert_int_equal(0, elf_open(in_workshop("two"), &elf, &err));
	assert_int_equal(0, elf_needed(&elf, &names, &path, &rpath, &err));
	elf_close(&elf);
	assert_string_equal("/z", path);
	assert_true(rpath);
	free(path);
	strv_release(&names);
}

/* ---- hostile files ---------------------------------------------------------------------- */

static void assert_not_opened(const char *name, enum err_code code)
{
	struct err err = ERR_INIT;
	struct elf elf;

	assert_int_equal(-1, elf_open(in_workshop(name), &elf, &err));
	assert_int_equal(code, err.code);
	assert_null(elf.data);
	elf_close(&elf);
}

static void what_is_no_elf_file_is_refused(void **state)
{
	(void)state;
	write_source("script", "#!/bin/sh\necho this is a script, longer than an ELF header is\n"
			       "# and some more\n");
	assert_not_opened("script", ERR_SYNTAX);
	write_source("zero", "");
	assert_not_opened("zero", ERR_SYNTAX);
	write_source("short", "\177ELF\002\001\001");
	assert_not_opened("short", ERR_SYNTAX);
	assert_int_equal(0, mkdir(in_workshop("folder"), 0755));
	assert_not_opened("folder", ERR_SYNTAX);
	assert_not_opened("missing", ERR_ABSENT);
	/* A 32-bit file on a 64-bit machine, and the other way round. */
	assert_int_equal(0, shell("head -c 500 '%s' > class", rig.exe));
	assert_int_equal(0, shell("printf '\\003' | dd of=class bs=1 seek=4 conv=notrunc 2>&1"));
	assert_not_opened("class", ERR_SYNTAX);
}

/* All that is read of an image, which ends exactly where its memory does. */
static int read_all(const unsigned char *image, size_t n)
{
	unsigned char *copy = malloc(n);
	struct elf elf = { copy, n };
	struct digest d = DIGEST_INIT;
	struct strv names = STRV_INIT;
	char *path = NULL, text[DIGEST_HEX];
	bool rpath;
	int faults;

	assert_non_null(copy);
	memcpy(copy, image, n);
	assert_int_equal(0, digest_begin(&d, NULL));
	faults = elf_digest(&elf, &d, NULL) != 0;
	elf_build_id(&elf, &d);
	faults += elf_needed(&elf, &names, &path, &rpath, NULL) != 0;
	assert_int_equal(0, digest_end(&d, text, NULL));
	free(path);
	strv_release(&names);
	free(copy);
	return faults;
}

static struct buf image = BUF_INIT;

static void make_image(void)
{
	needs_compiler();
	buf_reset(&image);
	write_source("prog.c", SOURCE);
	COMPILE("-O1 -s -o one prog.c");
	assert_int_equal(0, file_read_whole(in_workshop("one"), 1 << 20, &image, NULL));
	assert_int_equal(0, read_all((const unsigned char *)image.data, image.len));
}

static void a_file_cut_anywhere_is_refused(void **state)
{
	size_t n;

	(void)state;
	make_image();
	for (n = sizeof(ElfW(Ehdr)); n < image.len; n += 64)
		assert_true(read_all((const unsigned char *)image.data, n) > 0);
	assert_true(read_all((const unsigned char *)image.data, image.len - 1) > 0);
}

#define HEADER ((ElfW(Ehdr) *)(void *)image.data)

/* The image as it was made, with one field of its header changed. */
#define ASSERT_REFUSED(field, value) \
	do { \
		ElfW(Ehdr) saved_ = *HEADER; \
		HEADER->field = (value); \
		assert_true(read_all((const unsigned char *)image.data, image.len) > 0); \
		*HEADER = saved_; \
	} while (0)

static void tables_outside_of_the_file_are_refused(void **state)
{
	(void)state;
	make_image();
	ASSERT_REFUSED(e_shoff, image.len);
	ASSERT_REFUSED(e_shoff, image.len - 8);
	ASSERT_REFUSED(e_shoff, UINT64_MAX);
	ASSERT_REFUSED(e_shoff, UINT64_MAX - 64);
	ASSERT_REFUSED(e_shnum, 0xfeff);
	ASSERT_REFUSED(e_shstrndx, HEADER->e_shnum);
	ASSERT_REFUSED(e_shstrndx, 0xffff);
	ASSERT_REFUSED(e_shstrndx, 0);
	ASSERT_REFUSED(e_shentsize, 0);
	ASSERT_REFUSED(e_shentsize, 65535);
	ASSERT_REFUSED(e_phoff, image.len);
	ASSERT_REFUSED(e_phoff, UINT64_MAX);
	ASSERT_REFUSED(e_phnum, 0xffff);
	ASSERT_REFUSED(e_phentsize, 1);
}

static ElfW(Phdr) * segment_of(unsigned type)
{
	ElfW(Phdr) *p = (ElfW(Phdr) *)(void *)(image.data + HEADER->e_phoff);
	int i;

	for (i = 0; p[i].p_type != type; i++)
		assert_true(i + 1 < HEADER->e_phnum);
	return &p[i];
}

/* A lost dynamic section must not look like a static executable: it has needs nobody followed. */
static void a_dynamic_section_outside_of_the_file_is_refused(void **state)
{
	ElfW(Phdr) * dynamic, saved;

	(void)state;
	make_image();
	dynamic = segment_of(PT_DYNAMIC);
	saved = *dynamic;
	dynamic->p_offset = image.len;
	assert_true(read_all((const unsigned char *)image.data, image.len) > 0);
	*dynamic = saved;
	dynamic->p_filesz = UINT64_MAX;
	assert_true(read_all((const unsigned char *)image.data, image.len) > 0);
	*dynamic = saved;
}

/* Entries that do not begin where they could be read in place are read all the same. */
static void tables_at_odd_places_are_read(void **state)
{
	ElfW(Off) offset;

	(void)state;
	make_image();
	buf_addc(&image, 0); /* behind the old table, at an odd place */
	offset = image.len | 1;
	buf_addn(&image, 0, offset - image.len);
	for (int i = 0; i < HEADER->e_shnum * (int)sizeof(ElfW(Shdr)); i++)
		buf_addc(&image, image.data[HEADER->e_shoff + (unsigned)i]);
	HEADER->e_shoff = offset;
	assert_int_equal(0, read_all((const unsigned char *)image.data, image.len));
}

/* Nothing to assert but that it ends: under the sanitizers a wrong read would not. */
static void random_damage_does_no_harm(void **state)
{
	struct coin coin;
	size_t places[2], i;
	int round, k, refused = 0;

	(void)state;
	make_image();
	coin_init(&coin, 20261120);
	for (round = 0; round < 2000; round++) {
		char saved[4];
		size_t at[4];

		/* Mostly where the tables are: at the start, and in the last 4 KiB. */
		places[0] = coin_below(&coin, 1024);
		places[1] = image.len - 1 - coin_below(&coin, 4096);
		for (k = 0; k < 4; k++) {
			i = coin_below(&coin, 3);
			at[k] = i < 2 ? (places[i] + (size_t)k * 8) % image.len
				      : coin_below(&coin, (uint32_t)image.len);
			saved[k] = image.data[at[k]];
			image.data[at[k]] = (char)coin_bits(&coin);
		}
		refused += read_all((const unsigned char *)image.data, image.len) > 0;
		for (k = 3; k >= 0; k--)
			image.data[at[k]] = saved[k];
	}
	assert_true(refused > 100); /* the damage did reach the tables */
	buf_release(&image);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comments_do_not_count),
		cmocka_unit_test(debug_information_does_not_count),
		cmocka_unit_test(stripping_does_not_count),
		cmocka_unit_test(the_build_id_does_not_count),
		cmocka_unit_test(a_constant_counts),
		cmocka_unit_test(an_instruction_counts),
		cmocka_unit_test(the_size_of_empty_memory_counts),
		cmocka_unit_test(segments_stand_in_for_a_missing_section_table),
		cmocka_unit_test(a_section_that_is_nearly_called_as_those_of_tools_counts),
		cmocka_unit_test(needed_names_and_both_kinds_of_path_are_read),
		cmocka_unit_test(what_is_no_elf_file_is_refused),
		cmocka_unit_test(a_file_cut_anywhere_is_refused),
		cmocka_unit_test(tables_outside_of_the_file_are_refused),
		cmocka_unit_test(a_dynamic_section_outside_of_the_file_is_refused),
		cmocka_unit_test(tables_at_odd_places_are_read),
		cmocka_unit_test(random_damage_does_no_harm),
	};
	int failed = cmocka_run_group_tests(tests, workshop_open, workshop_close);

	buf_release(&image);
	return failed;
}
