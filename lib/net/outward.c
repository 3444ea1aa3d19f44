#include "lib/net/outward.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/net/libcurl.h"
#include "lib/net/private.h"
#include "lib/net/url.h"

#include "lib/base/banned.h"

#define MOST_HEADER_BYTES 65536

/* One exchange. */
struct outward {
	const struct outward_request *rq;
	struct outward_reply *reply;
	CURL *curl;
	struct curl_slist *headers, *to;
	bool is_mail, is_plain;
	bool is_refused;  /* an address that it may not be led to */
	bool is_too_long; /* what came back was cut off */
	size_t n_sent, n_body, n_head;
	char error[CURL_ERROR_SIZE];
};

static void set_long(CURL *curl, CURLoption option, long value)
{
	libcurl.easy_setopt(curl, option, value);
}

static void set_text(CURL *curl, CURLoption option, const char *value)
{
	libcurl.easy_setopt(curl, option, value);
}

/* Called with the very address that is dialled. */
static curl_socket_t open_socket(void *ctx, curlsocktype purpose, struct curl_sockaddr *a)
{
	struct outward *o = ctx;
	bool loopback = address_is_loopback(&a->addr);

	(void)purpose;
	if ((address_is_private(&a->addr) && !o->rq->allow_private) || (o->is_plain && !loopback)) {
		o->is_refused = true;
		return CURL_SOCKET_BAD;
	}
	return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

static size_t take_body(char *bytes, size_t size, size_t n, void *ctx)
{
	struct outward *o = ctx;

	(void)bytes;
	o->n_body += size * n;
	o->is_too_long = o->n_body > OUTWARD_MOST_REPLY;
	return o->is_too_long ? 0 : size * n;
}

static size_t take_header(char *bytes, size_t size, size_t n, void *ctx)
{
	struct outward *o = ctx;

	(void)bytes;
	o->n_head += size * n;
	return o->n_head > MOST_HEADER_BYTES ? 0 : size * n;
}

static size_t give_body(char *bytes, size_t size, size_t n, void *ctx)
{
	struct outward *o = ctx;
	size_t left = o->rq->n - o->n_sent;

	n *= size;
	if (n > left)
		n = left;
	memcpy(bytes, o->rq->body + o->n_sent, n);
	o->n_sent += n;
	return n;
}

static int look_for_stop(void *ctx, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	const struct outward *o = ctx;

	(void)a;
	(void)b;
	(void)c;
	(void)d;
	return o->rq->stop && atomic_load(o->rq->stop);
}

static int add_texts(struct curl_slist **list, const struct strv *texts, struct err *err)
{
	size_t i;

	for (i = 0; texts && i < texts->n; i++) {
		struct curl_slist *longer = libcurl.slist_append(*list, texts->v[i]);

		if (!longer)
			return err_nomem(err);
		*list = longer;
	}
	return 0;
}

static void set_limits(struct outward *o)
{
	CURL *c = o->curl;

	set_long(c, CURLOPT_NOSIGNAL, 1);
	set_long(c, CURLOPT_TIMEOUT_MS, (long)(o->rq->timeout_ns / 1000000 + 1));
	set_long(c, CURLOPT_CONNECTTIMEOUT_MS, (long)(o->rq->timeout_ns / 1000000 + 1));
#if LIBCURL_VERSION_NUM >= 0x075700
	/* A name that nobody resolves is not waited for when all else is over. */
	set_long(c, CURLOPT_QUICK_EXIT, 1);
#endif
	set_long(c, CURLOPT_NOPROGRESS, 0);
	libcurl.easy_setopt(c, CURLOPT_XFERINFOFUNCTION, look_for_stop);
	libcurl.easy_setopt(c, CURLOPT_XFERINFODATA, o);
	libcurl.easy_setopt(c, CURLOPT_WRITEFUNCTION, take_body);
	libcurl.easy_setopt(c, CURLOPT_WRITEDATA, o);
	libcurl.easy_setopt(c, CURLOPT_HEADERFUNCTION, take_header);
	libcurl.easy_setopt(c, CURLOPT_HEADERDATA, o);
	libcurl.easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, open_socket);
	libcurl.easy_setopt(c, CURLOPT_OPENSOCKETDATA, o);
	libcurl.easy_setopt(c, CURLOPT_ERRORBUFFER, o->error);
}

