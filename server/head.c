#include "server/head.h"

#include <string.h>
#include <strings.h>

#include "lib/base/banned.h"

static int refuse(struct request *r, const char *message, const char *where)
{
	reply_error(&r->reply, 400, "syntax", message, where);
	return -1;
}

static int check_host(struct request *r, const char *version)
{
	unsigned n = request_count_header(r, "Host");

	if (n > 1)
		return refuse(r, "the header must be there once", "Host");
	if (!n && strcmp(version, "HTTP/1.0"))
		return refuse(r, "the header is missing", "Host");
	return 0;
}

static int check_length(struct request *r)
{
	const char *coding = request_header(r, "Transfer-Encoding");
	unsigned n_lengths = request_count_header(r, "Content-Length");

	if (coding && (strcasecmp(coding, "chunked") || n_lengths ||
		       request_count_header(r, "Transfer-Encoding") > 1))
		return refuse(r, "a body is of a length or chunked, once and no other way",
			      "Transfer-Encoding");
	if (n_lengths > 1)
		return refuse(r, "the header must be there once", "Content-Length");
	return 0;
}

int head_check(struct request *r, const char *version)
{
	if (strpbrk(r->target, " \t"))
		return refuse(r, "the address has a blank", NULL);
	return check_host(r, version) || check_length(r) ? -1 : 0;
}
