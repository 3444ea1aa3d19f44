#include "server/http/reply.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/jsonw.h"

#include "lib/base/banned.h"

void reply_release(struct reply *r)
{
	buf_release(&r->body);
	shared_drop(r->shared);
	r->shared = NULL;
	buf_release(&r->location);
	buf_release(&r->cookie);
	buf_release(&r->link);
}

const struct buf *reply_bytes(const struct reply *r)
{
	return r->shared ? &r->shared->bytes : &r->body;
}

void reply_error(struct reply *r, unsigned status, const char *code, const char *message,
		 const char *where)
{
	struct jsonw w;

	buf_reset(&r->body);
	r->status = status;
	r->type = NULL;
	if (status == 429 || status == 503)
		r->retry_after_s = RETRY_AFTER_S;
	jsonw_init(&w, &r->body, 0);
	jsonw_object(&w);
	jsonw_key(&w, "error");
	jsonw_object(&w);
	jsonw_kstring(&w, "code", code);
	jsonw_kstring(&w, "message", message);
	jsonw_kstring(&w, "where", where);
	if (r->cursor[0])
		jsonw_kstring(&w, "cursor", r->cursor);
	jsonw_object_end(&w);
	jsonw_object_end(&w);
	buf_addc(&r->body, '\n');
}

static unsigned status_of(enum err_code code)
{
	switch ((int)code) {
	case ERR_SYNTAX:
		return 400;
	case ERR_ABSENT:
		return 404;
	case ERR_CONFLICT:
		return 409;
	case ERR_RANGE:
	case ERR_LIMIT:
	case ERR_NEWER:
		return 422;
	case ERR_FULL:
	case ERR_BUSY:
	case ERR_TIMEOUT:
	case ERR_IO:
	case ERR_NOMEM:
	case ERR_NET:
		return 503;
	default:
		return 500;
	}
}

/* "PATH: what" of the decoder: the length of PATH, 0 when there is none. */
static size_t path_length(const struct err *err)
{
	const char *colon = strstr(err->text, ": ");
	size_t n = colon ? (size_t)(colon - err->text) : 0;

	return memchr(err->text, ' ', n) ? 0 : n;
}

/* "parameter 'NAME' ...": NAME, which is not terminated, or NULL. */
static const char *parameter_of(const char *text, size_t *out_n)
{
	static const char *const heads[] = { "parameter '", "there is no parameter '" };
	size_t i;

	for (i = 0; i < 2; i++) {
		size_t n = strlen(heads[i]);

		if (strncmp(text, heads[i], n))
			continue;
		*out_n = strcspn(text + n, "'");
		return text + n;
	}
	return NULL;
}

void reply_fault(struct reply *r, const struct err *err)
{
	static const char not_json[] = "not JSON: ";
	unsigned status = status_of(err->code);
	char where[sizeof(err->text)] = "";
	const char *message = err->text, *name;
	size_t n, n_name = 0;

	if (status >= 500) {
		/* Paths and reasons of this machine are for its operator, not for the caller. */
		reply_error(
			r, status, err_name(err->code),
			err->code == ERR_TIMEOUT
				? "the question takes too long; ask for less, or later"
			: status == 503 ? "cannot store or read now; try again"
			: err->code == ERR_CORRUPT
				? "the server's data is damaged here: 'pawld fsck' on its machine "
				  "tells what, and what it can repair"
				: "the server's data cannot be read",
			NULL);
		return;
	}
	n = path_length(err);
	name = parameter_of(err->text, &n_name);
	if ((status == 422 || status == 400) && n) {
		snprintf(where, sizeof(where), "%.*s", (int)n, err->text);
		message = err->text + n + 2;
	} else if (name) {
		snprintf(where, sizeof(where), "%.*s", (int)n_name, name);
	} else if (!strncmp(err->text, not_json, sizeof(not_json) - 1)) {
		const char *place = err->text + sizeof(not_json) - 1;

		snprintf(where, sizeof(where), "%.*s", (int)strcspn(place, ":"), place);
	}
	reply_error(r, status, err_name(err->code), message, where[0] ? where : NULL);
}
