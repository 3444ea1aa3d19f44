/* /proc/self/exe in a file: whole, in pieces, and texts that only begin like it. */
#include "tests/unit/collector/compile_fixture.h"

#include "collector/code/elf.h"

#include "lib/base/banned.h"

static bool names(const void *bytes, size_t n)
{
	const struct elf elf = { bytes, n };

	return elf_names_self(&elf);
}

#define NAMES(text) names(text, sizeof(text) - 1)

static bool may_find(const void *bytes, size_t n)
{
	const struct elf elf = { bytes, n };

	return elf_may_find_itself(&elf);
}

static void what_finds_it_by_other_ways_is_found(void **state)
{

	(void)state;
	assert_true(may_find("..\0getauxval", 12));
	assert_true(may_find("/proc/\0/exe", 12));
	assert_true(may_find("self/\0exe", 10));
	assert_true(may_find("..\0environ", 11));
	assert_true(may_find("..\0__environ", 13));
	assert_true(may_find("..\0dlinfo", 10));
	assert_true(may_find("..\0_r_debug", 12));
	assert_true(may_find("/proc/%d/maps", 14));
	assert_true(may_find("/proc/self/auxv", 16));
	assert_false(may_find("the environ\0ment", 17));
	assert_false(may_find("..\0environment", 15));
	assert_false(may_find("PAWL_FD is not a descriptor\0environ", 36)); /* libpawl's own */
	assert_true(may_find("PAWL_FD is not a descriptor\0dlinfo", 35));
	assert_false(may_find("/tmp/executor", 14));
	assert_false(may_find("/proc/\0an executable", 20));
}

static void a_whole_text_is_found(void **state)
{
	(void)state;
	assert_true(NAMES("/proc/self/exe"));
	assert_true(NAMES("..\0/proc/self/maps\0/proc/self/exe\0.."));
	assert_true(NAMES("/proc/self/exe/../data"));
}

/* As gcc 13.3 writes them: the distances are those of char a[64] at -O1, std::string at -O1, -O2.
 */
static void pieces_in_code_are_found(void **state)
{
	(void)state;
	assert_true(NAMES("\x48\xb8/proc/se\x48\xbalf/exe\0\0"));
	assert_true(NAMES("\x48\xb8/proc/se\x48\x89\x44\x24\x10\x48\xb8self/exe"));
	assert_true(NAMES("\x48\xb8/proc/se.........................self/exe"));
	assert_true(NAMES("\x48\xb8self/exe\x48\x89\x44\x24\x16\x48\xb8/proc/se"));
}

static void a_format_for_its_number_is_found(void **state)
{
	(void)state;
	assert_true(NAMES("/proc/%d/exe"));
	assert_true(NAMES("/proc/%d/maps\0/proc/%lu/exe"));
	assert_true(NAMES("/proc/%jd/exe"));
	assert_false(NAMES("/proc/%d/maps"));
	assert_false(NAMES("/proc/%d/ex"));
	assert_false(NAMES("/proc/%d"));
	assert_false(NAMES("/proc/%"));
	assert_false(NAMES("/proc/%s/cwd/exe"));
}

static void others_are_not(void **state)
{
	(void)state;
	assert_false(NAMES(""));
	assert_false(NAMES("/proc/se"));
	assert_false(NAMES("/proc/self/ex"));
	assert_false(NAMES("/proc/self/maps\0/proc/self/status"));
	assert_false(NAMES("\x48\xb8/proc/se\x48\xbalf/maps\0"));
	assert_false(NAMES("/proc/self/environ\0/proc/self/maps")); /* one piece: read to its end */
	assert_false(NAMES("self/exe lf/exe"));
}

static void what_is_far_away_is_another(void **state)
{
	char bytes[256] = "lf/exe";

	(void)state;
	memcpy(bytes + 100, "/proc/se", 8);
	memcpy(bytes + 200, "lf/exe", 6);
	assert_false(names(bytes, sizeof(bytes)));
	memcpy(bytes + 160, "lf/exe", 6);
	assert_true(names(bytes, sizeof(bytes)));
}

/* Whatever form it gives them. */
static void a_compiler_s_text_is_found(void **state)
{
	static const char *const words[][2] = {
		{ "-O0 -o self self.c", "-O0 -o none none.c" },
		{ "-Og -o self self.c", "-Og -o none none.c" },
		{ "-O1 -o self self.c", "-O1 -o none none.c" },
		{ "-O2 -o self self.c", "-O2 -o none none.c" },
	};
	struct err err = ERR_INIT;
	struct elf elf;
	size_t i;

	(void)state;
	needs_compiler();
	write_source("self.c",
		     "#include <stdio.h>\n"
		     "int main(void) { char a[64] = \"/proc/self/exe\"; return puts(a); }\n");
	write_source("none.c",
		     "#include <stdio.h>\n"
		     "int main(void) { char a[64] = \"/proc/self/maps\"; return puts(a); }\n");
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		for (int k = 0; k < 2; k++) {
			compile_words(words[i][k]);
			if (elf_open(in_workshop(k ? "none" : "self"), &elf, &err))
				fail_msg("%s", err.text);
			assert_int_equal(!k, elf_names_self(&elf));
			elf_close(&elf);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_finds_it_by_other_ways_is_found),
		cmocka_unit_test(a_whole_text_is_found),
		cmocka_unit_test(pieces_in_code_are_found),
		cmocka_unit_test(a_format_for_its_number_is_found),
		cmocka_unit_test(others_are_not),
		cmocka_unit_test(what_is_far_away_is_another),
		cmocka_unit_test(a_compiler_s_text_is_found),
	};

	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
