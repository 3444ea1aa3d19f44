#include "server/http/rate.h"

#include <string.h>

#include "lib/base/banned.h"

#define MINUTE_NS 60000000000u

void rate_init(struct rate *r, unsigned per_minute)
{
	memset(r, 0, sizeof(*r));
	pthread_mutex_init(&r->lock, NULL);
	r->period_ns = per_minute ? MINUTE_NS / per_minute : 0;
}

void rate_release(struct rate *r)
{
	pthread_mutex_destroy(&r->lock);
}

/* FNV-1a.  Names are given by the server: nobody chooses two of the same key. */
static uint64_t key_of(const char *name, bool apart)
{
	uint64_t key = (14695981039346656037u ^ apart) * 1099511628211u;

	for (; *name; name++)
		key = (key ^ (unsigned char)*name) * 1099511628211u;
	return key;
}

/* Its own, or else the one whose token is soonest free of what it took. */
static struct rate_slot *slot_of(struct rate *r, uint64_t key)
{
	struct rate_slot *set = r->slots[key % RATE_SETS], *least = set;
	int i;

	for (i = 0; i < RATE_WAYS; i++) {
		if (set[i].key == key)
			return &set[i];
		if (set[i].due_ns < least->due_ns)
			least = &set[i];
	}
	*least = (struct rate_slot){ .key = key };
	return least;
}

bool rate_take(struct rate *r, const char *name, bool apart, uint64_t now_ns, unsigned *out_wait_s)
{
	struct rate_slot *slot;
	uint64_t due_ns, ahead_ns;

	if (!r->period_ns)
		return true;
	pthread_mutex_lock(&r->lock);
	slot = slot_of(r, key_of(name, apart));
	due_ns = (slot->due_ns > now_ns ? slot->due_ns : now_ns) + r->period_ns;
	ahead_ns = due_ns - now_ns;
	if (ahead_ns <= MINUTE_NS)
		slot->due_ns = due_ns;
	pthread_mutex_unlock(&r->lock);
	if (ahead_ns <= MINUTE_NS)
		return true;
	atomic_fetch_add(&r->n_refused, 1);
	*out_wait_s = (unsigned)((ahead_ns - MINUTE_NS + 999999999u) / 1000000000u);
	return false;
}
