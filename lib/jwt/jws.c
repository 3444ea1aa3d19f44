#include "lib/jwt/jws.h"

#include <string.h>

#include "lib/base/base64.h"

#include "lib/base/banned.h"

#define MOST_DEPTH 8

static int no_token(struct err *err, const char *what)
{
	return err_set(err, ERR_SYNTAX, "the signed token %s", what);
}

/* An object in base64. */
static struct jtree *read_part(const char *text, size_t n, const char *what, struct err *err)
{
	struct buf json = BUF_INIT;
	struct jtree *tree = NULL;

	if (!base64url_read(text, n, &json)) {
		no_token(err, "is not base64url");
	} else if (!buf_check(&json, err)) {
		tree = jtree_parse(buf_str(&json), json.len, JWS_MAX_BYTES, MOST_DEPTH, err);
		if (!tree) {
			err_in(err, "the %s of the signed token", what);
		} else if (jtree_kind(tree) != JTREE_OBJECT) {
			jtree_free(tree);
			tree = NULL;
			no_token(err, "holds no object");
		}
	}
	buf_release(&json);
	return tree;
}

static int read_header(struct jws *token, struct err *err)
{
	const char *algorithm = jtree_text(jtree_get(token->header, "alg"));

	token->key = jtree_text(jtree_get(token->header, "kid"));
	if (jtree_get(token->header, "crit"))
		return err_set(err, ERR_RANGE, "the signed token has a header that is not known");
	if (!algorithm || !token->key)
		return no_token(err, "names no algorithm, or no key");
	if (!strcmp(algorithm, "RS256"))
		token->algorithm = JWS_RS256;
	else if (!strcmp(algorithm, "ES256"))
		token->algorithm = JWS_ES256;
	else
		return err_set(err, ERR_RANGE, "the signed token is not signed by RS256 or ES256");
	return 0;
}

static int take_apart(const char *text, struct jws *token, struct err *err)
{
	const char *first, *second;

	if (strlen(text) > JWS_MAX_BYTES)
		return err_set(err, ERR_LIMIT, "the signed token has more than %d bytes",
			       JWS_MAX_BYTES);
	first = strchr(text, '.');
	second = first ? strchr(first + 1, '.') : NULL;
	if (!second || strchr(second + 1, '.'))
		return no_token(err, "has not three parts");
	token->text = text;
	token->n_signed = (size_t)(second - text);
	token->header = read_part(text, (size_t)(first - text), "header", err);
	if (!token->header || read_header(token, err))
		return -1;
	token->claims = read_part(first + 1, (size_t)(second - first) - 1, "body", err);
	if (!token->claims)
		return -1;
	if (!base64url_read(second + 1, strlen(second + 1), &token->signature))
		return no_token(err, "is not base64url");
	return buf_check(&token->signature, err);
}

int jws_read(const char *text, struct jws *out, struct err *err)
{
	struct jws token = JWS_INIT;

	if (take_apart(text, &token, err)) {
		jws_release(&token);
		return -1;
	}
	*out = token;
	return 0;
}

void jws_release(struct jws *token)
{
	jtree_free(token->header);
	jtree_free(token->claims);
	buf_release(&token->signature);
	*token = (struct jws)JWS_INIT;
}
