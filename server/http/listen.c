#include "server/http/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/number.h"

#include "lib/base/banned.h"

static bool is_loopback(const struct listen_address *a)
{
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;

	if (a->address.ss_family == AF_INET) {
		memcpy(&v4, &a->address, sizeof(v4));
		return ntohl(v4.sin_addr.s_addr) >> 24 == 127;
	}
	memcpy(&v6, &a->address, sizeof(v6));
	return IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr);
}

/* host without brackets, numeric or "localhost": a name server has no say in this. */
static bool set_host(struct listen_address *a, const char *host, uint16_t port)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons(port) };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons(port) };

	if (!strcmp(host, "localhost"))
		host = "127.0.0.1";
	if (inet_pton(AF_INET, host, &v4.sin_addr) == 1) {
		memcpy(&a->address, &v4, sizeof(v4));
		a->n = sizeof(v4);
		return true;
	}
	if (inet_pton(AF_INET6, host, &v6.sin6_addr) == 1) {
		memcpy(&a->address, &v6, sizeof(v6));
		a->n = sizeof(v6);
		return true;
	}
	return false;
}

int listen_parse(const char *text, struct listen_address *out, struct err *err)
{
	const char *colon = strrchr(text, ':');
	struct listen_address a = { .n = 0 };
	char host[64];
	uint64_t port;
	size_t n;

	if (!colon || !number_u64(colon + 1, &port) || port > 65535)
		goto out;
	n = (size_t)(colon - text);
	if (n >= 2 && text[0] == '[' && text[n - 1] == ']') {
		text++;
		n -= 2;
	}
	if (!n || n >= sizeof(host))
		goto out;
	memcpy(host, text, n);
	host[n] = '\0';
	if (!set_host(&a, host, (uint16_t)port))
		goto out;
	a.loopback = is_loopback(&a);
	*out = a;
	return 0;
out:
	err_set(err, ERR_USAGE, "'%s' is not ADDRESS:PORT", text);
	return err_hint(err, "for example 127.0.0.1:7295 or [::1]:7295");
}

static int fail(const struct listen_address *a, int fd, const char *doing, struct err *err)
{
	int number = errno;
	char url[96];

	if (fd >= 0)
		close(fd);
	listen_url(a, url, sizeof(url));
	errno = number;
	return err_sys(err, number == EADDRINUSE ? ERR_BUSY : ERR_IO, "cannot %s %s", doing, url);
}

/* share: more sockets of this process will have the same address. */
static int bind_one(const struct listen_address *a, bool share, struct err *err)
{
	const struct sockaddr *address = (const struct sockaddr *)&a->address;
	int yes = 1, fd;

	fd = socket(a->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) ||
	    (share && setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof(yes))) ||
	    (a->address.ss_family == AF_INET6 &&
	     setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof(yes))) ||
	    bind(fd, address, a->n)) {
		fail(a, fd, "listen on", err);
		return -1;
	}
	return fd;
}

/* Sharing an address would also share it with another pawld: that is found out first. */
static int check_free(const struct listen_address *a, struct err *err)
{
	int fd = bind_one(a, false, err);

	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

int listen_open(struct listen_address *address, int *fds, size_t n, struct err *err)
{
	struct listen_address a = *address;
	size_t i, opened = 0;

	if (check_free(&a, err))
		return -1;
	for (i = 0; i < n; i++) {
		fds[i] = bind_one(&a, true, err);
		if (fds[i] < 0)
			goto out;
		opened++;
		if (listen(fds[i], 1024) ||
		    getsockname(fds[i], (struct sockaddr *)&a.address, &a.n)) {
			fail(&a, -1, "listen on", err);
			goto out;
		}
	}
	*address = a;
	return 0;
out:
	while (opened)
		close(fds[--opened]);
	return -1;
}

void listen_url(const struct listen_address *address, char *out, size_t size)
{
	char host[INET6_ADDRSTRLEN] = "";
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;

	if (address->address.ss_family == AF_INET) {
		memcpy(&v4, &address->address, sizeof(v4));
		inet_ntop(AF_INET, &v4.sin_addr, host, sizeof(host));
		snprintf(out, size, "http://%s:%u", host, ntohs(v4.sin_port));
	} else {
		memcpy(&v6, &address->address, sizeof(v6));
		inet_ntop(AF_INET6, &v6.sin6_addr, host, sizeof(host));
		snprintf(out, size, "http://[%s]:%u", host, ntohs(v6.sin6_port));
	}
}
