/* Unit tests of lib/digest/digest.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/base/file.h"
#include "lib/digest/digest.h"

#include "lib/base/banned.h"

#define OF_NOTHING "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define OF_ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

/* The digests are those of FIPS 180-4's examples and of coreutils' sha256sum. */
static void known_digests_come_out(void **state)
{
	char hex[DIGEST_HEX];

	(void)state;
	assert_int_equal(digest_of("", 0, hex, NULL), 0);
	assert_string_equal(hex, OF_NOTHING);
	assert_int_equal(digest_of("abc", 3, hex, NULL), 0);
	assert_string_equal(hex, OF_ABC);
}

static void pieces_give_the_digest_of_the_whole(void **state)
{
	struct digest d = DIGEST_INIT;
	char hex[DIGEST_HEX];

	(void)state;
	assert_int_equal(digest_begin(&d, NULL), 0);
	digest_add(&d, "a", 1);
	digest_add(&d, "", 0);
	digest_add(&d, "bc", 2);
	assert_int_equal(digest_end(&d, hex, NULL), 0);
	assert_string_equal(hex, OF_ABC);
	assert_null(d.ctx);
}

static void of_strings(const char *a, const char *b, char hex[DIGEST_HEX])
{
	struct digest d = DIGEST_INIT;

	assert_int_equal(digest_begin(&d, NULL), 0);
	digest_adds(&d, a);
	digest_adds(&d, b);
	assert_int_equal(digest_end(&d, hex, NULL), 0);
}

static void strings_keep_their_borders(void **state)
{
	char one[DIGEST_HEX], two[DIGEST_HEX];

	(void)state;
	of_strings("ab", "c", one);
	of_strings("a", "bc", two);
	assert_string_not_equal(one, two);
	of_strings(NULL, "x", one);
	of_strings("", "x", two);
	assert_string_equal(one, two);
}

static void a_digest_that_never_began_is_an_error(void **state)
{
	struct digest d = DIGEST_INIT;
	struct err err = ERR_INIT;
	char hex[DIGEST_HEX];

	(void)state;
	digest_add(&d, "abc", 3);
	assert_int_equal(digest_end(&d, hex, &err), -1);
	assert_int_equal(err.code, ERR_NOMEM);
	digest_release(&d);
}

static void a_file_has_the_digest_of_its_bytes(void **state)
{
	char path[] = "/tmp/pawl-digest.XXXXXX", hex[DIGEST_HEX], wanted[DIGEST_HEX];
	char big[150000];
	struct err err = ERR_INIT;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	memset(big, 'z', sizeof(big));
	assert_int_equal(file_write_whole(path, big, sizeof(big), 0600, NULL), 0);
	assert_int_equal(digest_of(big, sizeof(big), wanted, NULL), 0);
	assert_int_equal(digest_of_file(path, hex, NULL), 0);
	assert_string_equal(hex, wanted);
	unlink(path);
	assert_int_equal(digest_of_file(path, hex, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(digest_of_file("/", hex, &err), -1);
	assert_int_equal(err.code, ERR_IO);
}

static void hex_is_lower_case_and_closed(void **state)
{
	char hex[9];

	(void)state;
	hex_encode("\x00\x9f\xA0\xff", 4, hex);
	assert_string_equal(hex, "009fa0ff");
	hex_encode("", 0, hex);
	assert_string_equal(hex, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_digests_come_out),
		cmocka_unit_test(pieces_give_the_digest_of_the_whole),
		cmocka_unit_test(strings_keep_their_borders),
		cmocka_unit_test(a_digest_that_never_began_is_an_error),
		cmocka_unit_test(a_file_has_the_digest_of_its_bytes),
		cmocka_unit_test(hex_is_lower_case_and_closed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