static void set_way(struct outward *o)
{
	const char *bundle = getenv("CURL_CA_BUNDLE");
	CURL *c = o->curl;

	set_text(c, CURLOPT_URL, o->rq->url);
	set_text(c, CURLOPT_PROXY, "");
	set_text(c, CURLOPT_USERAGENT, "pawld/" PAWL_VERSION);
	set_long(c, CURLOPT_FOLLOWLOCATION, 0);
#if LIBCURL_VERSION_NUM >= 0x075500
	set_text(c, CURLOPT_PROTOCOLS_STR, o->is_mail ? "smtp,smtps" : "http,https");
#else
	set_long(c, CURLOPT_PROTOCOLS,
		 o->is_mail ? CURLPROTO_SMTP | CURLPROTO_SMTPS : CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
	set_long(c, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2);
	if (!bundle || !*bundle)
		bundle = getenv("SSL_CERT_FILE");
	if (bundle && *bundle)
		set_text(c, CURLOPT_CAINFO, bundle);
}

static void set_mail(struct outward *o)
{
	CURL *c = o->curl;

	set_text(c, CURLOPT_MAIL_FROM, o->rq->from);
	libcurl.easy_setopt(c, CURLOPT_MAIL_RCPT, o->to);
	set_long(c, CURLOPT_USE_SSL, o->is_plain ? (long)CURLUSESSL_NONE : (long)CURLUSESSL_ALL);
	if (o->rq->user && o->rq->password && !o->is_plain) {
		set_text(c, CURLOPT_USERNAME, o->rq->user);
		set_text(c, CURLOPT_PASSWORD, o->rq->password);
	}
	set_long(c, CURLOPT_UPLOAD, 1);
	libcurl.easy_setopt(c, CURLOPT_READFUNCTION, give_body);
	libcurl.easy_setopt(c, CURLOPT_READDATA, o);
	libcurl.easy_setopt(c, CURLOPT_INFILESIZE_LARGE, (curl_off_t)o->rq->n);
}

static void set_post(struct outward *o)
{
	CURL *c = o->curl;

	set_long(c, CURLOPT_POST, 1);
	libcurl.easy_setopt(c, CURLOPT_HTTPHEADER, o->headers);
	libcurl.easy_setopt(c, CURLOPT_POSTFIELDS, o->rq->body);
	libcurl.easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)o->rq->n);
}

static void explain(struct outward *o, CURLcode code)
{
	struct outward_reply *r = o->reply;

	if (o->is_refused)
		snprintf(r->why, sizeof(r->why), "%s",
			 o->is_plain && o->rq->allow_private
				 ? "it leads out of this machine without TLS"
				 : "it leads to a private address, which is not allowed");
	else
		snprintf(r->why, sizeof(r->why), "%s",
			 o->error[0] ? o->error : libcurl.easy_strerror(code));
	err_clean(r->why);
}

static int finish(struct outward *o, CURLcode code, struct err *err)
{
	curl_off_t after_s = 0;
	long status = 0;

	if (code == CURLE_ABORTED_BY_CALLBACK)
		return err_set(err, ERR_STOPPED, "stopped while sending");
	if (code == CURLE_OUT_OF_MEMORY)
		return err_nomem(err);
	libcurl.easy_getinfo(o->curl, CURLINFO_RESPONSE_CODE, &status);
	libcurl.easy_getinfo(o->curl, CURLINFO_RETRY_AFTER, &after_s);
	o->reply->retry_after_s = (int64_t)after_s;
	/* An answer that goes on for ever has said all that matters in its first line. */
	if (code == CURLE_WRITE_ERROR && o->is_too_long)
		code = CURLE_OK;
	if (code != CURLE_OK && status < 400)
		explain(o, code);
	/* A mail that broke off behind "250" of an earlier command was not taken. */
	o->reply->status = code == CURLE_OK || status >= 400 ? (int)status : 0;
	return 0;
}

/* A name that can only be this machine's; what it resolves to is looked at again. */
static bool is_loopback_name(const char *url)
{
	const char *host = strstr(url, "://") + 3;
	struct url u = { .is_https = false };
	size_t n = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/?");

	if (n >= sizeof(u.host))
		return false;
	memcpy(u.host, host, n);
	return url_is_loopback(&u);
}

static int check_url(struct outward *o, struct err *err)
{
	const char *url = o->rq->url;

	if (str_starts(url, "https://") || str_starts(url, "smtps://"))
		o->is_plain = false;
	else if (str_starts(url, "http://") || str_starts(url, "smtp://"))
		o->is_plain = str_starts(url, "http://") || is_loopback_name(url);
	else
		return err_set(err, ERR_CONFIG, "'%s' is neither http(s) nor smtp(s)", url);
	o->is_mail = str_starts(url, "smtp");
	return 0;
}

int outward_send(const struct outward_request *rq, struct outward_reply *out, struct err *err)
{
	struct outward o = { .rq = rq, .reply = out };
	int result = -1;

	*out = (struct outward_reply){ .status = 0 };
	if (check_url(&o, err) || libcurl_open(err))
		return -1;
	o.curl = libcurl.easy_init();
	if (!o.curl)
		return err_nomem(err);
	if (add_texts(&o.headers, rq->headers, err) || add_texts(&o.to, rq->to, err))
		goto out;
	set_way(&o);
	set_limits(&o);
	(o.is_mail ? set_mail : set_post)(&o);
	result = finish(&o, libcurl.easy_perform(o.curl), err);
out:
	libcurl.easy_cleanup(o.curl);
	libcurl.slist_free_all(o.headers);
	libcurl.slist_free_all(o.to);
	return result;
}
