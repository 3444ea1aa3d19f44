/* What differs of two builds, by what the compiler really makes of them. */
#include "tests/unit/collector/extent/extent_fixture.h"

#include "lib/base/banned.h"

static struct err fault;

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "a b", sorted; valid until the next call. */
static const char *joined(struct strv *list)
{
	static struct buf line;
	size_t i;

	buf_reset(&line);
	if (list->n)
		qsort(list->v, list->n, sizeof(*list->v), by_text);
	for (i = 0; i < list->n; i++)
		buf_addf(&line, "%s%s", i ? " " : "", list->v[i]);
	return buf_str(&line);
}

/* Reads both sides and compares them; *d borrows from *base and *head. */
static void compare(const char *what, struct parts *base, struct parts *head, struct difference *d)
{
	*base = *head = (struct parts)PARTS_INIT;
	*d = (struct difference)DIFFERENCE_INIT;
	if (read_side("base", base, &fault) || read_side("head", head, &fault))
		fail_msg("%s: %s", what, fault.text);
	assert_int_equal(differ_make(base, head, d, NULL), 0);
}

static void release(struct parts *base, struct parts *head, struct difference *d)
{
	differ_release(d);
	parts_release(base);
	parts_release(head);
}

/* Which functions differ; and where all run but not_run, which of these see something that does. */
static void check(const char *what, const char *functions, const char *executed,
		  const char *not_run)
{
	struct parts base, head;
	struct difference d;
	struct strv runs = STRV_INIT;
	bool *marked;
	size_t i;

	compare(what, &base, &head, &d);
	marked = calloc(base.n + 1, sizeof(*marked));
	assert_non_null(marked);
	for (i = 0; i < base.n; i++)
		marked[i] = base.v[i].kind == PART_FUNCTION && strcmp(base.v[i].name, not_run) != 0;
	assert_int_equal(differ_executed(&d, marked, &runs, NULL), 0);
	if (d.is_elsewhere)
		fail_msg("%s: something else differs", what);
	if (strcmp(joined(&d.functions), functions) != 0)
		fail_msg("%s: '%s' differ, not '%s'", what, joined(&d.functions), functions);
	if (strcmp(joined(&runs), executed) != 0)
		fail_msg("%s: '%s' run, not '%s'", what, joined(&runs), executed);
	free(marked);
	strv_release(&runs);
	release(&base, &head, &d);
}

static void change_of(const char *side, const char *file, const char *script)
{
	assert_int_equal(shell("cd %s && sed -i '%s' %s.c", side, script, file), 0);
}

/* Changes a line of the head's source. */
static void change(const char *file, const char *script)
{
	if (shell("cd head && sed -i '%s' %s.c && ! cmp -s %s.c ../base/%s.c", script, file, file,
		  file))
		fail_msg("%s: '%s' changes nothing", file, script);
}

struct change {
	const char *what, *file, *script;
	const char *functions; /* that differ */
	const char *not_run, *executed;
};

static const struct change changes[] = {
	{ "a body", "part", "s/x \\* 7/x * 8/", "rare", "rare", "" },
	{ "a body that runs", "part", "s/x \\* 7/x * 8/", "rare", "usage", "rare" },
	{ "another size of it", "part", "s/x \\* 7/x * 7 \\/ (x + 3)/", "rare", "rare", "" },
	{ "a string", "main", "s/usage: this/usage: some other thing/", "usage", "usage", "" },
	{ "a string that is used", "main", "s/usage: this/usage: that/", "usage", "", "usage" },
	{ "a table", "part", "s/3, 5 }/3, 6 }/", "", "rare", "step (data)" },
	{ "a variable", "part", "s/limit = 3/limit = 4/", "", "rare", "" },
	{ "a variable that is used", "part", "s/limit = 3/limit = 4/", "", "", "rare (data)" },
	{ "a callee", "main", "s/+= x; }/+= x + 1; }/", "note", "note", "" },
	{ "a case", "main", "s/return 15/return 16/", "pick", "pick", "" },
	{ "a case that runs", "main", "s/return 15/return 16/", "pick", "", "pick" },
	{ "a line number", "part", "s/^int rare/\\n&/", "rare", "rare", "" },
	{ "a name", "part", "s/step(/stride(/g", "hot step stride", "usage", "hot step" },
	{ "a new function", "part", "$a int added(int x); int added(int x) { return x / 3; }",
	  "added", "", "" },
	{ "a member of an archive", "lib", "s/+= x/-= x/", "", "", "" }, /* not linked */
};

static void check_change(const struct change *c, const char *flags, const char *words)
{
	write_side("head");
	change(c->file, c->script);
	build_side("head", flags, words);
	check(c->what, c->functions, c->executed, c->not_run);
}

