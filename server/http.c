#include "server/http.h"

#include <errno.h>
#include <microhttpd.h>
#include <string.h>
#include <sys/socket.h>

#include "lib/base/when.h"
#include "server/answer/auth.h"
#include "server/answer/away.h"
#include "server/answer/batch.h"
#include "server/answer/body.h"
#include "server/head.h"
#include "server/log.h"
#include "server/answer/post.h"
#include "server/others/client.h"
#include "server/others/others.h"
#include "server/answer/routes.h"
#include "server/answer/session.h"
#include "server/page/page.h"
#include "server/response.h"

#include "lib/base/banned.h"

/* The JSON parser recurses; the default of some systems is too small for it. */
#define STACK_BYTES (512 * 1024)
#define MEMORY_BYTES (32 * 1024)
/* The body of a refused request is read to its end up to this size before the reply, and the
 * connection is kept; beyond it the reply comes first, and the connection ends. */
#define MAX_DRAINED (64 * 1024)
/* So much of a refused body is thrown away: many clients look at the reply when all is sent. */
#define MAX_CUT (2 * SUMMARY_MAX_BYTES)
#define CONNECTIONS (SERVER_MAX_CONNECTIONS / SERVER_FRONTS)
/* From here on a new connection takes the place of one that waits: at the limit itself the library
 * takes none any more. */
#define CROWDED (CONNECTIONS * 8 / 10)
/* Slower than this a reader of a reply is taken for one that does not read. */
#define SLOWEST_BYTES_PER_S 65536

static uint64_t body_ns(const struct server *s)
{
	return 6 * s->options.head_ns;
}

static uint64_t idle_ns(const struct server *s)
{
	return 3 * s->options.head_ns;
}

/* That it is answered, with a body of so many bytes. */
static void note(struct request *r, size_t n_bytes)
{
	metrics_count(&r->server->metrics, r->reply.status, when_monotonic_ns() - r->started_ns);
	log_request(&r->server->options, r, n_bytes);
}

/* For people it is a page, too. */
static void finish_refusal(struct request *r)
{
	if (r->reply.status >= 400 && route_is_page(r))
		page_refusal(r);
}

/*
 * Says at once that a request is refused whose body still comes, and throws away what comes until
 * the client has seen it.  The library would close the connection behind its reply with bytes
 * unread, upon which the kernel takes back what the client has not read yet; so the reply is
 * written past it, on a connection that has none yet.
 */
static void cut(struct request *r)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct buf text = BUF_INIT;
	ssize_t n;

	r->state = REQUEST_CUT;
	atomic_fetch_sub(&r->server->n_requests, 1);
	request_phase(r, SWEEP_LINGERS, r->server->options.head_ns);
	finish_refusal(r);
	response_print(r, &text);
	if (info && !text.failed) {
		/* Into an empty socket buffer, in one piece. */
		n = send(info->connect_fd, text.data, text.len, MSG_NOSIGNAL | MSG_DONTWAIT);
		(void)n;
		shutdown(info->connect_fd, SHUT_WR);
	}
	note(r, reply_bytes(&r->reply)->len);
	buf_release(&text);
}

/* Hands the reply over; MHD_NO, which drops the connection, only without memory. */
static enum MHD_Result send_reply(struct request *r)
{
	struct MHD_Response *response;
	enum MHD_Result result;
	size_t n;

	r->state = REQUEST_READY;
	finish_refusal(r);
	n = reply_bytes(&r->reply)->len;
	response = response_new(r);
	if (!response)
		return MHD_NO;
	request_phase(r, SWEEP_ANSWERS, idle_ns(r->server) + n * 1000000000u / SLOWEST_BYTES_PER_S);
	result = MHD_queue_response(r->connection, r->reply.status, response);
	MHD_destroy_response(response);
	note(r, n);
	return result;
}

/* A page of somebody else's that makes a browser change something. */
static int refuse_origin(struct request *r)
{
	if (r->route->kind != ROUTE_CHANGE || !request_header(r, "Origin"))
		return 0;
	reply_error(&r->reply, 403, "refused", "this is not for browsers", "Origin");
	return -1;
}

