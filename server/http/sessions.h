/*
 * sessions - who has logged in: a secret in a cookie stands for a token, which is shown but once.
 *
 * In memory alone: another start of pawld asks everybody to log in again.
 */
#ifndef PAWL_SERVER_HTTP_SESSIONS_H
#define PAWL_SERVER_HTTP_SESSIONS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/digest/digest.h"

#define SESSIONS_MOST 1024
#define SESSIONS_PER_TOKEN 16
#define SESSIONS_HOURS 12
#define SESSION_SECRET 65 /* 64 digits and the NUL */
#define SESSION_TOKEN 13  /* a token's id and the NUL */

/* Fixed size; of a secret only its SHA-256 is kept. */
struct sessions {
	pthread_mutex_t lock;
	struct session {
		char sha256[DIGEST_HEX];
		char token[SESSION_TOKEN];
		uint64_t since_ns; /* 0: free */
	} slots[SESSIONS_MOST];
};

void sessions_init(struct sessions *s);
void sessions_release(struct sessions *s);

/*
 * Opens one for the token with that id.  The oldest of a token that has SESSIONS_PER_TOKEN ends,
 * or where all places are taken the oldest of all.
 * Errors: ERR_IO without randomness, ERR_NOMEM.
 */
int sessions_open(struct sessions *s, const char *token, uint64_t now_ns,
		  char out_secret[SESSION_SECRET], struct err *err);

/* The id of the token that the secret stands for; false: it is none, or older than SESSIONS_HOURS.
 */
bool sessions_find(struct sessions *s, const char *secret, uint64_t now_ns,
		   char out_token[SESSION_TOKEN]);

void sessions_close(struct sessions *s, const char *secret);

#endif