static void check_all(const char *flags, const char *words)
{
	size_t i;

	needs_compiler();
	write_side("base");
	build_side("base", flags, words);
	write_side("head");
	build_side("head", flags, words);
	check("nothing", "", "", "");
	for (i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
		check_change(&changes[i], flags, words);
}

static void what_changes_is_named_and_nothing_else(void **state)
{
	(void)state;
	check_all("-O2", "");
}

/* Where texts are not merged they are data of the whole file. */
static void without_optimisation_data_is_of_the_whole_file(void **state)
{
	(void)state;
	needs_compiler();
	write_side("base");
	build_side("base", "-O0", "");
	check_change(&changes[0], "-O0", "");
	write_side("head");
	change("main", "s/usage: this/usage: that/");
	build_side("head", "-O0", "");
	check("a string", "", "main (data) pick (data)", "usage");
}

static void so_it_is_where_each_function_has_a_section(void **state)
{
	(void)state;
	check_all("-O2 -ffunction-sections -fdata-sections", "");
}

static void so_it_is_at_fixed_addresses(void **state)
{
	(void)state;
	check_all("-O1 -fno-pie", "-no-pie");
}

static void debug_information_is_no_difference(void **state)
{
	(void)state;
	needs_compiler();
	write_side("base");
	build_side("base", "-O2", "");
	write_side("head");
	build_side("head", "-O2 -g", "");
	check("-g", "", "", "");
}

static void a_function_that_moved_to_another_place_is_the_same(void **state)
{
	(void)state;
	needs_compiler();
	write_side("base");
	build_side("base", "-O2", "");
	write_side("head");
	change("part", "/^int hot/{h;s/.*//};$G");
	build_side("head", "-O2", "");
	check("order", "", "", "");
}

/* Two functions of one size that call each other's callee now: their bytes are the same. */
static void calling_another_function_of_the_same_section_is_a_difference(void **state)
{
	static const char part[] =
		"__attribute__((noinline)) static int one(int x) { return x * 3; }\n"
		"__attribute__((noinline)) static int two(int x) { return x * 5; }\n"
		"int hot(int x) { return one(x) + 1; }\nint rare(int x) { return two(x) + 1; }\n";

	(void)state;
	needs_compiler();
	write_side("base");
	write_source("base/part.c", part);
	build_side("base", "-O2", "");
	write_side("head");
	write_source("head/part.c", part);
	change("part", "s/one(int/tmp(int/; s/two(int/one(int/; s/tmp(int/two(int/; "
		       "s/x \\* 3/x * 9/; s/x \\* 5/x * 3/; s/x \\* 9/x * 5/");
	build_side("head", "-O2", "");
	/* one and two have changed places, and each is as it was */
	check("places", "", "", "");
	write_side("head");
	write_source("head/part.c", part);
	change("part", "s/return one/return two/");
	build_side("head", "-O2", "");
	check("callee", "hot one", "hot", "one");
}

/* Of each, that something differs which no function has. */
static void what_is_around_functions_is_compared(void **state)
{
	static const char *const cases[][3] = {
		{ "a constructor", "part",
		  "$a __attribute__((constructor)) static void second(void) { sum = 9; }" },
		{ "a library's function", "part",
		  "$a int puts(const char *); void added(void); void added(void) { puts(\"\"); }" },
		{ "another one", "part",
		  "$a int abs(int); int getpid(void); int more(void); int "
		  "more(void) { return getpid(); }" },
		{ "a section of its own", "part",
		  "$a __attribute__((section(\"plugins\"), used)) static int mine = 3;" },
		{ "a variable of threads", "part", "$a __thread int mine = 3;" },
	};
	struct parts base, head;
	struct difference d;
	size_t i;

	(void)state;
	needs_compiler();
	write_side("base");
	build_side("base", "-O2", "");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_side("head");
		change(cases[i][1], cases[i][2]);
		build_side("head", "-O2", "");
		compare(cases[i][0], &base, &head, &d);
		/* puts is asked for already */
		if (d.is_elsewhere != (i != 1))
			fail_msg("%s: %d", cases[i][0], d.is_elsewhere);
		release(&base, &head, &d);
	}
}

static void code_that_is_no_function_always_runs(void **state)
{
	struct parts base, head;
	struct difference d;
	struct strv runs = STRV_INIT;

	(void)state;
	needs_compiler();
	write_side("base");
	change_of("base", "part", "$a __asm__(\".text\\\\nmine: add $1, %eax\\\\nret\\\\n\");");
	build_side("base", "-O2", "");
	write_side("head");
	change("part", "$a __asm__(\".text\\\\nmine: add $2, %eax\\\\nret\\\\n\");");
	build_side("head", "-O2", "");
	compare("assembly", &base, &head, &d);
	assert_int_equal(differ_executed(&d, NULL, &runs, NULL), 0);
	assert_string_equal(joined(&runs), ".text of part.o");
	strv_release(&runs);
	release(&base, &head, &d);
}

/* A side whose part.c has more behind it. */
static void build_with(const char *side, const char *more)
{
	struct buf path = BUF_INIT, text = BUF_INIT;

	write_side(side);
	buf_addf(&path, "%s/part.c", side);
	buf_addf(&text, "%s%s", EXTENT_PART, more);
	write_source(buf_str(&path), buf_str(&text));
	build_side(side, "-O2", "");
	buf_release(&path);
	buf_release(&text);
}