/* Its body is what a form of a page sends. */
static bool is_form(const struct request *r)
{
	return r->route->kind == ROUTE_FORM || r->route->kind == ROUTE_EDIT;
}

/* By the request's head: 0, or -1 with the reply decided. */
static int decide(struct request *r)
{
	struct err err = ERR_INIT;

	if (strlen(r->target) > TARGET_MAX_BYTES) {
		reply_error(&r->reply, 414, "limit", "the address is too long", NULL);
		return -1;
	}
	if (target_parse(r->target, &r->url, &err)) {
		err.code = err.code == ERR_LIMIT ? ERR_SYNTAX : err.code;
		reply_fault(&r->reply, &err);
		return -1;
	}
	if (route_find(r, r->method) || refuse_origin(r) || auth_check(r, r->route->scope))
		return -1;
	if (r->arguments[0] && !client_is_other(r) &&
	    auth_project(r, r->route->scope, r->arguments[0]))
		return -1;
	if (is_form(r))
		return session_check_head(r);
	if (client_is_other(r))
		return others_check_head(r);
	return r->route->answer ? 0 : post_check_head(r);
}

/* Whether the body is so large that the reply should not wait for its end. */
static bool is_long(const struct request *r)
{
	return request_header(r, "Transfer-Encoding") || request_is_longer(r, MAX_DRAINED);
}

static enum MHD_Result begin(struct request *r, const char *version)
{
	int refused;

	request_phase(r, SWEEP_WAITS, body_ns(r->server));
	/* Here: a reader's thread must not ask the library. */
	r->known = request_header(r, "If-None-Match");
	r->takes_zstd = target_accepts(request_header(r, "Accept-Encoding"), "zstd");
	r->takes_gzip = target_accepts(request_header(r, "Accept-Encoding"), "gzip");
	r->accept = request_header(r, "Accept");
	if (head_check(r, version)) {
		cut(r);
		return MHD_YES;
	}
	refused = decide(r);
	if (r->has_token)
		sweep_trust(&r->server->sweep, request_watched(r->connection));
	if (refused) {
		r->state = REQUEST_DRAIN;
		/* Who asks first has not sent it. */
		if (request_header(r, "Expect"))
			return send_reply(r);
		if (is_long(r))
			cut(r);
		return MHD_YES;
	}
	r->state = r->route->answer && !is_form(r) ? REQUEST_DRAIN : REQUEST_BODY;
	return MHD_YES;
}

/* A piece of the body; MHD_NO drops the connection. */
static enum MHD_Result take_piece(struct request *r, const char *bytes, size_t n)
{
	if (r->state == REQUEST_CUT) {
		r->n_late += n;
		return r->n_late > MAX_CUT ? MHD_NO : MHD_YES;
	}
	if (r->state == REQUEST_DRAIN || !(is_form(r) ? session_add : post_add)(r, bytes, n))
		return MHD_YES;
	r->state = REQUEST_DRAIN;
	if (request_header(r, "Transfer-Encoding"))
		cut(r);
	return MHD_YES;
}

/* The whole request is here. */
static enum MHD_Result finish(struct request *r)
{
	if (r->state == REQUEST_CUT)
		return MHD_NO;
	if (r->state == REQUEST_BODY && !is_form(r) && !body_open(r)) {
		if (body_is_large(r)) {
			away_read(r);
			return MHD_YES;
		}
		if (!body_read(r)) {
			away_store(r);
			return MHD_YES;
		}
	}
	if (!r->reply.status && (r->route->kind == ROUTE_CHANGE || r->route->kind == ROUTE_EDIT)) {
		away_change(r);
		return MHD_YES;
	}
	if (!r->reply.status && r->route->scope) {
		away_ask(r);
		return MHD_YES;
	}
	if (!r->reply.status && r->route->tries && !writer_worked_lately(&r->server->writer)) {
		away_try(r);
		return MHD_YES;
	}
	if (!r->reply.status)
		route_answer(r);
	return send_reply(r);
}

