/*
 * badserver - an HTTP server that misbehaves on demand, for the tests of the poster.
 *
 *   badserver [--seconds N] [--log FILE] [--modes SEQUENCE]
 *
 * Listens on two loopback ports of its own choice and prints them: "badserver: PORT TARGET".
 * The second one is where redirections point to.  A request is answered by the mode that the
 * first part of its path names (/500/api/v1/summaries), else by the sequence: "500,2:429,ok"
 * is one 500, two 429, then ok for ever (the last mode stays).  One connection at a time.
 * Every request becomes a line of FILE before it is answered, so a test can count them and
 * see where a token went.  Ends after N seconds (60) or by SIGTERM.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/buf.h"
#include "lib/base/number.h"
#include "lib/base/strv.h"

#include "lib/base/banned.h"

#define HEAD_MAX 65536
#define MODES_MAX 256
#define OTHER_ID "01ARZ3NDEKTSV4RRFFQ69G5FAV"
#define JSON "application/json"

struct mode;

static struct request {
	const struct mode *mode;
	char method[16], path[512];
	char id[64]; /* the first "id" of the body */
	char authorization[256], type[128], encoding[128], agent[128], expect[32];
	size_t n_body;
} rq; /* the one that is being answered */

static struct server {
	int fds[2];
	unsigned ports[2];
	int log;
	const struct mode *modes[MODES_MAX]; /* the sequence, the last one stays */
	size_t n_modes, next;
	struct strv seen; /* ids that were stored */
} server;

struct mode {
	const char *name;
	/* NULL: status, type, more and body are sent as they stand; status 0: nothing */
	void (*answer)(int fd);
	int status;
	const char *type, *more, *body;
};

static void send_bytes(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t done = send(fd, bytes, n, MSG_NOSIGNAL);

		if (done <= 0)
			return;
		bytes += done;
		n -= (size_t)done;
	}
}

/* A whole answer; more are header lines with their ends. */
static void reply(int fd, int status, const char *type, const char *more, const char *body,
		  size_t length)
{
	struct buf out = BUF_INIT;

	buf_addf(&out, "HTTP/1.1 %d X\r\nConnection: close\r\n%s", status, more ? more : "");
	if (type)
		buf_addf(&out, "Content-Type: %s\r\nContent-Length: %zu\r\n", type, length);
	buf_addf(&out, "\r\n%s", body ? body : "");
	send_bytes(fd, buf_str(&out), out.len);
	buf_release(&out);
}

static void acknowledge(int fd)
{
	bool is_known = strv_has(&server.seen, rq.id);
	char body[128];

	snprintf(body, sizeof(body), "{\"id\": \"%s\"}", rq.id);
	strv_add(&server.seen, rq.id, NULL);
	reply(fd, is_known ? 200 : 201, JSON, NULL, body, strlen(body));
}

/* Stores the summary as a server would whose answer is lost on the way. */
static void truncated(int fd)
{
	strv_add(&server.seen, rq.id, NULL);
	reply(fd, 201, JSON, NULL, "{\"id\": \"", 500);
}

/* 302, 307 or 308, as the mode is named, to the second port. */
static void redirect(int fd)
{
	char more[128];

	snprintf(more, sizeof(more), "Location: http://127.0.0.1:%u/ok/api/v1/summaries\r\n",
		 server.ports[1]);
	reply(fd, (int)strtol(rq.mode->name, NULL, 10), "text/html", more, "moved", 5);
}

static void not_http(int fd)
{
	send_bytes(fd, "220 mail.invalid ready\r\n", 24);
}

