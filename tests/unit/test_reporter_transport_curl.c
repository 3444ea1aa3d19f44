/* Unit tests of reporter/transport_curl.c against tests/helpers/badserver.c on loopback. */
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <setjmp.h>
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
#include "lib/base/proc.h"
#include "reporter/transport_curl.h"

#include "lib/base/banned.h"

#define ID "01KAG3R7M0C4V8Q2T6Y0ZB3D5F"
#define OTHER_ID "01KAG3R7M0C4V8Q2T6Y0ZB3D5G"
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
static pid_t start(char *const *argv, const char *sign, char *line, int size, FILE **out)
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

static void end(pid_t pid, FILE *out)
{
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	fclose(out);
}

static int start_server(void **state)
{
	char self[PATH_MAX], program[PATH_MAX + 32], line[128];
	char log_flag[] = "--log", modes_flag[] = "--modes", modes[] = "500,2:429,truncated,ok";
	char *argv[] = { program, log_flag, log_path, modes_flag, modes, NULL };
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	(void)state;
	assert_true(n > 0);
	self[n] = '\0';
	snprintf(program, sizeof(program), "%s/helpers/badserver", dirname(dirname(self)));
	snprintf(folder, sizeof(folder), "/tmp/pawl-transport.XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(log_path, sizeof(log_path), "%s/log", folder);
	server = start(argv, "badserver: ", line, sizeof(line), &server_out);
	return sscanf(line, "badserver: %u %u", &port, &target) == 2 ? 0 : -1;
}

static int stop_server(void **state)
{
	(void)state;
	end(server, server_out);
	return file_remove_tree(folder, NULL);
}

static int open_transport(void **state)
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

static int close_transport(void **state)
{
	(void)state;
	post_reply_release(&reply);
	transport_curl_close(&transport);
	return 0;
}

static int reopen(void)
{
	transport_curl_close(&transport);
	return transport_curl_open(&options, &transport, &err);
}

static int post_body(const char *url, const char *body, size_t n, uint64_t timeout_ns,
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

static int post(const char *url, uint64_t timeout_ns, struct post_outcome *out)
{
	char body[128];

	snprintf(body, sizeof(body), "{\"schema\": \"pawl.summary/1\", \"id\": \"%s\"}", id);
	return post_body(url, body, strlen(body), timeout_ns, out);
}

static const char *url_of(const char *mode)
{
	static char url[128];

	snprintf(url, sizeof(url), "http://127.0.0.1:%u%s%s/api/v1/summaries", port,
		 *mode ? "/" : "", mode);
	return url;
}

/* How many requests the log tells of on that port (0: the server's, 1: the target's). */
static int count_requests(int which)
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

static const struct {
	const char *mode;
	uint64_t timeout_ns;
	enum post_link link;
	int status;
	enum post_action action;
	bool asked;
} rows[] = {
	{ "ok", LONG, LINK_OK, 201, POST_DELIVERED, false },
	{ "ok", LONG, LINK_OK, 200, POST_DELIVERED, false },
	{ "200-html", LONG, LINK_OK, 200, POST_RETRY, false },
	{ "204", LONG, LINK_OK, 204, POST_RETRY, false },
	{ "wrong-id", LONG, LINK_OK, 200, POST_RETRY, false },
	{ "garbage", LONG, LINK_OK, 200, POST_RETRY, false },
	{ "truncated", LONG, LINK_BROKEN, 201, POST_RETRY, false },
	{ "empty", LONG, LINK_BROKEN, 0, POST_RETRY, false },
	{ "reset", LONG, LINK_BROKEN, 0, POST_RETRY, false },
	{ "not-http", LONG, LINK_BROKEN, 0, POST_RETRY, false },
	{ "hang", SHORT, LINK_BROKEN, 0, POST_RETRY, false },
	{ "drip", SHORT, LINK_BROKEN, 201, POST_RETRY, false },
	{ "big", LONG, LINK_TOO_LARGE, 200, POST_RETRY, false },
	{ "302", LONG, LINK_OK, 302, POST_MOVED, false },
	{ "307", LONG, LINK_OK, 307, POST_MOVED, false },
	{ "308", LONG, LINK_OK, 308, POST_MOVED, false },
	{ "400", LONG, LINK_OK, 400, POST_REJECT, false },
	{ "401", LONG, LINK_OK, 401, POST_REJECT, false },
	{ "403", LONG, LINK_OK, 403, POST_REJECT, false },
	{ "404", LONG, LINK_OK, 404, POST_REJECT, false },
	{ "404-html", LONG, LINK_OK, 404, POST_REJECT, false },
	{ "409", LONG, LINK_OK, 409, POST_REJECT, false },
	{ "422", LONG, LINK_OK, 422, POST_REJECT, false },
	{ "429", LONG, LINK_OK, 429, POST_RETRY, true },
	{ "500", LONG, LINK_OK, 500, POST_RETRY, false },
	{ "503-seconds", LONG, LINK_OK, 503, POST_RETRY, true },
	{ "503-date", LONG, LINK_OK, 503, POST_RETRY, true },
	{ "503-huge", LONG, LINK_OK, 503, POST_RETRY, true },
	{ "503-negative", LONG, LINK_OK, 503, POST_RETRY, false },
};

static void every_misbehaviour_is_recognised(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct post_outcome o;

		if (post(url_of(rows[i].mode), rows[i].timeout_ns, &o))
			fail_msg("%s: %s", rows[i].mode, err.text);
		if (reply.link != rows[i].link || reply.status != rows[i].status ||
		    o.action != rows[i].action || o.asked != rows[i].asked)
			fail_msg("%s: link %d (%s), status %d, action %d, asked %d", rows[i].mode,
				 reply.link, reply.why, reply.status, o.action, o.asked);
		assert_true(o.wait_ns <= POST_MAX_WAIT_NS);
		assert_true(o.action == POST_DELIVERED || o.why[0]);
	}
	assert_int_equal(count_requests(0), sizeof(rows) / sizeof(rows[0]));
}

static void the_token_never_reaches_the_target_of_a_redirection(void **state)
{
	static const char *const modes[] = { "302", "307", "308" };
	struct post_outcome o;
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		char place[64];

		assert_int_equal(post(url_of(modes[i]), LONG, &o), 0);
		snprintf(place, sizeof(place), "http://127.0.0.1:%u/ok", target);
		assert_non_null(strstr(o.why, place));
		assert_non_null(strstr(o.cure, place));
	}
	assert_int_equal(count_requests(0), 3);
	assert_int_equal(count_requests(1), 0);
}

