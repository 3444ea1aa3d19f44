/* What is the same in two layouts of a program, and what tells two programs apart. */
#include "tests/unit/collector/layout/layout_fixture.h"

#include <elf.h>
#include <link.h>

#include "collector/layout/traits.h"
#include "lib/stats/coin.h"

#include "lib/base/banned.h"

static struct err fault;

static struct strv traits_of(const char *name)
{
	struct strv traits = STRV_INIT;

	err_clear(&fault);
	if (traits_read(in_workshop(name), &traits, &fault))
		fail_msg("%s: %s", name, fault.text);
	return traits;
}

/* Whether two programs have the same traits; if not, fault says which one differs. */
static bool same(const char *a, const char *b)
{
	struct strv x = traits_of(a), y = traits_of(b);
	bool equal = !traits_compare(&x, &y, &fault);

	assert_true(equal || fault.code == ERR_CORRUPT);
	strv_release(&x);
	strv_release(&y);
	return equal;
}

/* The program "one" of the three parts, linked as layouts are. */
static void make_one(void)
{
	needs_compiler();
	COMPILE("-O0 -c main.c f.c h.c");
	COMPILE("-o one main.o f.o h.o -Wl,-q -Wl,-S");
}

static void the_order_of_objects_is_no_trait(void **state)
{
	(void)state;
	make_one();
	/* constructors of all three: their order is one, so they keep it by priority */
	write_source("plain.c",
		     "int add(int x); int more[9]; int add(int x) { return more[x]; }\n");
	write_source("user.c", "int add(int x); int main(void) { return add(1); }\n");
	COMPILE("-O1 -c plain.c user.c");
	COMPILE("-o two user.o plain.o -Wl,-q");
	COMPILE("-o three plain.o user.o -Wl,-q -Wl,-S");
	if (!same("two", "three"))
		fail_msg("%s", fault.text);
	assert_int_equal(shell("cmp -s two three"), 1);
}

/* One line of a part is another one. */
static void make_other(const char *part, const char *from, const char *to)
{
	make_one();
	if (shell("sed 's/%s/%s/' %s.c >other.c && ! cmp -s other.c %s.c", from, to, part, part))
		fail_msg("%s: no '%s'", part, from);
	COMPILE("-O0 -c other.c");
	if (shell("cp other.o %s.o", part))
		fail();
	COMPILE("-o two main.o f.o h.o -Wl,-q -Wl,-S");
}