static void reset(int fd)
{
	const struct linger hard = { 1, 0 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
}

/* Until the client goes away. */
static void hang(int fd)
{
	char byte;

	while (recv(fd, &byte, 1, 0) > 0)
		;
}

/* One byte of an endless header every 50 ms, until the client goes away. */
static void drip(int fd)
{
	struct pollfd p = { fd, POLLIN, 0 };

	send_bytes(fd, "HTTP/1.1 201 X\r\nX-Slow: ", 24);
	while (!poll(&p, 1, 50) && send(fd, "x", 1, MSG_NOSIGNAL) == 1)
		;
}

/* A good acknowledgement of more than 2 MiB. */
static void big(int fd)
{
	struct buf body = BUF_INIT;

	buf_addf(&body, "{\"id\": \"%s\", \"more\": \"", rq.id);
	buf_addn(&body, 'x', 2 << 20);
	buf_adds(&body, "\"}");
	reply(fd, 200, JSON, NULL, buf_str(&body), body.len);
	buf_release(&body);
}

#define REFUSAL \
	"{\"error\": {\"code\": \"refused\", \"message\": \"no\\u001b[2Jthanks\", " \
	"\"where\": \"benchmarks[0]\"}}"
#define LATER(seconds) JSON, "Retry-After: " seconds "\r\n", REFUSAL

static const struct mode modes[] = {
	{ "ok", acknowledge, 0, NULL, NULL, NULL },
	{ "200-html", NULL, 200, "text/html", NULL, "<html>Please log in</html>" },
	{ "204", NULL, 204, NULL, NULL, NULL },
	{ "wrong-id", NULL, 200, JSON, NULL, "{\"id\": \"" OTHER_ID "\"}" },
	{ "garbage", NULL, 200, JSON, NULL, "{\"id\": " },
	{ "truncated", truncated, 0, NULL, NULL, NULL },
	{ "empty", NULL, 0, NULL, NULL, NULL },
	{ "reset", reset, 0, NULL, NULL, NULL },
	{ "hang", hang, 0, NULL, NULL, NULL },
	{ "drip", drip, 0, NULL, NULL, NULL },
	{ "big", big, 0, NULL, NULL, NULL },
	{ "not-http", not_http, 0, NULL, NULL, NULL },
	{ "302", redirect, 0, NULL, NULL, NULL },
	{ "307", redirect, 0, NULL, NULL, NULL },
	{ "308", redirect, 0, NULL, NULL, NULL },
	{ "400", NULL, 400, JSON, NULL, REFUSAL },
	{ "401", NULL, 401, JSON, NULL, REFUSAL },
	{ "403", NULL, 403, JSON, NULL, REFUSAL },
	{ "404", NULL, 404, JSON, NULL, REFUSAL },
	{ "404-html", NULL, 404, "text/html", NULL, "<html>Not here</html>" },
	{ "409", NULL, 409, JSON, NULL, REFUSAL },
	{ "413-early", NULL, 413, JSON, NULL, REFUSAL },
	{ "422", NULL, 422, JSON, NULL, REFUSAL },
	{ "429", NULL, 429, LATER("7") },
	{ "500", NULL, 500, JSON, NULL, REFUSAL },
	{ "503-seconds", NULL, 503, LATER("7") },
	{ "503-date", NULL, 503, LATER("Fri, 31 Dec 2100 23:59:59 GMT") },
	{ "503-huge", NULL, 503, LATER("99999999999999999999999") },
	{ "503-negative", NULL, 503, LATER("-5") },
};

/* The mode whose name text begins with, up to an end of a name; NULL for none. */
static const struct mode *find_mode(const char *text)
{
	size_t i, n = strcspn(text, "/,");

	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strlen(modes[i].name) == n && !memcmp(modes[i].name, text, n))
			return &modes[i];
	return NULL;
}

/* Spells the sequence out; false when it names an unknown mode or is too long. */
static bool read_sequence(const char *list)
{
	for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL) {
		size_t digits = strspn(list, "0123456789");
		unsigned long again = list[digits] == ':' ? strtoul(list, NULL, 10) : 1;
		const struct mode *mode = find_mode(list[digits] == ':' ? list + digits + 1 : list);

		for (; mode && again && server.n_modes < MODES_MAX; again--)
			server.modes[server.n_modes++] = mode;
		if (!mode || again)
			return false;
	}
	return true;
}

/* The mode of the next request that names none. */
static const struct mode *next_mode(void)
{
	if (!server.n_modes)
		return &modes[0];
	return server.modes[server.next + 1 < server.n_modes ? server.next++ : server.next];
}

/* The value of a header line; false when it is another header. */
static bool take_header(const char *line, const char *name, char *out, size_t size)
{
	size_t n = strlen(name);

	if (strncasecmp(line, name, n) || line[n] != ':')
		return false;
	line += n + 1;
	line += strspn(line, " ");
	snprintf(out, size, "%.*s", (int)strcspn(line, "\r\n"), line);
	return true;
}

