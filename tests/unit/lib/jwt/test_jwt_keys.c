/* Tokens that openssl signed, and every change of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "lib/base/buf.h"
#include "lib/jwt/claims.h"
#include "lib/jwt/keys.h"
#include "tests/fuzz/jwt_seed.h"

#define NOW_US (SEED_NOW_S * 1000000)

/* The point of gitlab-1 among the seeds. */
#define SEED_X "32R9Y_fOZ9ylIDWRJpf1HO_TXx5Nj2O4-gwSAsmKuJA"
#define SEED_Y "zD5o0FdJa31yeJFphsfLSYxfICsx8sHguWhwd1r--yk"

static struct keys *keys;

static int read_keys(void **state)
{
	(void)state;
	return keys_read(seed_keys, strlen(seed_keys), &keys, NULL);
}

static int drop_keys(void **state)
{
	(void)state;
	keys_free(keys);
	return 0;
}

static void is_signed(const char *text)
{
	struct jws token = JWS_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(jws_read(text, &token, &err), 0);
	assert_int_equal(keys_verify(keys, &token, &err), 0);
	jws_release(&token);
}

static void what_openssl_signs_is_signed(void **state)
{
	(void)state;
	is_signed(seed_rsa);
	is_signed(seed_point);
}

/* Each letter in turn is another one: none of these is taken. */
static void each_letter_counts(const char *seed, size_t step)
{
	char text[4096];
	size_t i, n = strlen(seed);

	assert_true(n < sizeof(text));
	memcpy(text, seed, n + 1);
	for (i = 0; i < n; i += step) {
		struct jws token = JWS_INIT;

		text[i] = seed[i] == 'B' ? 'C' : 'B';
		if (!jws_read(text, &token, NULL))
			assert_int_equal(keys_verify(keys, &token, NULL), -1);
		jws_release(&token);
		text[i] = seed[i];
	}
}

static void no_letter_of_a_token_can_be_changed(void **state)
{
	(void)state;
	each_letter_counts(seed_rsa, 1);
	each_letter_counts(seed_point, 3); /* ten times as much work each */
}

/* s and n - s both fit: a token is no name of itself, but what it says stays the same. */
static void numbers_out_of_range_sign_nothing(void **state)
{
	struct jws token = JWS_INIT;
	struct err err = ERR_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		assert_int_equal(jws_read(seed_point, &token, NULL), 0);
		memset(token.signature.data, i ? 0xff : 0, token.signature.len);
		assert_int_equal(keys_verify(keys, &token, &err), -1);
		assert_int_equal(err.code, ERR_REFUSED);
		jws_release(&token);
	}
	assert_int_equal(jws_read(seed_rsa, &token, NULL), 0);
	token.signature.len--;
	assert_int_equal(keys_verify(keys, &token, &err), -1);
	assert_int_equal(err.code, ERR_REFUSED);
	jws_release(&token);
}

static int at(const char *text, long after_s)
{
	struct jws token = JWS_INIT;
	int result;

	assert_int_equal(jws_read(text, &token, NULL), 0);
	result = claims_check(token.claims, "https://token.actions.githubusercontent.com",
			      "https://pawl.example.org", NOW_US + after_s * 1000000, NULL);
	jws_release(&token);
	return result;
}

/* Valid from 300 s before to 900 s after, as signed.py makes it; clocks may differ by 30 s. */
static void a_token_is_valid_in_its_time(void **state)
{
	(void)state;
	assert_int_equal(at(seed_rsa, 0), 0);
	assert_int_equal(at(seed_rsa, 920), 0);
	assert_int_equal(at(seed_rsa, 935), -1);
	assert_int_equal(at(seed_rsa, -25), 0); /* "iat" is the later one */
	assert_int_equal(at(seed_rsa, -35), -1);
	assert_int_equal(at(seed_point, 0), -1); /* of another issuer */
}

static void what_is_too_large_is_refused(void **state)
{
	struct buf text = BUF_INIT;
	struct jws token = JWS_INIT;
	struct keys *many = NULL;
	struct err err = ERR_INIT;
	int i;

	(void)state;
	buf_addn(&text, 'a', JWS_MAX_BYTES + 1);
	assert_int_equal(jws_read(buf_str(&text), &token, &err), -1);
	assert_int_equal(err.code, ERR_LIMIT);
	jws_release(&token);
	buf_reset(&text);
	buf_adds(&text, "{\"keys\":[");
	for (i = 0; i <= KEYS_MAX; i++)
		buf_addf(&text,
			 "%s{\"kty\":\"EC\",\"crv\":\"P-256\",\"alg\":\"ES256\",\"kid\":\"%d\","
			 "\"x\":\"" SEED_X "\",\"y\":\"" SEED_Y "\"}",
			 i ? "," : "", i);
	buf_adds(&text, "]}");
	assert_int_equal(keys_read(buf_str(&text), text.len, &many, &err), -1);
	assert_int_equal(err.code, ERR_LIMIT);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_openssl_signs_is_signed),
		cmocka_unit_test(no_letter_of_a_token_can_be_changed),
		cmocka_unit_test(numbers_out_of_range_sign_nothing),
		cmocka_unit_test(a_token_is_valid_in_its_time),
		cmocka_unit_test(what_is_too_large_is_refused),
	};

	return cmocka_run_group_tests(tests, read_keys, drop_keys);
}
