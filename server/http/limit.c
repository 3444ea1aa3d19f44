#include "server/http/limit.h"

#include <netinet/in.h>
#include <string.h>

#include "lib/base/banned.h"

#define MINUTE_NS 60000000000u

void limit_init(struct limit *l)
{
	memset(l, 0, sizeof(*l));
	pthread_mutex_init(&l->lock, NULL);
}

void limit_release(struct limit *l)
{
	pthread_mutex_destroy(&l->lock);
}

/* Of IPv6 the network: its owner has as many addresses as he likes. */
static void key_of(const struct sockaddr *address, unsigned char out[16])
{
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;

	memset(out, 0, 16);
	if (address->sa_family == AF_INET) {
		memcpy(&v4, address, sizeof(v4));
		memcpy(out + 12, &v4.sin_addr, 4);
	} else if (address->sa_family == AF_INET6) {
		memcpy(&v6, address, sizeof(v6));
		memcpy(out, &v6.sin6_addr, 8);
	}
}

bool limit_count(struct limit *l, const struct sockaddr *address, uint64_t now_ns)
{
	unsigned char key[16];
	unsigned i, hash = 5381;
	bool within;

	key_of(address, key);
	for (i = 0; i < 16; i++)
		hash = hash * 33 + key[i];
	hash %= LIMIT_SLOTS;
	pthread_mutex_lock(&l->lock);
	if (memcmp(l->slots[hash].address, key, 16) || !l->slots[hash].n ||
	    now_ns - l->slots[hash].since_ns >= MINUTE_NS) {
		memcpy(l->slots[hash].address, key, 16);
		l->slots[hash].since_ns = now_ns;
		l->slots[hash].n = 0;
	}
	within = ++l->slots[hash].n <= LIMIT_PER_MINUTE;
	pthread_mutex_unlock(&l->lock);
	return within;
}
