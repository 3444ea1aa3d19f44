#include "reporter/deliver/transport_curl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "reporter/deliver/curl_link.h"
#include "lib/net/libcurl.h"
#include "reporter/deliver/proxy.h"

#include "lib/base/banned.h"

#define QUERY_SIGNS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~%+=&:,/@"

struct transport_curl {
	CURL *curl;
	struct transport_curl_options options;
	char error[CURL_ERROR_SIZE];
};

static bool has_stopped(const struct transport_curl *t)
{
	return t->options.stop && *t->options.stop;
}

static size_t take_body(char *bytes, size_t size, size_t n, void *ctx)
{
	struct post_reply *reply = ctx;

	n *= size;
	if (n > reply->max_body - reply->body.len) {
		reply->link = LINK_TOO_LARGE;
		return 0;
	}
	buf_add(&reply->body, bytes, n);
	return reply->body.failed ? 0 : n;
}

/* Retry-After of the last header block; an interim answer (100) begins a block of its own. */
static size_t take_header(char *bytes, size_t size, size_t n, void *ctx)
{
	static const char name[] = "retry-after:";
	struct post_reply *reply = ctx;
	size_t at = sizeof(name) - 1, length;

	n *= size;
	if (n > 5 && !memcmp(bytes, "HTTP/", 5))
		reply->retry_after[0] = '\0';
	if (n <= at || strncasecmp(bytes, name, at))
		return n;
	while (at < n && (bytes[at] == ' ' || bytes[at] == '\t'))
		at++;
	length = n - at;
	while (length && strchr(" \t\r\n", bytes[at + length - 1]))
		length--;
	if (length >= sizeof(reply->retry_after))
		return n;
	memcpy(reply->retry_after, bytes + at, length);
	reply->retry_after[length] = '\0';
	err_clean(reply->retry_after);
	return n;
}

static int look_for_stop(void *ctx, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	(void)a;
	(void)b;
	(void)c;
	(void)d;
	return has_stopped(ctx);
}

/* Only printable ASCII may go into a header; the token itself is never repeated. */
static int check_token(const char *token, struct err *err)
{
	const char *p;

	for (p = token; *p; p++) {
		if (*p > 0x20 && *p < 0x7f)
			continue;
		err_set(err, ERR_CONFIG,
			"the token holds a blank, a line break or another character that a header "
			"cannot carry");
		return err_hint(err, "check PAWL_TOKEN, or what git credential fill prints");
	}
	return 0;
}

static int check_request(const struct transport_curl *t, const struct post_request *rq,
			 struct url *out, struct err *err)
{
	if (url_parse(rq->url, out, err) || (rq->token && check_token(rq->token, err)))
		return -1;
	if (!out->is_https && !url_is_loopback(out) && !t->options.insecure_http) {
		err_set(err, ERR_CONFIG, "plain http to '%s' would show the token to the network",
			out->host);
		return err_hint(err, "use https, or allow it: git config pawl.insecureHttp true");
	}
	if (rq->query && rq->query[strspn(rq->query, QUERY_SIGNS)])
		return err_set(err, ERR_CONFIG,
			       "the query of the address holds a sign that is not accepted");
	if (rq->n_body > POST_MAX_BODY)
		return err_set(err, ERR_LIMIT, "document of %zu bytes, at most %u are accepted",
			       rq->n_body, POST_MAX_BODY);
	return 0;
}

static struct curl_slist *add_header(struct curl_slist *list, const char *name, const char *value,
				     bool *ok)
{
	struct buf line = BUF_INIT;
	struct curl_slist *longer = NULL;

	buf_addf(&line, "%s: %s", name, value);
	if (!line.failed)
		longer = libcurl.slist_append(list, buf_str(&line));
	*ok = *ok && longer;
	if (line.data)
		explicit_bzero(line.data, line.len);
	buf_release(&line);
	return longer ? longer : list;
}

/* libcurl takes any type as the value of any option: what we set most is checked here. */
static void set_long(CURL *curl, CURLoption option, long value)
{
	libcurl.easy_setopt(curl, option, value);
}

static void set_text(CURL *curl, CURLoption option, const char *value)
{
	libcurl.easy_setopt(curl, option, value);
}