static enum MHD_Result on_access(void *cls, struct MHD_Connection *c, const char *url,
				 const char *method, const char *version, const char *upload_data,
				 size_t *upload_data_size, void **con_cls)
{
	struct request *r = *con_cls;
	size_t n;

	(void)url;
	if (!r)
		return MHD_NO;
	switch (r->state) {
	case REQUEST_NEW:
		r->connection = c;
		r->front = cls;
		r->method = method;
		return begin(r, version);
	case REQUEST_BODY:
	case REQUEST_DRAIN:
	case REQUEST_CUT:
		if (!*upload_data_size)
			return finish(r);
		n = *upload_data_size;
		*upload_data_size = 0;
		return take_piece(r, upload_data, n);
	case REQUEST_READ:
		if (r->is_refused)
			return send_reply(r);
		away_store(r);
		return MHD_YES;
	case REQUEST_STORE:
		if (client_is_other(r))
			others_reply(r);
		else if (r->batch)
			batch_reply(r);
		else
			post_reply(r);
		return send_reply(r);
	case REQUEST_CHANGE:
		if (!r->reply.status)
			reply_error(&r->reply, 503, err_name(r->one.job.err.code),
				    "nothing can be changed now; try again", NULL);
		return send_reply(r);
	case REQUEST_TRY:
		route_answer(r);
		return send_reply(r);
	case REQUEST_ASK:
		return send_reply(r);
	case REQUEST_READY:
		break;
	}
	return MHD_YES;
}

static void *on_target(void *cls, const char *target, struct MHD_Connection *c)
{
	struct front *front = cls;

	(void)c;
	return request_new(front->server, target);
}

static void on_completed(void *cls, struct MHD_Connection *c, void **con_cls,
			 enum MHD_RequestTerminationCode code)
{
	struct front *front = cls;
	struct request *r = *con_cls;

	(void)code;
	*con_cls = NULL;
	sweep_set(&front->server->sweep, request_watched(c), SWEEP_WAITS, idle_ns(front->server));
	if (r)
		request_free(r);
}

static void on_connection(void *cls, struct MHD_Connection *c, void **socket_context,
			  enum MHD_ConnectionNotificationCode code)
{
	struct front *front = cls;
	const union MHD_ConnectionInfo *info;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		info = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
		if (info)
			*socket_context =
				sweep_add(&front->server->sweep, info->connect_fd, front->number,
					  CROWDED, front->server->options.head_ns);
	} else {
		sweep_remove(&front->server->sweep, *socket_context);
		*socket_context = NULL;
	}
}

/* Left as it came: target_parse() decodes, after it has split. */
static size_t on_unescape(void *cls, struct MHD_Connection *c, char *text)
{
	(void)cls;
	(void)c;
	return strlen(text);
}

/* Left at its usual strictness: what that lets pass, head_check() refuses in JSON, where the
 * library itself would answer in HTML, or not at all. */
int http_start(struct front *front, struct err *err)
{
	front->daemon = MHD_start_daemon(
		MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_access, front,
		MHD_OPTION_LISTEN_SOCKET, front->fd, MHD_OPTION_CONNECTION_LIMIT,
		(unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY_BYTES,
		MHD_OPTION_URI_LOG_CALLBACK, on_target, front, MHD_OPTION_UNESCAPE_CALLBACK,
		on_unescape, front, MHD_OPTION_NOTIFY_COMPLETED, on_completed, front,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, front, MHD_OPTION_END);
	if (!front->daemon)
		return err_sys(err, ERR_IO, "cannot start an HTTP thread");
	front->fd = -1;
	if (!loop_start(&front->loop, front->daemon, STACK_BYTES, err))
		return 0;
	MHD_stop_daemon(front->daemon);
	front->daemon = NULL;
	return -1;
}

void http_quiesce(struct front *front)
{
	if (front->daemon)
		loop_quiesce(&front->loop);
}

void http_stop(struct front *front)
{
	if (!front->daemon)
		return;
	loop_stop(&front->loop);
	MHD_stop_daemon(front->daemon);
	front->daemon = NULL;
}
