#include "lib/net/url.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lib/base/number.h"

#include "lib/base/banned.h"

#define ALNUM "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
#define EXAMPLE "write it like https://results.example or http://127.0.0.1:7295"

static int refuse(struct err *err, const char *what)
{
	err_set(err, ERR_CONFIG, "address of the server: %s", what);
	return err_hint(err, EXAMPLE);
}

/* Copies n bytes if they fit. */
static bool take(char *out, size_t size, const char *from, size_t n)
{
	if (n >= size)
		return false;
	memcpy(out, from, n);
	out[n] = '\0';
	return true;
}

/* The host at p, [IPv6] included; its length, or 0 for what is none. */
static size_t host_length(const char *p)
{
	char inner[64];
	struct in6_addr address;
	size_t n;

	if (*p != '[') {
		n = strspn(p, ALNUM ".-_");
		return *p == '.' || *p == '-' ? 0 : n;
	}
	n = strcspn(p + 1, "]");
	if (p[1 + n] != ']' || !take(inner, sizeof(inner), p + 1, n) ||
	    inet_pton(AF_INET6, inner, &address) != 1)
		return 0;
	return n + 2;
}

static bool take_port(const char **p, char out[6])
{
	size_t n = strspn(*p + 1, "0123456789");
	uint64_t port;

	if (!take(out, 6, *p + 1, n) || !number_u64(out, &port) || !port || port > 65535)
		return false;
	*p += 1 + n;
	return true;
}

/* Takes off slashes at the end and the part that pawl appends itself. */
static void shorten(char *path)
{
	size_t n = strlen(path), api = strlen(URL_API);

	while (n && path[n - 1] == '/')
		path[--n] = '\0';
	if (n >= api && !strcmp(path + n - api, URL_API))
		path[n - api] = '\0';
}

int url_parse(const char *text, struct url *out, struct err *err)
{
	struct url url = { false, "", "", "" };
	const char *p = text;
	size_t n;

	if (!strncasecmp(p, "https://", 8))
		url.is_https = true;
	else if (strncasecmp(p, "http://", 7))
		return refuse(err, "it must begin with https:// or http://");
	p += url.is_https ? 8 : 7;
	if (memchr(p, '@', strcspn(p, "/?#"))) {
		err_set(err, ERR_CONFIG, "address of the server: it holds a user or a password");
		return err_hint(err, "put the token into PAWL_TOKEN or git's credential helper");
	}
	n = host_length(p);
	if (!n || !take(url.host, sizeof(url.host), p, n))
		return refuse(err, "it has no host name that can be read");
	p += n;
	if (*p == ':' && !take_port(&p, url.port))
		return refuse(err, "its port is not between 1 and 65535");
	if (*p && *p != '/')
		return refuse(err, "something else than a path comes after its host");
	n = strspn(p, ALNUM "/.-_~%+:@=,");
	if (p[n])
		return refuse(err, "its path holds a character that is not accepted");
	if (!take(url.path, sizeof(url.path), p, n))
		return refuse(err, "it is too long");
	shorten(url.path);
	*out = url;
	return 0;
}

const char *url_print(const struct url *url, const char *more, char out[URL_TEXT])
{
	snprintf(out, URL_TEXT, "http%s://%s%s%s%s%s", url->is_https ? "s" : "", url->host,
		 url->port[0] ? ":" : "", url->port, url->path, more);
	return out;
}

bool url_is_loopback(const struct url *url)
{
	struct in_addr v4;
	struct in6_addr v6;
	char inner[64];
	size_t n = strlen(url->host);

	if (!strcasecmp(url->host, "localhost"))
		return true;
	if (inet_pton(AF_INET, url->host, &v4) == 1)
		return ntohl(v4.s_addr) >> 24 == 127;
	return url->host[0] == '[' && take(inner, sizeof(inner), url->host + 1, n - 2) &&
	       inet_pton(AF_INET6, inner, &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}
