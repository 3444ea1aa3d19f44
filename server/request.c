#include "server/request.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/number.h"
#include "lib/base/strv.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define TOKEN_NS 2000000000u

struct request *request_new(struct server *server, const char *target)
{
	struct request *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->target = str_dup(target, NULL);
	if (!r->target) {
		free(r);
		return NULL;
	}
	r->server = server;
	r->started_ns = when_monotonic_ns();
	snprintf(r->id, sizeof(r->id), "%08x%08x", (unsigned)server->number,
		 atomic_fetch_add(&server->n_numbered, 1));
	atomic_fetch_add(&server->n_requests, 1);
	return r;
}

void request_free(struct request *r)
{
	atomic_fetch_sub(&r->server->body_bytes, r->n_counted);
	if (r->state != REQUEST_CUT)
		atomic_fetch_sub(&r->server->n_requests, 1);
	item_release(&r->one);
	batch_free(r->batch);
	token_info_release(&r->token);
	grant_release(&r->grant);
	reply_release(&r->reply);
	buf_release(&r->body);
	buf_release(&r->plain);
	target_release(&r->url);
	free(r->target);
	free(r);
}

const char *request_header(const struct request *r, const char *name)
{
	return MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, name);
}

/* One header of those that are counted. */
struct count {
	const char *name;
	unsigned n;
};

static enum MHD_Result count_header(void *cls, enum MHD_ValueKind kind, const char *name,
				    const char *value)
{
	struct count *count = cls;

	(void)kind;
	(void)value;
	count->n += !strcasecmp(name, count->name);
	return MHD_YES;
}

unsigned request_count_header(const struct request *r, const char *name)
{
	struct count count = { name, 0 };

	MHD_get_connection_values(r->connection, MHD_HEADER_KIND, count_header, &count);
	return count.n;
}

bool request_has_type(const struct request *r, const char *type)
{
	const char *said = request_header(r, "Content-Type");
	size_t n = strlen(type);

	return said && !strncasecmp(said, type, n) && strchr("; \t", said[n]);
}

bool request_is_longer(const struct request *r, uint64_t most)
{
	const char *length = request_header(r, "Content-Length");
	uint64_t n = 0;

	return length && (!number_u64(length, &n) || n > most);
}

const struct sockaddr *request_peer(const struct request *r)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);

	return info ? info->client_addr : NULL;
}

struct watched *request_watched(struct MHD_Connection *c)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

void request_phase(struct request *r, enum sweep_phase phase, uint64_t within_ns)
{
	sweep_set(&r->server->sweep, request_watched(r->connection), phase, within_ns);
}

struct ledger *request_tokens(struct request *r)
{
	ledger_budget(r->front->reader, TOKEN_NS);
	return r->front->reader;
}
