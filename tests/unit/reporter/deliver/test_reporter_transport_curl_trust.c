/* Who may see the token, and which server, proxy and certificate is trusted. */
#include "tests/unit/reporter/deliver/transport_fixture.h"

#include "lib/process/proc.h"

#include "lib/base/banned.h"

static int reopen(void)
{
	transport_curl_close(&transport);
	return transport_curl_open(&options, &transport, &err);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		FRESH(the_token_never_reaches_the_target_of_a_redirection),
		FRESH(a_token_that_could_split_the_header_is_refused),
		FRESH(plain_http_leaves_this_machine_only_when_allowed),
		FRESH(other_schemes_are_refused),
		FRESH(a_proxy_never_sees_what_is_for_this_machine),
		FRESH(a_dead_proxy_is_named_without_its_password),
		FRESH(a_server_that_speaks_no_tls_is_not_trusted),
		FRESH(a_certificate_is_trusted_only_when_its_authority_is),
	};

	return cmocka_run_group_tests(tests, start_server, stop_server);
}
