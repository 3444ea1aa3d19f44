#include "lib/net/private.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/banned.h"

struct block {
	uint32_t first;
	int bits;
};

static const struct block blocks[] = {
	{ 0x00000000, 8 },  /* 0.0.0.0: this network */
	{ 0x0a000000, 8 },  /* 10.0.0.0 */
	{ 0x64400000, 10 }, /* 100.64.0.0: behind a carrier's NAT */
	{ 0x7f000000, 8 },  /* 127.0.0.0 */
	{ 0xa9fe0000, 16 }, /* 169.254.0.0: link-local, and clouds' metadata */
	{ 0xac100000, 12 }, /* 172.16.0.0 */
	{ 0xc0000000, 24 }, /* 192.0.0.0: protocol assignments */
	{ 0xc0a80000, 16 }, /* 192.168.0.0 */
	{ 0xc6120000, 15 }, /* 198.18.0.0: benchmarks of networks */
	{ 0xe0000000, 3 },  /* 224.0.0.0 and above: multicast, reserved, broadcast */
};

static bool is_private_v4(uint32_t a)
{
	size_t i;

	for (i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
		if (((a ^ blocks[i].first) >> (32 - blocks[i].bits)) == 0)
			return true;
	return false;
}

static uint32_t v4_at(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* IPv4 inside: mapped, 6to4, NAT64; and those of before, without a prefix. */
static bool wraps_private(const unsigned char *p)
{
	static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff };
	static const unsigned char nat64[12] = { 0, 0x64, 0xff, 0x9b };
	static const unsigned char none[12];

	if (!memcmp(p, none, 12) || !memcmp(p, mapped, 12) || !memcmp(p, nat64, 12))
		return is_private_v4(v4_at(p + 12));
	return p[0] == 0x20 && p[1] == 0x02 && is_private_v4(v4_at(p + 2));
}

static bool is_private_v6(const unsigned char *p)
{
	static const unsigned char local_nat64[6] = { 0, 0x64, 0xff, 0x9b, 0, 1 };

	return (p[0] & 0xfe) == 0xfc ||				   /* fc00::/7 */
	       (p[0] == 0xfe && p[1] >= 0x80) ||		   /* link-local, site-local */
	       p[0] == 0xff ||					   /* multicast */
	       !memcmp(p, local_nat64, 6) ||			   /* a network's own NAT64 */
	       (p[0] == 0x20 && p[1] == 0x01 && !p[2] && !p[3]) || /* Teredo */
	       wraps_private(p);
}

static const unsigned char *bytes_of(const struct sockaddr *address)
{
	const void *p = address;

	return address->sa_family == AF_INET6
		       ? ((const struct sockaddr_in6 *)p)->sin6_addr.s6_addr
		       : (const unsigned char *)&((const struct sockaddr_in *)p)->sin_addr;
}

bool address_is_private(const struct sockaddr *address)
{
	if (address->sa_family == AF_INET)
		return is_private_v4(v4_at(bytes_of(address)));
	return address->sa_family != AF_INET6 || is_private_v6(bytes_of(address));
}

bool address_is_loopback(const struct sockaddr *address)
{
	static const unsigned char one[16] = { [15] = 1 };

	if (address->sa_family == AF_INET)
		return bytes_of(address)[0] == 127;
	return address->sa_family == AF_INET6 && !memcmp(bytes_of(address), one, 16);
}
