/*
 * Bytes that somebody sends to pawld, over a socket of this machine: answered as HTTP, never with a
 * fault of its own, or the connection ends.
 */
#include "tests/fuzz/fuzz.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "server/server.h"

#include "lib/base/banned.h"

const size_t fuzz_cost = 10;

#define ANSWER_MAX (1u << 20)
#define CONNECT_TRIES 100
#define QUIET_MS 20

static char folder[64];
static struct server *server;
static struct sockaddr_in address;

static void stop(void)
{
	server_stop(server);
	file_remove_tree(folder, NULL);
}

static void start(void)
{
	struct server_options o = { .listen = "127.0.0.1:0",
				    .no_auth = true,
				    .head_ns = 200000000u,
				    .budget_ns = 200000000u,
				    .log_fd = -1 };
	struct err err = ERR_INIT;
	char store[96];
	unsigned port = 0;

	snprintf(folder, sizeof(folder), "%s/pawl-fuzz.XXXXXX",
		 access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	must(mkdtemp(folder));
	snprintf(store, sizeof(store), "sqlite:%s/server.db", folder);
	o.store = store;
	must(!server_start(&o, &server, &err));
	must(sscanf(server_url(server), "http://127.0.0.1:%u", &port) == 1 && port);
	address.sin_family = AF_INET;
	address.sin_port = htons((uint16_t)port);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	atexit(stop);
}

/* A connection; the sanitizer's look for lost memory interrupts us. */
static int reach(void)
{
	int fd, i, fault;
	socklen_t n = sizeof(fault);

	for (i = 0; i < CONNECT_TRIES; i++) {
		fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		must(fd >= 0);
		if (!connect(fd, (struct sockaddr *)&address, sizeof(address)))
			return fd;
		if (errno == EINTR && poll(&(struct pollfd){ fd, POLLOUT, 0 }, 1, -1) == 1 &&
		    !getsockopt(fd, SOL_SOCKET, SO_ERROR, &fault, &n) && !fault)
			return fd;
		close(fd);
	}
	must(i < CONNECT_TRIES); /* it can be reached */
	return -1;
}

/*
 * What is answered until the connection ends, or nothing comes for a while: pawld waits for the
 * rest of what is no whole request.
 */
static void ask(const uint8_t *data, size_t n, struct buf *out)
{
	int fd = reach();
	char chunk[16384];
	ssize_t got;

	while (n && (got = send(fd, data, n, MSG_NOSIGNAL)) > 0) {
		data += got;
		n -= (size_t)got;
	}
	shutdown(fd, SHUT_WR);
	while (out->len < ANSWER_MAX && poll(&(struct pollfd){ fd, POLLIN, 0 }, 1, QUIET_MS) > 0 &&
	       (got = recv(fd, chunk, sizeof(chunk), 0)) > 0)
		buf_add(out, chunk, (size_t)got);
	close(fd);
}

static bool is_json(const char *text, size_t n)
{
	static sqlite3 *db;
	sqlite3_stmt *st = NULL;
	bool is;

	must(db || sqlite3_open(":memory:", &db) == SQLITE_OK);
	must(sqlite3_prepare_v2(db, "SELECT json_valid(?1)", -1, &st, NULL) == SQLITE_OK);
	sqlite3_bind_text(st, 1, text, (int)n, SQLITE_STATIC);
	is = sqlite3_step(st) == SQLITE_ROW && sqlite3_column_int(st, 0) == 1;
	sqlite3_finalize(st);
	return is;
}

/* The first answer of a connection; a client that ends early gets none. */
static void hold(const struct buf *out, bool is_one)
{
	const char *body = strstr(buf_str(out), "\r\n\r\n"), *type;
	int status = 0;

	must(sscanf(out->data, "HTTP/1.%*1[01] %d", &status) == 1);
	must(status >= 100 && status <= 599 && status != 500);
	must(body);
	if (status == 200)
		fuzz_accept();
	type = strstr(out->data, "Content-Type: application/json");
	if (is_one && type && type < body && !strstr(out->data, "zstd\r\n") && body[4])
		must(is_json(body + 4, out->len - (size_t)(body + 4 - out->data)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct buf out = BUF_INIT;
	char *text = fuzz_string(data, n);
	const char *first;

	if (!server)
		start();
	ask(data, n, &out);
	first = out.len ? strstr(out.data, "HTTP/1.") : NULL;
	if (first)
		hold(&out, !strstr(first + 1, "HTTP/1."));
	free(text);
	buf_release(&out);
	return 0;
}
