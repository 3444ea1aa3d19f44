/* Expected values: RFC 4231, test cases 1, 2 and 6. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "lib/digest/digest.h"
#include "lib/digest/hmac.h"

static void expect(const void *key, size_t n_key, const struct hmac_piece *pieces, size_t n,
		   const char *hex)
{
	unsigned char out[HMAC_BYTES];
	char text[2 * HMAC_BYTES + 1];

	hmac_sha256(key, n_key, pieces, n, out);
	hex_encode(out, sizeof(out), text);
	assert_string_equal(text, hex);
}

static void texts_of_the_standard_are_signed_as_it_says(void **state)
{
	unsigned char key[131];

	(void)state;
	memset(key, 0x0b, 20);
	expect(key, 20, &(struct hmac_piece){ "Hi There", 8 }, 1,
	       "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
	memset(key, 0xaa, sizeof(key));
	expect(key, sizeof(key),
	       &(struct hmac_piece){ "Test Using Larger Than Block-Size Key - Hash Key First", 54 },
	       1, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

static void pieces_are_one_text(void **state)
{
	const struct hmac_piece pieces[] = { { "what do ya ", 11 },
					     { "", 0 },
					     { "want for nothing?", 17 } };

	(void)state;
	expect("Jefe", 4, pieces, 3,
	       "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_of_the_standard_are_signed_as_it_says),
		cmocka_unit_test(pieces_are_one_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
