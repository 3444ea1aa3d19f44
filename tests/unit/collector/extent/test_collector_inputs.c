/* What is in a program of what its objects have, and what cannot be known of it. */
#include "tests/unit/collector/extent/extent_fixture.h"

#include "lib/base/banned.h"

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

#define TWIN(name, number) \
	"static int pick(int x) { return x * " number "; }\n" \
	"int (*" name ")(int) = pick; int " name "_call(int x) { return " name "(x); }\n"

/* Two members of one name in an archive, built into the side's program. */
static void build_twins(const char *side, const char *number, const char *other)
{
	struct buf path = BUF_INIT;

	write_side(side);
	assert_int_equal(shell("mkdir -p %s/a %s/b && sed -i '1i int one_call(int), "
			       "two_call(int);' %s/main.c && sed -i 's/= 0; return/&/; "
			       "s/return rare(1)/return rare(1) + one_call(2) + two_call(3)/' "
			       "%s/main.c",
			       side, side, side, side),
			 0);
	buf_addf(&path, "%s/a/twin.c", side);
	write_source(buf_str(&path), number);
	buf_reset(&path);
	buf_addf(&path, "%s/b/twin.c", side);
	write_source(buf_str(&path), other);
	buf_release(&path);
	assert_int_equal(shell("cd %s && cc -O1 -o a/twin.o -c a/twin.c && cc -O1 -o b/twin.o -c "
			       "b/twin.c && rm -f twins.a && ar qc twins.a a/twin.o b/twin.o",
			       side),
			 0);
	build_side(side, "-O1", "twins.a");
}

static void two_members_of_one_name_are_told_apart_by_their_bytes(void **state)
{
	struct parts p = PARTS_INIT;

	(void)state;
	needs_compiler();
	build_twins("base", TWIN("one", "3"), TWIN("two", "5"));
	build_twins("head", TWIN("one", "3"), TWIN("two", "7"));
	check("a twin", "pick", "pick", "");
	build_twins("head", TWIN("one", "3"), TWIN("two", "3"));
	assert_int_equal(read_side("head", &p, &fault), -1);
	assert_int_equal(fault.code, ERR_ABSENT);
	assert_non_null(strstr(fault.text, "which of several 'twin.o' of 'twins.a'"));
}

/* What moves code or data on purpose is a change of it. */
static void another_alignment_is_a_difference(void **state)
{
	(void)state;
	needs_compiler();
	write_side("base");
	build_side("base", "-O2 -ffunction-sections", "");
	write_side("head");
	change("part", "s/^int rare/__attribute__((aligned(128))) int rare/");
	build_side("head", "-O2 -ffunction-sections", "");
	check("a function", "rare", "rare", "usage");
	write_side("base");
	change_of("base", "part", "s/^int sum, limit/int field[4], limit/; s/sum/field[0]/g");
	build_side("base", "-O2 -fcommon", "");
	write_side("head");
	change("part", "s/^int sum, limit/int field[4] __attribute__((aligned(256))), limit/; "
		       "s/sum/field[0]/g");
	build_side("head", "-O2 -fcommon", "");
	check("a variable of no file", "hot", "hot", "rare");
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
		cmocka_unit_test(what_is_jumped_into_runs),
		cmocka_unit_test(an_object_that_was_made_anew_is_refused),
		cmocka_unit_test(two_members_of_one_name_are_told_apart_by_their_bytes),
		cmocka_unit_test(another_alignment_is_a_difference),
		cmocka_unit_test(what_is_not_known_is_refused),
	};

	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