/* Nobody passes the entry of g, nor that of the part that gcc keeps apart: both run. */
static void what_is_jumped_into_runs(void **state)
{
#define TABLE(number) \
	"int enter(void); __asm__(\".text\\n.globl enter\\n.type enter,@function\\nenter: jmp " \
	"*table(%rip)\\n.size enter,.-enter\\n.type g,@function\\ng: nop\\n1: mov $" number \
	",%eax\\nret\\n.size g,.-g\\n.section .data.rel.ro,\\\"aw\\\"\\ntable: .quad " \
	"1b\\n.text\\n\");\n"
#define COLD(number) \
	"void give_up(int) __attribute__((cold)); int rarely(int);\n" \
	"int rarely(int x) { if (x == 77) { give_up(x * " number "); sum++; } return sum; }\n" \
	"__attribute__((noinline)) void give_up(int x) { sum = x; }\n"
	(void)state;
	needs_compiler();
	build_with("base", TABLE("1"));
	build_with("head", TABLE("2"));
	check("a table", "g", "g", "g");
	build_with("base", COLD("3"));
	build_with("head", COLD("5"));
	if (shell("nm base/part.o | grep -q rarely.cold"))
		print_message("# this compiler keeps nothing apart\n");
	else
		check("a cold part", "rarely.cold", "rarely.cold", "rarely.cold");
}

static void an_object_that_was_made_anew_is_refused(void **state)
{
	struct parts p = PARTS_INIT;

	(void)state;
	needs_compiler();
	write_side("base");
	write_side("head");
	build_side("head", "-O2", "");
	change("part", "s/limit = 3/limit = 4/");
	assert_int_equal(shell("cd head && cc -O2 -c part.c"), 0);
	assert_int_equal(read_side("head", &p, &fault), -1);
	assert_int_equal(fault.code, ERR_ABSENT);
	assert_non_null(strstr(fault.text, "'part.o' is not the object that was linked"));
	assert_int_equal(shell("rm head/part.o"), 0);
	assert_int_equal(read_side("head", &p, &fault), -1);
	assert_int_equal(fault.code, ERR_ABSENT);
	assert_non_null(strstr(fault.text, "part.o"));
}

/* What cannot be followed: the reason. */
static void what_is_not_known_is_refused(void **state)
{
	static const char *const cases[][4] = {
		{ "1i void *dlopen(const char *, int); void *p(void); void *p(void) { return "
		  "dlopen(\"\", 1); }",
		  "-O2", "", "loads libraries" },
		{ "1i #include <sys/mman.h>\\nint p(void); int p(void) { return mprotect(0, 0, 0); "
		  "}",
		  "-O2", "", "make code" },
		{ "1i static int f(void) { return 1; } static void *r(void) { return f; } int "
		  "g(void) "
		  "__attribute__((ifunc(\"r\")));",
		  "-O2", "", "is chosen when it starts" },
		{ "s/7/8/", "-O2 -flto", "-flto", "optimised when it is linked|No such file" },
		{ "s/7/8/", "-O2", "-static", "statically|chosen" },
		{ "1i extern int etext; int *p(void); int *p(void) { return &etext; }", "-O2", "",
		  "" },
	};
	struct parts p;
	size_t i, k;

	(void)state;
	needs_compiler();
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_side("base");
		write_side("head");
		change("part", cases[i][0]);
		if (i == 3)
			assert_int_equal(shell("cd head && cc -O2 -flto -c main.c part.c lib.c"),
					 0);
		build_side("head", cases[i][1], cases[i][2]);
		err_clear(&fault);
		p = (struct parts)PARTS_INIT;
		if (!*cases[i][3]) { /* known but for the one function */
			assert_int_equal(read_side("head", &p, &fault), 0);
			for (k = 0; k < p.n && strcmp(p.v[k].key, "p") != 0; k++)
				;
			assert_true(k < p.n && p.v[k].odd != NULL);
		} else if (!read_side("head", &p, &fault) || fault.code != ERR_ABSENT) {
			fail_msg("%zu: %s", i, fault.text);
		} else if (shell("echo \"%s\" | grep -Eq '%s'", fault.text, cases[i][3])) {
			fail_msg("%zu: %s", i, fault.text);
		}
		parts_release(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_changes_is_named_and_nothing_else),
		cmocka_unit_test(without_optimisation_data_is_of_the_whole_file),
		cmocka_unit_test(so_it_is_where_each_function_has_a_section),
		cmocka_unit_test(so_it_is_at_fixed_addresses),
		cmocka_unit_test(debug_information_is_no_difference),
		cmocka_unit_test(a_function_that_moved_to_another_place_is_the_same),
		cmocka_unit_test(calling_another_function_of_the_same_section_is_a_difference),
		cmocka_unit_test(what_is_around_functions_is_compared),
		cmocka_unit_test(code_that_is_no_function_always_runs),
		cmocka_unit_test(what_is_jumped_into_runs),
		cmocka_unit_test(an_object_that_was_made_anew_is_refused),
		cmocka_unit_test(what_is_not_known_is_refused),
	};

	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
