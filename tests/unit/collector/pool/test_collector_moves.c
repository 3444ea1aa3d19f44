/* Who names /proc/self/exe in what was linked: the language's library, or the program. */
#include "tests/unit/collector/layout/layout_fixture.h"

#include "collector/pool/moves.h"

#include "lib/base/banned.h"

#define SELF "/proc/self/exe"

static struct err fault;

/* A file of such a beginning with a text in it; its folder is made. */
static void write_file(const char *name, const void *head, size_t n, const char *text)
{
	struct buf bytes = BUF_INIT, folder = BUF_INIT;

	buf_adds(&folder, in_workshop(name));
	*strrchr(folder.data, '/') = '\0';
	assert_int_equal(file_make_dirs(buf_str(&folder), 0700, NULL), 0);
	buf_add(&bytes, head, n);
	buf_addn(&bytes, '\0', 64);
	buf_adds(&bytes, text);
	buf_addn(&bytes, '\0', 64);
	assert_int_equal(file_write_whole(in_workshop(name), bytes.data, bytes.len, 0600, NULL), 0);
	buf_release(&bytes);
	buf_release(&folder);
}

/* Of relocatable and of shared objects; byte 16 says which. */
static void write_object(const char *name, char type, const char *text)
{
	char head[18] = "\177ELF\2\1\1";

	head[16] = type;
	write_file(name, head, sizeof(head), text);
}

static void write_archive(const char *name, const char *member)
{
	char head[300];
	int n = snprintf(head, sizeof(head), "!<arch>\n%-48s%-10zu`\n%s%s", "a.o/", strlen(member),
			 member, strlen(member) % 2 ? "\n" : "");

	assert_int_equal(file_write_whole(in_workshop(name), head, (size_t)n, 0600, NULL), 0);
}

/* What is said of a link of these words, run in the workshop; "": it may move. */
static const char *says(const char *line)
{
	char top[200];
	struct link link = { .folder = workshop, .output = (char[]){ "prog" } };

	snprintf(top, sizeof(top), "%s/key", workshop);
	link.words = words_of(line);
	err_clear(&fault);
	if (!moves_check(&link, top, &fault))
		assert_int_equal(fault.code, 0);
	else
		assert_int_equal(fault.code, ERR_ABSENT);
	strv_release(&link.words);
	return fault.text;
}

static int make_files(void **state)
{
	if (layout_workshop_open(state))
		return -1;
	write_object("crt1.o", 1, "x");
	write_object("main.o", 1, "x");
	write_object("asks.o", 1, "readlink " SELF);
	write_object("rust.o", 1, "_ZN3std3env11current_exe17h0E");
	write_object("opens.o", 1, "$ORIGIN/plugin.so");
	write_object("slim.o", 1, "__gnu_lto_slim");
	write_object("prog", 1, SELF);
	write_object("sys/libx.so", 3, SELF);
	write_archive("sys/libc.a", SELF);
	write_archive("sys/liby.a", "plain");
	write_archive("sys/libz.a", "says " SELF);
	write_archive("sys/libbits.a", "BC\xc0\xde rest");
	write_object("sys/rustlib/t/lib/libstd-12ab.rlib", 1, SELF " current_exe");
	write_object("key/tree/libc.a", 1, SELF);
	write_file("thin.a", "!<thin>\n", 8, "");
	write_file("script.txt", "/* */ INPUT(asks.o)", 19, "");
	return 0;
}

#define SYSTEM "-static -o prog crt1.o main.o -Lsys --start-group -lc --end-group"

static void what_only_the_c_library_names_may_move(void **state)
{
	(void)state;
	assert_string_equal(says(SYSTEM), "");
	assert_string_equal(says(SYSTEM " sys/libx.so -lx -l y -m elf_x86_64 -z now"), "");
}

static void what_the_project_names_may_not(void **state)
{
	(void)state;
	assert_non_null(strstr(says(SYSTEM " asks.o"), "'asks.o' names " SELF));
	assert_non_null(strstr(says(SYSTEM " -lz"), "'libz.a' names " SELF));
	assert_non_null(strstr(says(SYSTEM " -l z"), "'libz.a' names " SELF));
	assert_non_null(strstr(says(SYSTEM " --library=z"), "'libz.a' names " SELF));
	assert_non_null(strstr(says(SYSTEM " --library z"), "'libz.a' names " SELF));
	assert_non_null(strstr(says(SYSTEM " -l:libz.a"), "'libz.a' names " SELF));
	assert_non_null(strstr(says(SYSTEM " opens.o"), "'opens.o' names $ORIGIN"));
	assert_non_null(strstr(says(SYSTEM " key/tree/libc.a"), "'libc.a' names " SELF));
}

static void what_cannot_be_told_may_not(void **state)
{
	(void)state;
	assert_non_null(strstr(says(SYSTEM " thin.a"), "'thin.a' cannot be read"));
	assert_non_null(strstr(says(SYSTEM " -lbits"), "optimised when it is linked"));
	assert_non_null(strstr(says(SYSTEM " slim.o"), "optimised when it is linked"));
	assert_non_null(strstr(says(SYSTEM " script.txt"), "may name further files"));
	assert_non_null(strstr(says(SYSTEM " gone.o"), "'gone.o' is gone"));
	assert_non_null(strstr(says(SYSTEM " -lnowhere"), "'-lnowhere' is not found"));
}

static void rust_programs_may_unless_they_ask(void **state)
{
	(void)state;
	assert_string_equal(says(SYSTEM " sys/rustlib/t/lib/libstd-12ab.rlib"), "");
	assert_non_null(strstr(says("rust.o " SYSTEM " sys/rustlib/t/lib/libstd-12ab.rlib"),
			       "'rust.o' asks for current_exe()"));
	assert_string_equal(says("rust.o " SYSTEM), ""); /* a name of its own */
}

static void a_file_that_names_it_is_in_doubt(void **state)
{
	(void)state;
	assert_true(moves_is_in_doubt(in_workshop("asks.o")));
	assert_false(moves_is_in_doubt(in_workshop("main.o")));
	assert_true(moves_is_in_doubt(in_workshop("gone")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_only_the_c_library_names_may_move),
		cmocka_unit_test(what_the_project_names_may_not),
		cmocka_unit_test(what_cannot_be_told_may_not),
		cmocka_unit_test(rust_programs_may_unless_they_ask),
		cmocka_unit_test(a_file_that_names_it_is_in_doubt),
	};

	return cmocka_run_group_tests(tests, make_files, workshop_close);
}