static void a_request_is_what_the_contract_says(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	assert_int_equal(post(url_of("422"), LONG, NULL), 0);
	assert_int_equal(file_read_whole(log_path, 1 << 20, &text, NULL), 0);
	assert_non_null(strstr(text.data, "POST /422/api/v1/summaries "));
	assert_non_null(strstr(text.data, " id=" ID " "));
	assert_non_null(strstr(text.data, " authorization='Bearer " TOKEN "' "));
	assert_non_null(strstr(text.data, " type='application/json' encoding='' "));
	assert_non_null(strstr(text.data, " agent='pawl/" PAWL_VERSION "'"));
	buf_release(&text);
}

static void failures_end_in_one_delivery(void **state)
{
	static const enum post_action wanted[] = { POST_RETRY, POST_RETRY, POST_RETRY, POST_RETRY,
						   POST_DELIVERED };
	struct post_outcome o;
	size_t i;

	(void)state;
	id = OTHER_ID;
	for (i = 0; i < 5; i++) {
		assert_int_equal(post(url_of(""), LONG, &o), 0);
		assert_int_equal(o.action, wanted[i]);
	}
	assert_int_equal(reply.status, 200); /* the truncated answer was to a stored summary */
	assert_int_equal(count_requests(0), 5);
}

static void an_early_413_is_heard_while_the_body_is_on_its_way(void **state)
{
	size_t n = 3 << 20;
	char *body = malloc(n);
	struct post_outcome o;

	(void)state;
	assert_non_null(body);
	memset(body, ' ', n);
	assert_int_equal(post_body(url_of("413-early"), body, n, LONG, &o), 0);
	assert_int_equal(reply.status, 413);
	assert_int_equal(o.action, POST_REJECT);
	assert_int_equal(post_body(url_of("422"), body, n, LONG, &o), 0);
	assert_int_equal(reply.status, 422);
	assert_int_equal(post_body(url_of("ok"), body, POST_MAX_BODY + 1, LONG, &o), -1);
	assert_int_equal(err.code, ERR_LIMIT);
	assert_int_equal(count_requests(0), 2);
	free(body);
}

