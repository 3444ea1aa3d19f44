/* Unit tests of elf_build_id(): what a linker says of what it wrote. */
#include "tests/unit/collector/compile_fixture.h"

#include "collector/code/elf.h"
#include "lib/digest/digest.h"

#include "lib/base/banned.h"

/* The digest of the build id of the program "one"; "" when it has none that can be believed. */
static void id_of(char out[DIGEST_HEX])
{
	struct digest d = DIGEST_INIT;
	struct elf elf;
	bool found;

	assert_int_equal(elf_open(in_workshop("one"), &elf, NULL) || digest_begin(&d, NULL), 0);
	found = elf_build_id(&elf, &d);
	elf_close(&elf);
	assert_int_equal(digest_end(&d, out, NULL), 0);
	if (!found)
		out[0] = '\0';
}

static void a_build_id_sums_up_what_was_linked(void **state)
{
	char first[DIGEST_HEX], again[DIGEST_HEX], other[DIGEST_HEX];

	(void)state;
	needs_compiler();
	write_source("prog.c",
		     "int main(int argc, char **argv) { (void)argv; return argc * NUMBER; }\n");
	COMPILE("-DNUMBER=3 -Wl,--build-id -o one prog.c");
	id_of(first);
	assert_string_not_equal(first, "");
	COMPILE("-DNUMBER=3 -Wl,--build-id -o one prog.c");
	id_of(again);
	assert_string_equal(first, again);
	COMPILE("-DNUMBER=5 -Wl,--build-id -o one prog.c");
	id_of(other);
	assert_string_not_equal(first, other);
}

static void none_or_one_that_somebody_chose_says_nothing(void **state)
{
	char id[DIGEST_HEX];

	(void)state;
	needs_compiler();
	write_source("prog.c", "int main(void) { return 0; }\n");
	COMPILE("-Wl,--build-id=none -o one prog.c");
	id_of(id);
	assert_string_equal(id, "");
	COMPILE("-Wl,--build-id=0x0102030405060708 -o one prog.c");
	id_of(id);
	assert_string_equal(id, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_build_id_sums_up_what_was_linked),
		cmocka_unit_test(none_or_one_that_somebody_chose_says_nothing),
	};

	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
