#include "lib/jwt/keys.h"

#include <stdlib.h>
#include <string.h>

#include <nettle/ecc-curve.h>
#include <nettle/ecdsa.h>
#include <nettle/rsa.h>

#include "lib/base/base64.h"
#include "lib/base/strv.h"
#include "lib/digest/digest.h"

#include "lib/base/banned.h"

#define MOST_DEPTH 6
#define FEWEST_BITS 2048
#define MOST_BITS 8192
#define MOST_EXPONENT_BITS 64 /* a long one only makes it slow; all use 65537 */
#define HALF 32		      /* bytes of a number of P-256 */

struct key {
	enum jws_algorithm algorithm;
	char *name;
	struct rsa_public_key rsa;
	struct ecc_point point;
};

struct keys {
	size_t n;
	struct key v[KEYS_MAX];
};

static void key_release(struct key *key)
{
	free(key->name);
	if (key->algorithm == JWS_RS256)
		rsa_public_key_clear(&key->rsa);
	else
		ecc_point_clear(&key->point);
}

void keys_free(struct keys *keys)
{
	if (!keys)
		return;
	while (keys->n)
		key_release(&keys->v[--keys->n]);
	free(keys);
}

static int bad_key(const char *name, const char *what, struct err *err)
{
	return err_set(err, ERR_RANGE, "the key '%s' %s", name, what);
}

static void import(mpz_t out, const void *bytes, size_t n)
{
	mpz_import(out, n, 1, 1, 1, 0, bytes);
}

/* A number of a key; n_bytes: of so many bytes, 0: of any. */
static int read_number(const struct jtree *jwk, const char *field, size_t n_bytes, mpz_t out)
{
	const char *text = jtree_text(jtree_get(jwk, field));
	struct buf bytes = BUF_INIT;
	int result = -1;

	if (text && base64url_read(text, strlen(text), &bytes) && !bytes.failed && bytes.len &&
	    (!n_bytes || bytes.len == n_bytes)) {
		import(out, bytes.data, bytes.len);
		result = 0;
	}
	buf_release(&bytes);
	return result;
}

static int read_rsa(const struct jtree *jwk, struct key *key, struct err *err)
{
	size_t bits;

	rsa_public_key_init(&key->rsa);
	if (read_number(jwk, "n", 0, key->rsa.n) || read_number(jwk, "e", 0, key->rsa.e))
		return bad_key(key->name, "has no modulus or no exponent", err);
	bits = mpz_sizeinbase(key->rsa.n, 2);
	if (bits < FEWEST_BITS || bits > MOST_BITS)
		return bad_key(key->name, "has less than 2048 bits, or more than 8192", err);
	if (!mpz_odd_p(key->rsa.n) || !mpz_odd_p(key->rsa.e) || mpz_cmp_ui(key->rsa.e, 3) < 0 ||
	    mpz_sizeinbase(key->rsa.e, 2) > MOST_EXPONENT_BITS ||
	    !rsa_public_key_prepare(&key->rsa))
		return bad_key(key->name, "is none of RSA", err);
	return 0;
}

static int read_point(const struct jtree *jwk, struct key *key, struct err *err)
{
	mpz_t x, y;
	int result = 0;

	ecc_point_init(&key->point, nettle_get_secp_256r1());
	mpz_init(x);
	mpz_init(y);
	if (read_number(jwk, "x", HALF, x) || read_number(jwk, "y", HALF, y) ||
	    !ecc_point_set(&key->point, x, y))
		result = bad_key(key->name, "is no point of P-256", err);
	mpz_clear(x);
	mpz_clear(y);
	return result;
}

static bool is_text(const struct jtree *jwk, const char *field, const char *wanted)
{
	const char *text = jtree_text(jtree_get(jwk, field));

	return text && !strcmp(text, wanted);
}

