/*
 * limit - counts what an address did wrong within a minute.
 */
#ifndef PAWL_SERVER_HTTP_LIMIT_H
#define PAWL_SERVER_HTTP_LIMIT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#define LIMIT_SLOTS 1024
#define LIMIT_PER_MINUTE 10

/* Fixed size: an address that shares its slot with a newer one starts afresh. */
struct limit {
	pthread_mutex_t lock;
	struct {
		unsigned char address[16];
		uint64_t since_ns;
		unsigned n;
	} slots[LIMIT_SLOTS];
};

void limit_init(struct limit *l);
void limit_release(struct limit *l);

/* Counts one more; false when it is beyond the limit of this minute. */
bool limit_count(struct limit *l, const struct sockaddr *address, uint64_t now_ns);

#endif
