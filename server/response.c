#include "server/response.h"

#include <microhttpd.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/when.h"
#include "server/answer/routes.h"
#include "server/others/client.h"
#include "server/page/frame.h"

#include "lib/base/banned.h"

static void add_header(struct MHD_Response *response, const char *name, const char *value)
{
	if (value)
		MHD_add_response_header(response, name, value);
}

static void add_headers(struct MHD_Response *response, const struct request *r)
{
	const struct reply *reply = &r->reply;
	bool is_page = route_is_page(r);
	char number[16];

	/* What a 304 says replaces what the browser has kept with the page. */
	if (reply->status != 304)
		add_header(response, "Content-Type",
			   reply->type ? reply->type : "application/json");
	add_header(response, "X-Request-Id", r->id);
	/* With a tag it may be kept, by the one who asked, but not shown without asking. */
	add_header(response, "Cache-Control", reply->etag[0] ? "private, no-cache" : "no-store");
	add_header(response, "ETag", reply->etag[0] ? reply->etag : NULL);
	add_header(response, "Content-Encoding", reply->coding);
	add_header(response, "Vary",
		   r->route && r->route->answer ? "Accept, Accept-Encoding" : NULL);
	add_header(response, "X-Content-Type-Options", "nosniff");
	/* A browser that may not say where a form came from cannot show that it came from us. */
	add_header(response, "Referrer-Policy", is_page ? "same-origin" : "no-referrer");
	add_header(response, "Content-Security-Policy",
		   is_page ? PAGE_POLICY : "default-src 'none'; frame-ancestors 'none'");
	add_header(response, "Location", reply->location.len ? reply->location.data : NULL);
	add_header(response, "Link", reply->link.len ? reply->link.data : NULL);
	add_header(response, "Set-Cookie", reply->cookie.len ? reply->cookie.data : NULL);
	add_header(response, "Allow", reply->allow);
	add_header(response, "Accept-Encoding", reply->codings);
	add_header(response, "WWW-Authenticate", reply->challenge ? client_challenge(r) : NULL);
	snprintf(number, sizeof(number), "%d", reply->retry_after_s);
	add_header(response, "Retry-After", reply->retry_after_s ? number : NULL);
}

/* Others send them, too: they are here until the request goes, which is after all was sent. */
static struct MHD_Response *of_shared(const struct buf *bytes)
{
	return MHD_create_response_from_buffer(bytes->len, bytes->data, MHD_RESPMEM_PERSISTENT);
}

static struct MHD_Response *of_body(struct buf *bytes)
{
	size_t n = bytes->len;
	char *body = buf_detach(bytes);

	return body ? MHD_create_response_from_buffer(n, body, MHD_RESPMEM_MUST_FREE) : NULL;
}

struct MHD_Response *response_new(struct request *r)
{
	struct MHD_Response *response =
		r->reply.shared ? of_shared(&r->reply.shared->bytes) : of_body(&r->reply.body);

	if (!response)
		return NULL;
	add_headers(response, r);
	if (atomic_load(&r->server->stopping))
		add_header(response, "Connection", "close");
	return response;
}

static enum MHD_Result print_header(void *cls, enum MHD_ValueKind kind, const char *name,
				    const char *value)
{
	(void)kind;
	buf_addf(cls, "%s: %s\r\n", name, value);
	return MHD_YES;
}

void response_print(const struct request *r, struct buf *out)
{
	struct MHD_Response *headers =
		MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
	const struct buf *body = reply_bytes(&r->reply);
	char date[WHEN_HEADER];

	if (!headers || body->failed) {
		out->failed = true;
		goto out;
	}
	add_headers(headers, r);
	buf_addf(out, "HTTP/1.1 %u %s\r\n", r->reply.status,
		 MHD_get_reason_phrase_for(r->reply.status));
	/* To what goes by its own way the library adds one. */
	buf_addf(out, "Date: %s\r\n", when_header(when_now_us(), "GMT", date));
	MHD_get_response_headers(headers, print_header, out);
	buf_addf(out, "Content-Length: %zu\r\nConnection: close\r\n\r\n", body->len);
	if (strcmp(r->method, MHD_HTTP_METHOD_HEAD) != 0)
		buf_add(out, body->data, body->len);
out:
	if (headers)
		MHD_destroy_response(headers);
}
