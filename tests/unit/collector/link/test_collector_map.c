/* Maps of GNU ld: real ones, and texts that only look like it. */
#include "tests/unit/collector/layout/layout_fixture.h"

#include "collector/link/map.h"

#include "lib/base/banned.h"

#define HEAD "x\nLinker script and memory map\n\n"

static struct err fault;

static int read_text(const char *text, struct map *out)
{
	return map_read(str_dup(text, NULL), out, &fault);
}

/* The map of a link by these words. */
static struct map map_of(const char *words)
{
	struct buf text = BUF_INIT;
	struct map m = MAP_INIT;

	compile_words(words);
	assert_int_equal(file_read_whole(in_workshop("map"), 1 << 24, &text, NULL), 0);
	if (map_read(buf_detach(&text), &m, &fault))
		fail_msg("%s", fault.text);
	return m;
}

/* The one unit of that name, file and member; fails when there are more or fewer. */
static const struct map_unit *unit_of(const struct map *m, const char *name, const char *file,
				      const char *member)
{
	const struct map_unit *found = NULL;
	size_t i;

	for (i = 0; i < m->n; i++) {
		const struct map_unit *u = &m->v[i];

		if (strcmp(u->name, name) || strcmp(u->file, file) ||
		    (member ? !u->member || strcmp(u->member, member) : u->member != NULL))
			continue;
		assert_null(found);
		found = u;
	}
	if (!found)
		fail_msg("no %s of %s", name, file);
	return found;
}

static void objects_and_members_are_found_with_their_statements(void **state)
{
	struct map m;

	(void)state;
	needs_compiler();
	COMPILE("-O2 -c main.c f.c h.c && rm -f lib.a && ar rc lib.a f.o h.o");
	m = map_of("-fuse-ld=bfd -o p main.o lib.a -Wl,-Map=map");
	assert_string_equal(unit_of(&m, ".text.startup", "main.o", NULL)->statement,
			    "*(.text.startup .text.startup.*)");
	assert_string_equal(unit_of(&m, ".text", "lib.a", "f.o")->statement,
			    "*(.text .stub .text.* .gnu.linkonce.t.*)");
	assert_string_equal(unit_of(&m, ".text", "lib.a", "h.o")->output, ".text");
	assert_int_equal(unit_of(&m, ".data", "lib.a", "f.o")->size, 200); /* int kept[50] */
	assert_int_equal(unit_of(&m, ".bss", "main.o", NULL)->size, 1204); /* many, started */
	map_release(&m);
}

static void long_names_of_sections_have_a_line_of_their_own(void **state)
{
	struct map m;

	(void)state;
	needs_compiler();
	write_source("long.c",
		     "int a_function_with_a_rather_long_name(int x);\n"
		     "int a_function_with_a_rather_long_name(int x) { return x; }\n"
		     "int main(void) { return a_function_with_a_rather_long_name(0); }\n");
	COMPILE("-O0 -ffunction-sections -c long.c -o 'two words.o'");
	m = map_of("-fuse-ld=bfd -o p 'two words.o' -Wl,-Map=map");
	assert_string_equal(
		unit_of(&m, ".text.a_function_with_a_rather_long_name", "two words.o", NULL)
			->output,
		".text");
	unit_of(&m, ".text.main", "two words.o", NULL);
	map_release(&m);
}

static void what_is_no_map_is_refused(void **state)
{
	static const char *const texts[] = { "", "\n", "Linker script and memory map\n", "no\n" };
	struct map m = MAP_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(read_text(texts[i], &m), -1);
		assert_int_equal(fault.code, ERR_SYNTAX);
	}
}

static void lines_that_say_nothing_are_passed_over(void **state)
{
	static const char *const lines[] = {
		".text 0x10 0x20\n .text 0x10 0x20 a.o\n", /* before any statement */
		".text\n *(.text)\n .text 0x10 0x0 a.o\n",
		".text\n *(.text)\n .text 0x10 a.o\n",
		".text\n *(.text)\n .text 0xzz 0x10 a.o\n",
		".text\n *(.text)\n .text 0x10 0x10\n",
		".text\n *(.text)\n .text.very.long.name\n",
		".text\n *(.text)\n .text.very.long.name\n 0x10 0x20 a.o\n",
		".text\n *(.text)\n *fill* 0x10 0x20 \n",
		".text\n KEEP (*(.text))\n .text 0x10 0x20 a.o\n",
		".other\n *(.text)\n .text 0x10 0x20 a.o\n",
		".text\n *(.text)\nOUTPUT(p elf64-x86-64)\n .text 0x10 0x20 a.o\n",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct buf text = BUF_INIT;
		struct map m = MAP_INIT;

		buf_addf(&text, HEAD "%s", lines[i]);
		assert_int_equal(read_text(buf_str(&text), &m), 0);
		if (m.n)
			fail_msg("%zu: %s", i, lines[i]);
		map_release(&m);
		buf_release(&text);
	}
}

static void files_with_brackets_are_no_archives(void **state)
{
	struct map m = MAP_INIT;

	(void)state;
	assert_int_equal(read_text(HEAD ".text\n *(.text)\n .text 0x10 0x20 a(1).o\n"
					" .text 0x10 0x20 l(1).a(b.o)\n .text 0x1 0x2 (c.o)\n",
				   &m),
			 0);
	assert_int_equal(m.n, 3);
	unit_of(&m, ".text", "a(1).o", NULL);
	unit_of(&m, ".text", "l(1).a", "b.o");
	unit_of(&m, ".text", "(c.o)", NULL);
	map_release(&m);
}

static void a_map_may_end_anywhere(void **state)
{
	static const char whole[] =
		HEAD ".text 0x10 0x20\n *(.text .text.*)\n .text 0x10 0x20 l.a(a.o)\n"
		     " .text.long.long.long\n      0x10 0x20 b.o\n *fill* 0x1 0x2\n";
	struct map m = MAP_INIT;
	size_t n;

	(void)state;
	for (n = 0; n < sizeof(whole); n++) {
		if (!map_read(strndup(whole, n), &m, NULL))
			assert_in_range(m.n, 0, 2);
		map_release(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects_and_members_are_found_with_their_statements),
		cmocka_unit_test(long_names_of_sections_have_a_line_of_their_own),
		cmocka_unit_test(what_is_no_map_is_refused),
		cmocka_unit_test(lines_that_say_nothing_are_passed_over),
		cmocka_unit_test(files_with_brackets_are_no_archives),
		cmocka_unit_test(a_map_may_end_anywhere),
	};

	return cmocka_run_group_tests(tests, layout_workshop_open, workshop_close);
}