static void set_limits(struct transport_curl *t, const struct post_request *rq)
{
	uint64_t timeout_ns = t->options.timeout_ns;

	if (rq->timeout_ns && rq->timeout_ns < timeout_ns)
		timeout_ns = rq->timeout_ns;
	set_long(t->curl, CURLOPT_NOSIGNAL, 1);
	set_long(t->curl, CURLOPT_CONNECTTIMEOUT_MS, (long)(t->options.connect_ns / 1000000));
	set_long(t->curl, CURLOPT_TIMEOUT_MS, (long)(timeout_ns / 1000000 + 1));
	set_long(t->curl, CURLOPT_LOW_SPEED_LIMIT, 16);
	set_long(t->curl, CURLOPT_LOW_SPEED_TIME, 10);
	set_long(t->curl, CURLOPT_NOPROGRESS, 0);
	libcurl.easy_setopt(t->curl, CURLOPT_XFERINFOFUNCTION, look_for_stop);
	libcurl.easy_setopt(t->curl, CURLOPT_XFERINFODATA, t);
}

static void set_protocols(CURL *curl, const struct url *url)
{
	const char *bundle = getenv("CURL_CA_BUNDLE");

	set_long(curl, CURLOPT_FOLLOWLOCATION, 0);
#if LIBCURL_VERSION_NUM >= 0x075500
	set_text(curl, CURLOPT_PROTOCOLS_STR, url->is_https ? "https" : "http");
	set_text(curl, CURLOPT_REDIR_PROTOCOLS_STR, "");
#else
	set_long(curl, CURLOPT_PROTOCOLS, (long)(url->is_https ? CURLPROTO_HTTPS : CURLPROTO_HTTP));
	set_long(curl, CURLOPT_REDIR_PROTOCOLS, 0);
#endif
	set_long(curl, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2);
	if (!bundle || !*bundle)
		bundle = getenv("SSL_CERT_FILE");
	if (bundle && *bundle)
		set_text(curl, CURLOPT_CAINFO, bundle);
	/* "" turns off the proxy of the environment too */
	if (url_is_loopback(url))
		set_text(curl, CURLOPT_PROXY, "");
	/* what is meant for the server is not told to a proxy */
	set_long(curl, CURLOPT_HEADEROPT, CURLHEADER_SEPARATE);
}

static void describe(struct transport_curl *t, CURLcode code, const struct url *url,
		     struct post_reply *reply)
{
	char proxy[256];
	const char *name = proxy_of(url, proxy, sizeof(proxy));
	const char *words = t->error[0] ? t->error : libcurl.easy_strerror(code);

	if (name)
		snprintf(reply->why, sizeof(reply->why), "%.160s (%s is %.60s)", words, name,
			 proxy);
	else
		snprintf(reply->why, sizeof(reply->why), "%s", words);
	err_clean(reply->why);
}

static void copy_info(CURL *curl, CURLINFO info, char *out, size_t size)
{
	char *text = NULL;

	if (libcurl.easy_getinfo(curl, info, &text) == CURLE_OK && text)
		snprintf(out, size, "%s", text);
	err_clean(out);
}

/* Fills the reply from what happened; only our own faults are errors. */
static int finish(struct transport_curl *t, CURLcode code, const struct url *url,
		  struct post_reply *reply, struct err *err)
{
	curl_off_t connected = 0;
	long status = 0;

	if (code == CURLE_ABORTED_BY_CALLBACK)
		return err_set(err, ERR_STOPPED, "stopped while posting");
	if (code == CURLE_OUT_OF_MEMORY || buf_check(&reply->body, err))
		return err_nomem(err);
	libcurl.easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &status);
	libcurl.easy_getinfo(t->curl, CURLINFO_CONNECT_TIME_T, &connected);
	/* the same code stands for an answer that is no HTTP: then there was a connection */
	if (code == CURLE_URL_MALFORMAT || (code == CURLE_UNSUPPORTED_PROTOCOL && !connected))
		return err_set(err, ERR_CONFIG,
			       "libcurl does not take the address of the server: %s", t->error);
	if (curl_is_early_refusal(code, (int)status))
		code = CURLE_OK;
	if (code != CURLE_OK) {
		if (reply->link != LINK_TOO_LARGE)
			reply->link = curl_link_of(code, connected > 0);
		describe(t, code, url, reply);
	}
	reply->status = (int)status;
	copy_info(t->curl, CURLINFO_CONTENT_TYPE, reply->content_type, sizeof(reply->content_type));
	copy_info(t->curl, CURLINFO_REDIRECT_URL, reply->location, sizeof(reply->location));
	return 0;
}

/* With NOSIGNAL libcurl leaves SIGPIPE of a TLS connection to the program. */
static CURLcode perform(CURL *curl)
{
	struct sigaction ignore, before;
	CURLcode code;

	memset(&ignore, 0, sizeof(ignore));
	ignore.sa_handler = SIG_IGN;
	sigemptyset(&ignore.sa_mask);
	sigaction(SIGPIPE, &ignore, &before);
	code = libcurl.easy_perform(curl);
	sigaction(SIGPIPE, &before, NULL);
	return code;
}

