#include "lib/jwt/claims.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/banned.h"

static int refuse(struct err *err, const char *what)
{
	return err_set(err, ERR_REFUSED, "the signed token %s", what);
}

static bool is_text(const struct jtree *v, const char *wanted)
{
	const char *text = jtree_text(v);

	return text && !strcmp(text, wanted);
}

static bool is_for(const struct jtree *audience, const char *wanted)
{
	const struct jtree *one;

	if (is_text(audience, wanted))
		return true;
	if (jtree_kind(audience) != JTREE_ARRAY)
		return false;
	for (one = jtree_first(audience); one; one = jtree_after(audience, one))
		if (is_text(one, wanted))
			return true;
	return false;
}

/* Whether the time that a claim says, if it is there, is past; what is no time is not. */
static bool is_past(const struct jtree *claims, const char *name, double now_s)
{
	const struct jtree *time = jtree_get(claims, name);

	return !time || jtree_number(time) <= now_s;
}

int claims_check(const struct jtree *claims, const char *issuer, const char *audience,
		 int64_t now_us, struct err *err)
{
	double now_s = (double)now_us / 1e6;
	double ends_s = jtree_number(jtree_get(claims, "exp"));

	if (!is_text(jtree_get(claims, "iss"), issuer))
		return refuse(err, "is of another issuer");
	if (!is_for(jtree_get(claims, "aud"), audience))
		return refuse(err, "is for another audience");
	if (isnan(ends_s))
		return refuse(err, "never expires");
	if (ends_s + CLAIMS_LEEWAY_S <= now_s)
		return refuse(err, "has expired");
	if (!is_past(claims, "nbf", now_s + CLAIMS_LEEWAY_S) ||
	    !is_past(claims, "iat", now_s + CLAIMS_LEEWAY_S))
		return refuse(err, "is not valid yet");
	return 0;
}

const char *claims_text(const struct jtree *claims, const char *name, char room[CLAIMS_NUMBER])
{
	const struct jtree *claim = jtree_get(claims, name);
	int64_t number;

	if (!jtree_whole(claim, &number))
		return jtree_text(claim);
	snprintf(room, CLAIMS_NUMBER, "%" PRId64, number);
	return room;
}