/* Whether it may sign what is read here; sets of others' hold other keys, too. */
static bool is_useful(const struct jtree *jwk, enum jws_algorithm *out)
{
	if (jtree_get(jwk, "use") && !is_text(jwk, "use", "sig"))
		return false;
	*out = is_text(jwk, "kty", "RSA") ? JWS_RS256 : JWS_ES256;
	if (jtree_get(jwk, "alg") && !is_text(jwk, "alg", *out == JWS_RS256 ? "RS256" : "ES256"))
		return false;
	return *out == JWS_RS256 || (is_text(jwk, "kty", "EC") && is_text(jwk, "crv", "P-256"));
}

static int add_key(struct keys *keys, const struct jtree *jwk, struct err *err)
{
	const char *name = jtree_text(jtree_get(jwk, "kid"));
	struct key *key = &keys->v[keys->n];
	enum jws_algorithm algorithm;

	if (!name || !is_useful(jwk, &algorithm))
		return 0;
	if (jtree_get(jwk, "d"))
		return bad_key(name, "is a private one", err);
	if (keys->n == KEYS_MAX)
		return err_set(err, ERR_LIMIT, "more than %d keys", KEYS_MAX);
	key->name = str_dup(name, err);
	if (!key->name)
		return -1;
	key->algorithm = algorithm;
	keys->n++;
	return algorithm == JWS_RS256 ? read_rsa(jwk, key, err) : read_point(jwk, key, err);
}

int keys_read(const char *json, size_t n, struct keys **out, struct err *err)
{
	struct jtree *tree = jtree_parse(json, n, KEYS_MAX_BYTES, MOST_DEPTH, err);
	struct keys *keys = tree ? calloc(1, sizeof(*keys)) : NULL;
	const struct jtree *list = jtree_get(tree, "keys"), *jwk;
	int result = -1;

	if (!tree)
		return -1;
	if (!keys) {
		err_nomem(err);
		goto out;
	}
	for (jwk = jtree_first(list); jwk; jwk = jtree_after(list, jwk))
		if (add_key(keys, jwk, err))
			goto out;
	if (!keys->n) {
		err_set(err, ERR_RANGE, "no key for RS256 or ES256");
		goto out;
	}
	*out = keys;
	keys = NULL;
	result = 0;
out:
	keys_free(keys);
	jtree_free(tree);
	return result;
}

static bool verify_rsa(const struct key *key, const unsigned char *digest,
		       const struct buf *signature)
{
	mpz_t number;
	int is_good;

	if (signature->len != key->rsa.size)
		return false;
	mpz_init(number);
	import(number, signature->data, signature->len);
	is_good = rsa_sha256_verify_digest(&key->rsa, digest, number);
	mpz_clear(number);
	return is_good;
}

static bool verify_point(const struct key *key, const unsigned char *digest,
			 const struct buf *signature)
{
	struct dsa_signature numbers;
	int is_good;

	if (signature->len != 2 * (size_t)HALF)
		return false;
	dsa_signature_init(&numbers);
	import(numbers.r, signature->data, HALF);
	import(numbers.s, signature->data + HALF, HALF);
	is_good = ecdsa_verify(&key->point, DIGEST_BYTES, digest, &numbers);
	dsa_signature_clear(&numbers);
	return is_good;
}

int keys_verify(const struct keys *keys, const struct jws *token, struct err *err)
{
	unsigned char digest[DIGEST_BYTES];
	const struct key *key = NULL;
	size_t i;

	for (i = 0; i < keys->n && !key; i++)
		if (keys->v[i].algorithm == token->algorithm &&
		    !strcmp(keys->v[i].name, token->key))
			key = &keys->v[i];
	if (!key)
		return err_set(err, ERR_ABSENT, "the signed token names a key that is not known");
	digest_bytes(token->text, token->n_signed, digest);
	if (token->algorithm == JWS_RS256 ? verify_rsa(key, digest, &token->signature)
					  : verify_point(key, digest, &token->signature))
		return 0;
	return err_set(err, ERR_REFUSED, "the signature of the signed token is wrong");
}
