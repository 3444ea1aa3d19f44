/* A library with a few of its symbols: the same program comes of it, and a damaged one is refused.
 */
#include "tests/unit/collector/layout/layout_fixture.h"

#include "collector/layout/slim.h"
#include "lib/stats/coin.h"

#include "lib/base/banned.h"

#define BIG \
	"#include <stdio.h>\n" \
	"int one(int x) { return x + 1; } int two(int x) { return x * 2; } int old(int x) { " \
	"return x; }\n" \
	"__asm__(\".symver old, three@V1\"); int now(int x) { return x * 3; }\n" \
	"__asm__(\".symver now, three@@V2\");\n" \
	"int table[7] = { 1, 2, 3 }; extern int other[7] __attribute__((weak, " \
	"alias(\"table\")));\n" \
	"const int fixed[3] = { 4, 5, 6 }; __thread int own = 8;\n" \
	"static int pick_one(int x) { return x - 1; } static void *pick(void) { return (void " \
	"*)pick_one; }\n" \
	"int picked(int) __attribute__((ifunc(\"pick\"))); __attribute__((weak)) int soft(int x) " \
	"{ return x; }\n" \
	"int calls(int); int back(int x) { return calls(x); }\n" \
	"void say(void) { fprintf(stderr, \"x\"); }\n"
#define USER \
	"int one(int), three(int), picked(int), soft(int), back(int), calls(int); extern int " \
	"other[7];\n" \
	"extern const int fixed[3]; extern __thread int own; int calls(int x) { return x; }\n" \
	"int main(void) { return one(1) + three(2) + picked(3) + soft(4) + back(5) + other[1] + " \
	"fixed[2] + own; }\n"

static struct err fault;

static void make_big(void)
{
	needs_compiler();
	write_source("big.c", BIG);
	write_source("user.c", USER);
	write_source("big.map", "V1 { global: *; }; V2 { } V1;\n");
	COMPILE("-O1 -fPIC -shared -fuse-ld=bfd -Wl,-soname,libbig.so.7 "
		"-Wl,--version-script=big.map "
		"-o libbig.so big.c");
}

static size_t slim(const char *names)
{
	struct strv wanted = words_of(names);
	size_t dropped = 0;

	err_clear(&fault);
	shell("rm -rf slim && mkdir slim");
	if (slim_write(in_workshop("libbig.so"), &wanted, in_workshop("slim/libbig.so"), &dropped,
		       &fault))
		fail_msg("%s", fault.text);
	strv_release(&wanted);
	return dropped;
}

static void compare_linked(const char *words)
{
	const char *cc = getenv("CC");
	const char *folders[] = { ".", "slim" };
	int i;

	for (i = 0; i < 2; i++)
		assert_int_equal(shell("%s -O1 %s -fuse-ld=bfd -Wl,--hash-size=16381 "
				       "-Wl,--allow-shlib-undefined "
				       "-o user%d user.c -L%s -lbig",
				       cc ? cc : "cc", words, i, folders[i]),
				 0);
	assert_int_equal(shell("cmp user0 user1"), 0);
	assert_int_equal(
		shell("ln -sf libbig.so libbig.so.7; LD_LIBRARY_PATH=. ./user1; [ $? = 35 ]"), 0);
}

/* Copied variables with another name of theirs, versions, a variable of threads, what calls back.
 */
static void the_same_program_comes_of_it(void **state)
{
	(void)state;
	make_big();
	/* what every program asks for, and libraries too, is among its names */
	assert_in_range(slim("_ITM_deregisterTMCloneTable _ITM_registerTMCloneTable __gmon_start__ "
			     "back calls fixed one other own picked soft table three"),
			2, 20);
	compare_linked("-fPIE -pie");
	compare_linked("-fno-pie -no-pie");
	compare_linked("-fno-pie -no-pie -Wl,-z,now");
}

static void a_name_that_it_has_no_more_is_missed(void **state)
{
	(void)state;
	make_big();
	slim("back calls fixed other own picked soft table three");
	assert_int_not_equal(shell("cc -o user user.c -Lslim -lbig 2>/dev/null"), 0);
}

/* Its name is recorded all the same. */
static void of_no_name_one_symbol_is_left(void **state)
{
	(void)state;
	make_big();
	slim("");
	write_source("none.c", "int main(void) { return 0; }\n");
	COMPILE("-fuse-ld=bfd -o none none.c -Wl,--no-as-needed -Lslim -lbig");
	assert_int_equal(shell("objdump -p none | grep -q 'NEEDED *libbig.so.7'"), 0);
}

static void other_files_are_refused(void **state)
{
	static const char *const names[] = { "big.o", "big.c", "absent" };
	const struct strv none = STRV_INIT;
	size_t dropped, i;

	(void)state;
	make_big();
	COMPILE("-c big.c");
	for (i = 0; i < 3; i++) {
		err_clear(&fault);
		assert_int_equal(slim_write(in_workshop(names[i]), &none, in_workshop("not"),
					    &dropped, &fault),
				 -1);
		assert_int_equal(fault.code, i == 1 ? ERR_SYNTAX : ERR_ABSENT);
		assert_false(file_exists(in_workshop("not")));
	}
}

/* Bytes of it are other ones, or its end is missing: what comes out is no matter, or it says so. */
static void a_damaged_one_does_no_harm(void **state)
{
	struct strv names = words_of("one table");
	struct buf whole = BUF_INIT, bad = BUF_INIT;
	struct coin coin;
	int i, refused = 0;

	(void)state;
	make_big();
	coin_init(&coin, 5);
	assert_int_equal(file_read_whole(in_workshop("libbig.so"), 1 << 20, &whole, NULL), 0);
	for (i = 0; i < 600; i++) {
		size_t dropped, k;

		buf_reset(&bad);
		buf_add(&bad, whole.data,
			i % 3 ? whole.len : coin_below(&coin, (uint32_t)whole.len));
		for (k = 0; bad.len && k < 1 + (size_t)i / 40; k++) {
			/* its tables stand at the end, its head at the begin */
			size_t near = i % 2 && bad.len > 4096 ? bad.len - 4096 : 0;

			bad.data[near + coin_below(&coin, (uint32_t)(bad.len - near))] =
				(char)coin_below(&coin, 256);
		}
		assert_int_equal(
			file_write_whole(in_workshop("bad"), buf_str(&bad), bad.len, 0600, NULL),
			0);
		err_clear(&fault);
		unlink(in_workshop("out"));
		if (slim_write(in_workshop("bad"), &names, in_workshop("out"), &dropped, &fault)) {
			assert_true(fault.code == ERR_SYNTAX || fault.code == ERR_ABSENT);
			assert_false(file_exists(in_workshop("out")));
			refused++;
		}
	}
	assert_in_range(refused, 100, 600);
	buf_release(&whole);
	buf_release(&bad);
	strv_release(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_program_comes_of_it),
		cmocka_unit_test(a_name_that_it_has_no_more_is_missed),
		cmocka_unit_test(of_no_name_one_symbol_is_left),
		cmocka_unit_test(other_files_are_refused),
		cmocka_unit_test(a_damaged_one_does_no_harm),
	};

	return cmocka_run_group_tests(tests, layout_workshop_open, workshop_close);
}