static struct curl_slist *add_token(struct curl_slist *list, const struct post_request *rq,
				    bool *ok)
{
	struct buf value = BUF_INIT;

	buf_addf(&value, "%s%s", rq->auth_scheme ? rq->auth_scheme : "Bearer ", rq->token);
	*ok = *ok && !value.failed;
	list = add_header(list, rq->auth_header ? rq->auth_header : "Authorization",
			  buf_str(&value), ok);
	if (value.data)
		explicit_bzero(value.data, value.len);
	buf_release(&value);
	return list;
}

static void set_body(CURL *curl, const struct post_request *rq)
{
	if (rq->method && !strcmp(rq->method, "GET")) {
		set_long(curl, CURLOPT_HTTPGET, 1);
		return;
	}
	set_long(curl, CURLOPT_POST, 1);
	if (rq->method)
		set_text(curl, CURLOPT_CUSTOMREQUEST, rq->method);
	libcurl.easy_setopt(curl, CURLOPT_POSTFIELDS, rq->body);
	libcurl.easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)rq->n_body);
}

static void set_request(struct transport_curl *t, const struct post_request *rq, const char *url,
			const struct curl_slist *headers, struct post_reply *reply)
{
	libcurl.easy_setopt(t->curl, CURLOPT_ERRORBUFFER, t->error);
	set_text(t->curl, CURLOPT_URL, url);
	set_text(t->curl, CURLOPT_USERAGENT, "pawl/" PAWL_VERSION);
	libcurl.easy_setopt(t->curl, CURLOPT_HTTPHEADER, headers);
	set_body(t->curl, rq);
	/* What it kept open may have died: then libcurl sends again by itself. */
	set_long(t->curl, CURLOPT_FRESH_CONNECT, rq->once);
	reply->max_body = rq->max_reply ? rq->max_reply : POST_MAX_REPLY;
	libcurl.easy_setopt(t->curl, CURLOPT_WRITEFUNCTION, take_body);
	libcurl.easy_setopt(t->curl, CURLOPT_WRITEDATA, reply);
	libcurl.easy_setopt(t->curl, CURLOPT_HEADERFUNCTION, take_header);
	libcurl.easy_setopt(t->curl, CURLOPT_HEADERDATA, reply);
}

static int post_by_curl(void *ctx, const struct post_request *rq, struct post_reply *reply,
			struct err *err)
{
	const char *type = rq->content_type ? rq->content_type : "application/json";
	struct transport_curl *t = ctx;
	struct curl_slist *headers = NULL;
	struct buf address = BUF_INIT;
	struct url url;
	bool ok = true;
	int result = -1;

	if (check_request(t, rq, &url, err))
		return -1;
	headers = add_header(headers, "Content-Type", type, &ok);
	headers = add_header(headers, "Accept", "application/json", &ok);
	if (rq->coding)
		headers = add_header(headers, "Content-Encoding", rq->coding, &ok);
	if (rq->token)
		headers = add_token(headers, rq, &ok);
	buf_addf(&address, "%s%s%s", rq->url, rq->query ? "?" : "", rq->query ? rq->query : "");
	if (!ok || address.failed) {
		err_nomem(err);
		goto out;
	}
	libcurl.easy_reset(t->curl);
	t->error[0] = '\0';
	set_limits(t, rq);
	set_protocols(t->curl, &url);
	set_request(t, rq, buf_str(&address), headers, reply);
	result = finish(t, perform(t->curl), &url, reply, err);
out:
	buf_release(&address);
	libcurl.slist_free_all(headers);
	return result;
}

int transport_curl_open(const struct transport_curl_options *options, struct transport *out,
			struct err *err)
{
	struct transport_curl *t;

	if (libcurl_open(err))
		return -1;
	if (libcurl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return err_set(err, ERR_NET, "libcurl cannot start");
	t = calloc(1, sizeof(*t));
	if (t)
		t->curl = libcurl.easy_init();
	if (!t || !t->curl) {
		free(t);
		libcurl.global_cleanup();
		return err_nomem(err);
	}
	t->options = *options;
	if (!t->options.connect_ns)
		t->options.connect_ns = TRANSPORT_CURL_CONNECT_NS;
	if (!t->options.timeout_ns)
		t->options.timeout_ns = TRANSPORT_CURL_TIMEOUT_NS;
	out->post = post_by_curl;
	out->ctx = t;
	return 0;
}

void transport_curl_close(struct transport *transport)
{
	struct transport_curl *t = transport->ctx;

	if (!t)
		return;
	libcurl.easy_cleanup(t->curl);
	free(t);
	libcurl.global_cleanup();
	transport->post = NULL;
	transport->ctx = NULL;
}

const char *transport_curl_version(void)
{
	return libcurl_open(NULL) ? NULL : libcurl.version();
}