static void a_token_that_could_split_the_header_is_refused(void **state)
{
	static const char *const bad[] = { "s3cret\r\nX-Evil: 1", "s3cret\n", "s3 cret",
					   "s3cret\x7f", "s3cret\xc3\xa9" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const struct post_request rq = { .url = url_of("ok"),
						 .token = bad[i],
						 .id = ID,
						 .body = "{}",
						 .n_body = 2,
						 .timeout_ns = LONG };

		assert_int_equal(transport.post(transport.ctx, &rq, &reply, &err), -1);
		assert_int_equal(err.code, ERR_CONFIG);
		assert_null(strstr(err.text, "cret"));
		assert_null(strstr(err.hint, "cret"));
	}
	assert_int_equal(count_requests(0), 0);
}

/* 192.0.2.1 is nobody's (RFC 5737). */
static void plain_http_leaves_this_machine_only_when_allowed(void **state)
{
	(void)state;
	assert_int_equal(post("http://192.0.2.1/api/v1/summaries", SHORT, NULL), -1);
	assert_int_equal(err.code, ERR_CONFIG);
	assert_non_null(strstr(err.hint, "https"));
	options.insecure_http = true;
	options.connect_ns = SHORT / 5;
	assert_int_equal(reopen(), 0);
	assert_int_equal(post("http://192.0.2.1/api/v1/summaries", SHORT, NULL), 0);
	assert_int_equal(reply.link, LINK_UNREACHABLE);
}

static void other_schemes_are_refused(void **state)
{
	(void)state;
	assert_int_equal(post("file:///etc/passwd", LONG, NULL), -1);
	assert_int_equal(err.code, ERR_CONFIG);
	assert_int_equal(post("https://user:pw@127.0.0.1/", LONG, NULL), -1);
	assert_int_equal(err.code, ERR_CONFIG);
}

static void a_closed_port_is_unreachable(void **state)
{
	struct post_outcome o;

	(void)state;
	assert_int_equal(post("http://127.0.0.1:1/api/v1/summaries", LONG, &o), 0);
	assert_int_equal(reply.link, LINK_UNREACHABLE);
	assert_true(o.for_all);
	assert_true(reply.why[0] != '\0');
}

static void a_stop_gives_up_a_hanging_request(void **state)
{
	(void)state;
	stop = 1;
	assert_int_equal(post(url_of("hang"), LONG, NULL), -1);
	assert_int_equal(err.code, ERR_STOPPED);
}

static void a_proxy_never_sees_what_is_for_this_machine(void **state)
{
	char proxy[64];

	(void)state;
	snprintf(proxy, sizeof(proxy), "http://127.0.0.1:%u", target);
	setenv("http_proxy", proxy, 1);
	assert_int_equal(post(url_of("422"), LONG, NULL), 0);
	assert_int_equal(reply.status, 422);
	assert_int_equal(count_requests(1), 0);
	options.insecure_http = true;
	assert_int_equal(reopen(), 0);
	assert_int_equal(post("http://192.0.2.1/422/x", LONG, NULL), 0);
	assert_int_equal(count_requests(1), 1);
}

