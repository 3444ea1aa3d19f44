/*
 * transport_fixture - the transport of libcurl before tests/helpers/http/badserver.py on loopback.
 */
#ifndef PAWL_TESTS_UNIT_REPORTER_DELIVER_TRANSPORT_FIXTURE_H
#define PAWL_TESTS_UNIT_REPORTER_DELIVER_TRANSPORT_FIXTURE_H

#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/base/file.h"
#include "reporter/deliver/transport_curl.h"

#define ID "01KAG3R7M0C4V8Q2T6Y0ZB3D5F"
#define TOKEN "canary-t0ken"
#define SECOND 1000000000ull
#define LONG (60 * SECOND) /* never reached: the server answers */
#define SHORT (SECOND / 2) /* always reached: the server does not */

static char folder[64], log_path[96];
static unsigned port, target;
static pid_t server;
static FILE *server_out;
static struct transport transport;
static struct transport_curl_options options;
static struct post_reply reply;
static struct err err;
static volatile sig_atomic_t stop;
static const char *id = ID;

/*
 * Starts argv and waits for the first line it prints that holds `sign`.  *out must stay open
 * as long as it runs, or its next line would end it.
 */
static inline pid_t start(char *const *argv, const char *sign, char *line, int size, FILE **out)
{
	posix_spawn_file_actions_t actions;
	int fds[2];
	pid_t pid;

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
	posix_spawn_file_actions_adddup2(&actions, fds[1], 1);
	assert_int_equal(posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ), 0);
	posix_spawn_file_actions_destroy(&actions);
	close(fds[1]);
	*out = fdopen(fds[0], "r");
	assert_non_null(*out);
	do
		assert_non_null(fgets(line, size, *out));
	while (!strstr(line, sign));
	return pid;
}

static inline void end(pid_t pid, FILE *out)
{
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	fclose(out);
}

static inline int start_server(void **state)
{
	char program[] = "tests/helpers/http/badserver.py"; /* tests/run starts us at the top */
	char line[128];
	char log_flag[] = "--log", modes_flag[] = "--modes", modes[] = "500,2:429,truncated,ok";
	char *argv[] = { program, log_flag, log_path, modes_flag, modes, NULL };

	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/pawl-transport.XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(log_path, sizeof(log_path), "%s/log", folder);
	server = start(argv, "badserver: ", line, sizeof(line), &server_out);
	return sscanf(line, "badserver: %u %u", &port, &target) == 2 ? 0 : -1;
}

static inline int stop_server(void **state)
{
	(void)state;
	end(server, server_out);
	return file_remove_tree(folder, NULL);
}

static inline int open_transport(void **state)
{
	(void)state;
	if (truncate(log_path, 0)) /* the server holds it open */
		return -1;
	unsetenv("http_proxy");
	unsetenv("https_proxy");
	unsetenv("CURL_CA_BUNDLE");
	stop = 0;
	id = ID;
	err_clear(&err);
	post_reply_init(&reply);
	options = (struct transport_curl_options){ .timeout_ns = LONG, .stop = &stop };
	return transport_curl_open(&options, &transport, &err);
}

static inline int close_transport(void **state)
{
	(void)state;
	post_reply_release(&reply);
	transport_curl_close(&transport);
	return 0;
}

#define FRESH(f) cmocka_unit_test_setup_teardown(f, open_transport, close_transport)

static inline int post_body(const char *url, const char *body, size_t n, uint64_t timeout_ns,
			    struct post_outcome *out)
{
	const struct post_request rq = { .url = url,
					 .token = TOKEN,
					 .id = id,
					 .body = body,
					 .n_body = n,
					 .timeout_ns = timeout_ns };
	int result;

	post_reply_release(&reply);
	post_reply_init(&reply);
	result = transport.post(transport.ctx, &rq, &reply, &err);
	if (!result && out)
		post_classify(&rq, &reply, 1795168800000000, out);
	assert_null(strstr(err.text, TOKEN));
	assert_null(strstr(reply.why, TOKEN));
	return result;
}

static inline int post(const char *url, uint64_t timeout_ns, struct post_outcome *out)
{
	char body[128];

	snprintf(body, sizeof(body), "{\"schema\": \"pawl.summary/1\", \"id\": \"%s\"}", id);
	return post_body(url, body, strlen(body), timeout_ns, out);
}

static inline const char *url_of(const char *mode)
{
	static char url[128];

	snprintf(url, sizeof(url), "http://127.0.0.1:%u%s%s/api/v1/summaries", port,
		 *mode ? "/" : "", mode);
	return url;
}

/* How many requests the log tells of on that port (0: the server's, 1: the target's). */
static inline int count_requests(int which)
{
	struct buf text = BUF_INIT;
	char sign[16];
	const char *p;
	int n = 0;

	snprintf(sign, sizeof(sign), " port=%d ", which);
	assert_int_equal(file_read_whole(log_path, 1 << 20, &text, NULL), 0);
	for (p = strstr(buf_str(&text), sign); p; p = strstr(p + 1, sign))
		n++;
	buf_release(&text);
	return n;
}

#endif
