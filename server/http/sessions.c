#include "server/http/sessions.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "lib/record/ulid.h"

#include "lib/base/banned.h"

#define LONGEST_NS (SESSIONS_HOURS * 3600 * UINT64_C(1000000000))

void sessions_init(struct sessions *s)
{
	memset(s, 0, sizeof(*s));
	pthread_mutex_init(&s->lock, NULL);
}

void sessions_release(struct sessions *s)
{
	pthread_mutex_destroy(&s->lock);
}

static bool is_over(const struct session *at, uint64_t now_ns)
{
	return !at->since_ns || now_ns - at->since_ns > LONGEST_NS;
}

/* Where a new one goes; with the lock. */
static struct session *place(struct sessions *s, const char *token, uint64_t now_ns)
{
	struct session *oldest = &s->slots[0], *own = NULL, *vacant = NULL;
	size_t i, n_own = 0;

	for (i = 0; i < SESSIONS_MOST; i++) {
		struct session *at = &s->slots[i];

		if (is_over(at, now_ns)) {
			vacant = at;
			continue;
		}
		if (at->since_ns < oldest->since_ns)
			oldest = at;
		if (strcmp(at->token, token))
			continue;
		n_own++;
		if (!own || at->since_ns < own->since_ns)
			own = at;
	}
	if (n_own >= SESSIONS_PER_TOKEN)
		return own;
	return vacant ? vacant : oldest;
}

int sessions_open(struct sessions *s, const char *token, uint64_t now_ns,
		  char out_secret[SESSION_SECRET], struct err *err)
{
	unsigned char bytes[32];
	char sha256[DIGEST_HEX];
	struct session *at;

	if (random_bytes(bytes, sizeof(bytes), err))
		return -1;
	hex_encode(bytes, sizeof(bytes), out_secret);
	if (digest_of(out_secret, SESSION_SECRET - 1, sha256, err))
		return -1;
	pthread_mutex_lock(&s->lock);
	at = place(s, token, now_ns);
	memcpy(at->sha256, sha256, sizeof(sha256));
	snprintf(at->token, sizeof(at->token), "%s", token);
	at->since_ns = now_ns ? now_ns : 1;
	pthread_mutex_unlock(&s->lock);
	return 0;
}

/* With the lock; how long it takes tells nothing but of digests. */
static struct session *find(struct sessions *s, const char *sha256)
{
	size_t i;

	for (i = 0; i < SESSIONS_MOST; i++)
		if (s->slots[i].since_ns && !strcmp(s->slots[i].sha256, sha256))
			return &s->slots[i];
	return NULL;
}

static bool digest_secret(const char *secret, char out[DIGEST_HEX])
{
	return strlen(secret) == SESSION_SECRET - 1 &&
	       !digest_of(secret, SESSION_SECRET - 1, out, NULL);
}

bool sessions_find(struct sessions *s, const char *secret, uint64_t now_ns,
		   char out_token[SESSION_TOKEN])
{
	char sha256[DIGEST_HEX];
	struct session *at;
	bool found;

	if (!digest_secret(secret, sha256))
		return false;
	pthread_mutex_lock(&s->lock);
	at = find(s, sha256);
	found = at && !is_over(at, now_ns);
	if (found)
		memcpy(out_token, at->token, SESSION_TOKEN);
	pthread_mutex_unlock(&s->lock);
	return found;
}

void sessions_close(struct sessions *s, const char *secret)
{
	char sha256[DIGEST_HEX];
	struct session *at;

	if (!digest_secret(secret, sha256))
		return;
	pthread_mutex_lock(&s->lock);
	at = find(s, sha256);
	if (at)
		memset(at, 0, sizeof(*at));
	pthread_mutex_unlock(&s->lock);
}