static void other_code_or_data_is_another_program(void **state)
{
	/* what is changed, and what the fault says */
	static const char *const cases[][4] = {
		{ "f", "x \\* 7", "x * 6", "symbol '" },
		{ "f", "{ 1, 2 }", "{ 1, 3 }", "symbol 'kept'" },
		{ "main", "3, 4", "3, 5", "symbol 'table'" },
		{ "main", "many\\[300\\]", "many[301]", "symbol 'many'" },
		{ "h", "int h(int x)", "int g(void) { return 1; } int h(int x)", "symbol 'g'" },
		{ "h", "int h(int x) {", "int h(int x) { x += local(x);", "symbol 'h'" },
		{ "h", "__thread int t", "__thread char t", "symbol '" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make_other(cases[i][0], cases[i][1], cases[i][2]);
		if (same("one", "two"))
			fail_msg("%s: '%s' is the same", cases[i][0], cases[i][2]);
		if (!strstr(fault.text, cases[i][3]) && !strstr(fault.text, "section '"))
			fail_msg("%s: %s", cases[i][3], fault.text);
	}
}

static void calling_another_function_is_another_program(void **state)
{
	(void)state;
	needs_compiler();
	write_source("to.c", "int a(int x); int b(int x); int a(int x) { return x; }\n"
			     "int b(int x) { return x; }\n");
	write_source("from.c", "int a(int x); int b(int x); int main(int c, char **v)\n"
			       "{ (void)v; return CALL(c) + OTHER(c); }\n");
	COMPILE("-O0 -c to.c && cc -O0 -DCALL=a -DOTHER=b -c from.c && cc -o one from.o to.o "
		"-Wl,-q");
	COMPILE("-O0 -DCALL=b -DOTHER=a -c from.c && cc -o two from.o to.o -Wl,-q");
	assert_false(same("one", "two"));
	assert_non_null(strstr(fault.text, "symbol 'main'"));
}

static void the_order_of_constructors_is_a_trait(void **state)
{
	(void)state;
	make_one();
	COMPILE("-o two main.o h.o f.o -Wl,-q -Wl,-S");
	assert_false(same("one", "two"));
	assert_non_null(strstr(fault.text, "order of '.init_array'"));
}

static void keeping_relocations_must_not_change_the_code(void **state)
{
	(void)state;
	make_one();
	COMPILE("-o two main.o f.o h.o");
	if (traits_compare_code(in_workshop("one"), in_workshop("two"), false, &fault))
		fail_msg("%s", fault.text);
	/* addresses behind empty sections that only one has */
	write_source("odd.c",
		     "char odd[3] = { 1 }; int far[9]; int main(void) { return far[1]; }\n");
	COMPILE("-O1 -c odd.c && cc -o two odd.o && cc -o three odd.o -Wl,-q");
	assert_int_equal(
		traits_compare_code(in_workshop("three"), in_workshop("two"), false, &fault), 0);
	/* elsewhere; that it may be so is for lld: layout_make.sh */
	COMPILE("-o four odd.o -Wl,-q -Wl,--section-start=.text=0x8000");
	assert_int_equal(
		traits_compare_code(in_workshop("four"), in_workshop("two"), false, &fault), -1);
	assert_int_equal(traits_compare_code(in_workshop("one"), in_workshop("two"), true, &fault),
			 -1);
	assert_int_equal(traits_compare_code(in_workshop("one"), in_workshop("two"), false, &fault),
			 -1);
	assert_int_equal(fault.code, ERR_CORRUPT);
	assert_int_equal(
		traits_compare_code(in_workshop("one"), in_workshop("odd.c"), false, &fault), -1);
	assert_int_equal(fault.code, ERR_SYNTAX);
}

static void libraries_are_traits(void **state)
{
	(void)state;
	make_one();
	COMPILE("-o two main.o f.o h.o -Wl,-q -Wl,-S -Wl,--no-as-needed -lm");
	assert_false(same("one", "two"));
}

static void who_asks_where_data_begins_is_told_apart(void **state)
{
	(void)state;
	make_one();
	assert_int_equal(traits_refuse_data_start(in_workshop("one"), &fault), 0);
	write_source(
		"asks.c",
		"extern char data_start; char *p(void); char *p(void) { return &data_start; }\n"
		"int main(void) { return !p(); }\n");
	COMPILE("-o two asks.c -fuse-ld=bfd -Wl,-q");
	assert_int_equal(traits_refuse_data_start(in_workshop("two"), &fault), -1);
	assert_int_equal(fault.code, ERR_ABSENT);
	/* of a library, as of a garbage collector's */
	write_source("gc.c", "extern char __data_start __attribute__((weak)); char *gc(void);\n"
			     "char *gc(void) { return &__data_start; }\n");
	write_source("user.c", "char *gc(void); int main(void) { return !gc(); }\n");
	COMPILE("-fPIC -shared -o gc.so gc.c && cc -o two user.c ./gc.so -fuse-ld=bfd -Wl,-q");
	assert_int_equal(traits_refuse_data_start(in_workshop("two"), &fault), -1);
}

static void a_program_without_symbols_is_refused(void **state)
{
	struct strv traits = STRV_INIT;

	(void)state;
	make_one();
	assert_int_equal(shell("strip -o two one"), 0);
	assert_int_equal(traits_read(in_workshop("two"), &traits, &fault), -1);
	assert_int_equal(fault.code, ERR_SYNTAX);
	assert_int_equal(traits_read(in_workshop("main.c"), &traits, &fault), -1);
	assert_int_equal(fault.code, ERR_SYNTAX);
	assert_int_equal(traits_read(in_workshop("nowhere"), &traits, &fault), -1);
	assert_int_equal(fault.code, ERR_ABSENT);
	strv_release(&traits);
}

/* Damage to a copy of a program: it is read or refused, and nothing else happens. */
static void read_damaged(const struct buf *bytes, size_t n)
{
	struct strv traits = STRV_INIT;

	assert_int_equal(file_write_whole(in_workshop("bad"), bytes->data, n, 0600, NULL), 0);
	err_clear(&fault);
	if (traits_read(in_workshop("bad"), &traits, &fault) && fault.code != ERR_SYNTAX &&
	    fault.code != ERR_ABSENT)
		fail_msg("%d: %s", fault.code, fault.text);
	strv_release(&traits);
}

static void damage_is_refused_or_read_but_harms_nothing(void **state)
{
	struct buf bytes = BUF_INIT;
	const ElfW(Ehdr) * head;
	struct coin coin;
	size_t tables, i;

	(void)state;
	make_one();
	assert_int_equal(file_read_whole(in_workshop("one"), 1 << 24, &bytes, NULL), 0);
	for (i = 0; i < bytes.len; i += bytes.len / 40)
		read_damaged(&bytes, i);
	head = (const ElfW(Ehdr) *)(const void *)bytes.data;
	tables = head->e_shoff;
	coin_init(&coin, 12);
	for (i = 0; i < 300; i++) { /* in the header, and in the table of sections */
		size_t at = i % 4 ? tables + coin_below(&coin, (uint32_t)(bytes.len - tables))
				  : coin_below(&coin, sizeof(*head));
		char was = bytes.data[at];

		bytes.data[at] = (char)coin_below(&coin, 256);
		read_damaged(&bytes, bytes.len);
		bytes.data[at] = was;
	}
	buf_release(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_of_objects_is_no_trait),
		cmocka_unit_test(other_code_or_data_is_another_program),
		cmocka_unit_test(calling_another_function_is_another_program),
		cmocka_unit_test(the_order_of_constructors_is_a_trait),
		cmocka_unit_test(keeping_relocations_must_not_change_the_code),
		cmocka_unit_test(libraries_are_traits),
		cmocka_unit_test(who_asks_where_data_begins_is_told_apart),
		cmocka_unit_test(a_program_without_symbols_is_refused),
		cmocka_unit_test(damage_is_refused_or_read_but_harms_nothing),
	};

	return cmocka_run_group_tests(tests, layout_workshop_open, workshop_close);
}
