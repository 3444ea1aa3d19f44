/* A signed token, or, where it begins with a brace, a set of keys. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "lib/jwt/claims.h"
#include "lib/jwt/keys.h"
#include "tests/fuzz/jwt_seed.h"

#include "lib/base/banned.h"

const size_t fuzz_cost = 4; /* numbers of 2048 bits */

static struct keys *known(void)
{
	static struct keys *keys;

	if (!keys)
		must(!keys_read(seed_keys, strlen(seed_keys), &keys, NULL));
	return keys;
}

/* Nobody signs anything else than what was signed. */
static bool is_seed(const struct jws *token)
{
	const char *seed = token->algorithm == JWS_RS256 ? seed_rsa : seed_point;

	return token->n_signed == (size_t)(strrchr(seed, '.') - seed) &&
	       !memcmp(token->text, seed, token->n_signed);
}

static void read_token(const char *text)
{
	struct jws token = JWS_INIT;
	struct err err = ERR_INIT;

	if (jws_read(text, &token, &err)) {
		must(err.code == ERR_SYNTAX || err.code == ERR_RANGE || err.code == ERR_LIMIT);
		must(fuzz_is_line(err.text));
		return;
	}
	fuzz_accept();
	must(token.key && token.n_signed < strlen(text));
	must(jtree_kind(token.claims) == JTREE_OBJECT);
	if (!keys_verify(known(), &token, &err))
		must(is_seed(&token));
	else
		must(err.code == ERR_ABSENT || err.code == ERR_REFUSED);
	if (claims_check(token.claims, "https://gitlab.example.org", "https://pawl.example.org",
			 SEED_NOW_S * 1000000, &err))
		must(err.code == ERR_REFUSED);
	jws_release(&token);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct keys *keys = NULL;
	struct err err = ERR_INIT;
	char *text;

	if (n && data[0] == '{') {
		if (!keys_read((const char *)data, n, &keys, &err))
			fuzz_accept();
		else
			must(err.code != ERR_NONE && fuzz_is_line(err.text));
		keys_free(keys);
		return 0;
	}
	text = fuzz_string(data, n);
	read_token(text);
	free(text);
	return 0;
}