static void a_dead_proxy_is_named_without_its_password(void **state)
{
	struct post_outcome o;

	(void)state;
	setenv("https_proxy", "http://user:s3cret@127.0.0.1:1", 1);
	assert_int_equal(post("https://results.invalid/api/v1/summaries", LONG, &o), 0);
	assert_int_equal(reply.link, LINK_UNREACHABLE);
	assert_non_null(strstr(o.why, "https_proxy is 127.0.0.1:1"));
	assert_null(strstr(o.why, "s3cret"));
}

static void a_server_that_speaks_no_tls_is_not_trusted(void **state)
{
	struct post_outcome o;
	char url[64];

	(void)state;
	snprintf(url, sizeof(url), "https://127.0.0.1:%u/ok", port);
	assert_int_equal(post(url, LONG, &o), 0);
	assert_int_equal(reply.link, LINK_TLS);
	assert_true(o.keep && o.for_all);
	assert_int_equal(count_requests(0), 0);
}

/* A certificate made for the occasion, with openssl's own test server behind it. */
static void a_certificate_is_trusted_only_when_its_authority_is(void **state)
{
	char key[96], cert[96], make[640], line[256], sh[] = "sh", c[] = "-c", exe[] = "openssl";
	char *making[] = { sh, c, make, NULL };
	char a[] = "s_server", b[] = "-accept", d[] = "127.0.0.1:0", e[] = "-key", f[] = "-cert";
	char www[] = "-www", *serving[] = { exe, a, www, b, d, e, key, f, cert, NULL };
	struct post_outcome o;
	unsigned tls_port = 0;
	FILE *out;
	char url[64];
	int status;
	pid_t pid;

	(void)state;
	snprintf(key, sizeof(key), "%s/key.pem", folder);
	snprintf(cert, sizeof(cert), "%s/cert.pem", folder);
	snprintf(make, sizeof(make),
		 "command -v openssl && openssl req -x509 -newkey ec -pkeyopt "
		 "ec_paramgen_curve:P-256"
		 " -nodes -keyout %s -out %s -days 2 -subj /CN=127.0.0.1"
		 " -addext subjectAltName=IP:127.0.0.1",
		 key, cert);
	assert_int_equal(proc_capture(NULL, making, 1 << 16, LONG, NULL, NULL, &status, &err), 0);
	if (status) {
		print_message("no openssl program that can make a certificate\n");
		skip();
	}
	pid = start(serving, "ACCEPT ", line, sizeof(line), &out);
	sscanf(strstr(line, "ACCEPT "), "ACCEPT 127.0.0.1:%u", &tls_port);
	snprintf(url, sizeof(url), "https://127.0.0.1:%u/ok", tls_port);
	status = post(url, LONG, &o);
	assert_int_equal(status, 0);
	assert_int_equal(reply.link, LINK_TLS);
	assert_non_null(strstr(o.cure, "CURL_CA_BUNDLE"));
	setenv("CURL_CA_BUNDLE", cert, 1);
	assert_int_equal(post(url, SHORT, &o), 0);
	assert_int_equal(reply.link, LINK_BROKEN); /* trusted; that server never answers */
	end(pid, out);
}

#define FRESH(f) cmocka_unit_test_setup_teardown(f, open_transport, close_transport)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FRESH(failures_end_in_one_delivery),
		FRESH(every_misbehaviour_is_recognised),
		FRESH(the_token_never_reaches_the_target_of_a_redirection),
		FRESH(a_request_is_what_the_contract_says),
		FRESH(an_early_413_is_heard_while_the_body_is_on_its_way),
		FRESH(a_token_that_could_split_the_header_is_refused),
		FRESH(plain_http_leaves_this_machine_only_when_allowed),
		FRESH(other_schemes_are_refused),
		FRESH(a_closed_port_is_unreachable),
		FRESH(a_stop_gives_up_a_hanging_request),
		FRESH(a_proxy_never_sees_what_is_for_this_machine),
		FRESH(a_dead_proxy_is_named_without_its_password),
		FRESH(a_server_that_speaks_no_tls_is_not_trusted),
		FRESH(a_certificate_is_trusted_only_when_its_authority_is),
	};

	return cmocka_run_group_tests(tests, start_server, stop_server);
}
