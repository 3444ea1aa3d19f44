/*
 * request - one request while it is served, and what all of them share.
 */
#ifndef PAWL_SERVER_REQUEST_H
#define PAWL_SERVER_REQUEST_H

#include <stdatomic.h>
#include <stddef.h>

#include "server/http/limit.h"
#include "server/http/listen.h"
#include "server/http/loop.h"
#include "server/http/rate.h"
#include "server/http/recent.h"
#include "server/http/reply.h"
#include "server/http/sessions.h"
#include "server/http/target.h"
#include "server/alert/courier.h"
#include "server/work/item.h"
#include "server/answer/metrics.h"
#include "server/oidc/trust.h"
#include "server/work/readers.h"
#include "server/server.h"
#include "server/http/sweep.h"
#include "server/work/writer.h"

struct MHD_Connection;
struct MHD_Daemon;
struct route;
struct batch;

#define SERVER_FRONTS 2
#define SERVER_MAX_CONNECTIONS 512
/* Bytes of bodies that are being received or wait to be stored, over all requests. */
#define SERVER_MAX_BODIES (64u << 20)

/* One thread that speaks HTTP, with its own reader of the ledger, for tokens alone. */
struct front {
	struct server *server;
	unsigned number;
	struct ledger *reader;
	struct MHD_Daemon *daemon; /* NULL: not started */
	struct loop loop;
	int fd; /* listening; -1 once the daemon has it */
};

struct server {
	struct server_options options;
	struct listen_address address;
	char url[96];
	struct writer writer;
	struct readers readers;
	struct readers large; /* bodies, one at a time */
	struct courier courier;
	struct sweep sweep;
	struct limit failures;
	struct rate rate;
	struct sessions sessions;
	struct recent recent;
	struct trust *trust; /* NULL: no signed token is taken */
	struct front fronts[SERVER_FRONTS];
	atomic_size_t body_bytes;
	atomic_int n_requests; /* in flight: not those that only linger */
	struct metrics metrics;
	atomic_bool stopping;
	uint32_t number;	/* drawn at the start: another pawld has another */
	atomic_uint n_numbered; /* requests */
	int64_t started_us;	/* a restart may be of another store, an older copy for example */
};

enum request_state {
	REQUEST_NEW,
	REQUEST_BODY,	/* the body is being received */
	REQUEST_DRAIN,	/* refused, what still comes is thrown away */
	REQUEST_CUT,	/* refused and told so, although the body goes on: it lingers */
	REQUEST_READ,	/* the body is with the thread that reads large ones */
	REQUEST_STORE,	/* with the writer */
	REQUEST_ASK,	/* with a reader */
	REQUEST_TRY,	/* with the writer, to see whether it could store */
	REQUEST_CHANGE, /* with the writer, which lets the route answer */
	REQUEST_READY	/* reply is complete */
};

#define ROUTE_ARGUMENTS 3
#define REQUEST_ID 17

struct request {
	struct item one;	 /* the summary, or the trial */
	struct batch *batch;	 /* instead: many summaries; NULL: none */
	atomic_size_t n_pending; /* items that are with the writer, and one more while they go */
	struct question question;
	struct ledger *reader; /* while the question is asked */
	struct server *server;
	struct front *front;
	struct MHD_Connection *connection;
	char *target; /* the request line's, as it came */
	struct target url;
	const char *method; /* the library's, as long as the request lives */
	const struct route *route;
	const char *known; /* If-None-Match, the library's; may be NULL */
	bool is_known;	   /* and it still holds: a question is only checked, and answered by 304 */
	bool takes_zstd, takes_gzip;		/* Accept-Encoding */
	const char *accept;			/* the library's; may be NULL */
	const char *arguments[ROUTE_ARGUMENTS]; /* decoded, what stands for :name in the pattern */
	enum request_state state;
	struct token_info token;
	bool has_token;
	struct grant grant; /* of a signed one, which stands in token, too */
	bool by_session;    /* the token is that of a cookie */
	char form[33];	    /* what forms of that session carry */
	struct buf body;    /* as it came */
	struct buf plain;   /* the same, decompressed; empty when is_coded is false */
	bool is_coded;	    /* Content-Encoding: zstd */
	bool is_gzip;	    /* Content-Encoding: gzip, until it is decompressed */
	bool is_form;	    /* of another client's: it came as a form */
	size_t n_counted;   /* bytes of both in server.body_bytes: what is read of them, too */
	bool is_refused;    /* what was read of it is not to be stored: the reply says why */
	size_t n_late;	    /* bytes that came after it was refused */
	struct reply reply;
	uint64_t started_ns;
	char id[REQUEST_ID]; /* its number, for the log and whoever asked */
};

/* NULL without memory. */
struct request *request_new(struct server *server, const char *target);
void request_free(struct request *r);

/* What happens on its connection now, and how long that may take. */
void request_phase(struct request *r, enum sweep_phase phase, uint64_t within_ns);

/* A header of the request, or NULL. */
const char *request_header(const struct request *r, const char *name);

/* How often it is there. */
unsigned request_count_header(const struct request *r, const char *name);

/* Whether its body is said to be of that type, "application/json", with parameters or without. */
bool request_has_type(const struct request *r, const char *type);

/* Whether it says that its body is longer, or not how long. */
bool request_is_longer(const struct request *r, uint64_t most);

/* What the sweeper knows of a connection; NULL without memory. */
struct watched *request_watched(struct MHD_Connection *c);

/* Where it comes from; NULL when that is not known. */
const struct sockaddr *request_peer(const struct request *r);

/*
 * The ledger in which its front looks tokens up, for a moment: others wait for this thread, and a
 * store on a server may give no answer.
 */
struct ledger *request_tokens(struct request *r);

#endif