/* Reads up to the empty line; what of the body came with it stays behind it in head. */
static bool read_head(int fd, struct buf *head)
{
	char chunk[4096], value[128];
	const char *line;

	while (!strstr(buf_str(head), "\r\n\r\n")) {
		ssize_t n = recv(fd, chunk, sizeof(chunk), 0);

		if (n <= 0 || head->len > HEAD_MAX || chunk[0] == 0x16 /* TLS */)
			return false;
		buf_add(head, chunk, (size_t)n);
	}
	if (!head->data || sscanf(head->data, "%15s %511s", rq.method, rq.path) != 2)
		return false;
	for (line = strstr(head->data, "\r\n"); line && strncmp(line, "\r\n\r\n", 4);
	     line = strstr(line, "\r\n")) {
		line += 2;
		take_header(line, "authorization", rq.authorization, sizeof(rq.authorization));
		take_header(line, "content-type", rq.type, sizeof(rq.type));
		take_header(line, "accept-encoding", rq.encoding, sizeof(rq.encoding));
		take_header(line, "user-agent", rq.agent, sizeof(rq.agent));
		take_header(line, "expect", rq.expect, sizeof(rq.expect));
		if (take_header(line, "content-length", value, sizeof(value)))
			rq.n_body = strtoul(value, NULL, 10);
	}
	return true;
}

/* Reads the body to its end and finds the id in its first bytes. */
static void read_body(int fd, struct buf *head)
{
	size_t start = (size_t)(strstr(head->data, "\r\n\r\n") + 4 - head->data);
	char chunk[65536];
	const char *id;

	if (rq.expect[0])
		send_bytes(fd, "HTTP/1.1 100 Continue\r\n\r\n", 25);
	while (head->len - start < rq.n_body) {
		ssize_t n = recv(fd, chunk, sizeof(chunk), 0);

		if (n <= 0)
			break;
		buf_add(head, chunk, (size_t)n);
	}
	id = strstr(buf_str(head) + start, "\"id\"");
	if (id)
		sscanf(id + 4, " : \"%63[0-9A-Z]", rq.id);
}

static void log_request(int which)
{
	if (server.log >= 0)
		dprintf(server.log,
			"%s %s port=%d body=%zu id=%s authorization='%s' type='%s' encoding='%s' "
			"agent='%s'\n",
			rq.method, rq.path, which, rq.n_body, rq.id, rq.authorization, rq.type,
			rq.encoding, rq.agent);
}

static void serve(int which)
{
	const struct timeval patience = { 20, 0 };
	struct buf head = BUF_INIT;
	char rest[4096];
	int fd = accept4(server.fds[which], NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0)
		return;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	memset(&rq, 0, sizeof(rq));
	if (!read_head(fd, &head))
		goto out;
	rq.mode = find_mode(rq.path + 1);
	if (!rq.mode)
		rq.mode = next_mode();
	if (rq.mode->status != 413) /* that one does not wait for the body */
		read_body(fd, &head);
	log_request(which);
	if (rq.mode->answer)
		rq.mode->answer(fd);
	else if (rq.mode->status)
		reply(fd, rq.mode->status, rq.mode->type, rq.mode->more, rq.mode->body,
		      rq.mode->body ? strlen(rq.mode->body) : 0);
	if (rq.mode->answer == reset)
		goto out;
	shutdown(fd, SHUT_WR);
	while (recv(fd, rest, sizeof(rest), 0) > 0)
		; /* closing with bytes unread would reset the connection */
out:
	close(fd);
	buf_release(&head);
}

static int listen_on_loopback(unsigned *out_port)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t n = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&at, n) || listen(fd, 16) ||
	    getsockname(fd, (struct sockaddr *)&at, &n)) {
		perror("badserver: cannot listen");
		exit(1);
	}
	*out_port = ntohs(at.sin_port);
	return fd;
}

static bool open_log(const char *path)
{
	server.log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	return server.log >= 0;
}

int main(int argc, char **argv)
{
	struct pollfd p[2];
	uint64_t seconds = 60;
	int i;

	server.log = -1;
	for (i = 1; i + 1 < argc; i += 2) {
		bool is_good = !strcmp(argv[i], "--seconds") ? number_u64(argv[i + 1], &seconds)
			       : !strcmp(argv[i], "--modes") ? read_sequence(argv[i + 1])
			       : !strcmp(argv[i], "--log")   ? open_log(argv[i + 1])
							     : false;

		if (!is_good)
			break;
	}
	if (i < argc) {
		fprintf(stderr, "usage: badserver [--seconds N] [--log FILE] [--modes SEQUENCE]\n");
		return 2;
	}
	alarm((unsigned)seconds);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	for (i = 0; i < 2; i++) {
		server.fds[i] = listen_on_loopback(&server.ports[i]);
		p[i] = (struct pollfd){ server.fds[i], POLLIN, 0 };
	}
	printf("badserver: %u %u\n", server.ports[0], server.ports[1]);
	fflush(stdout);
	for (;;) {
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			return 1;
		for (i = 0; i < 2; i++)
			if (p[i].revents & POLLIN)
				serve(i);
	}
}
