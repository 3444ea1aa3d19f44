/*
 * deliver - empties the store's queue towards the results server.
 *
 * One sender at a time, oldest first.  What the server refuses for good moves aside with its
 * reason; what may work later stays, with a time before which it is not tried again; what
 * fails for a setting (token, address) stays and is due at once.  No entry can block the
 * others: after a failure the next one is tried, and the failed ones come round again while
 * there is time.
 */
#ifndef PAWL_REPORTER_DELIVER_DELIVER_H
#define PAWL_REPORTER_DELIVER_DELIVER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/talk.h"
#include "lib/store/local/store.h"
#include "reporter/deliver/post.h"

#define DELIVER_INTERACTIVE_NS 60000000000ull
#define DELIVER_HOOK_NS 5000000000ull
#define DELIVER_WAIT_NS 900000000000ull /* pawl push --wait */

/* Time and chance; deliver_clock is the real one, tests bring their own. */
struct deliver_clock {
	uint64_t (*monotonic_ns)(void *ctx);
	int64_t (*wall_us)(void *ctx);
	void (*sleep_ns)(void *ctx, uint64_t ns);
	double (*chance)(void *ctx); /* [0, 1) */
	void *ctx;
};
extern const struct deliver_clock deliver_clock;

struct deliver_options {
	const struct transport *transport;
	const struct deliver_clock *clock; /* NULL: deliver_clock */
	const char *server;		   /* address, as configured */
	const char *token;		   /* NULL: none */
	const char *lock_path;		   /* made when missing; its folder must exist */
	uint64_t budget_ns;		   /* of the whole call, waits included */
	bool all;	  /* also what is not due yet: the user typed `pawl push` */
	bool keep_trying; /* also when nobody answers, until the budget is over */
	const volatile sig_atomic_t *stop; /* not 0: end soon; may be NULL */
};

struct delivery {
	size_t delivered, rejected; /* by this call */
	size_t left;		    /* still in the queue, for whatever reason */
	bool busy;		    /* somebody else is sending: nothing was tried */
	char text[960];		    /* one line for the user; "" when there was nothing to do */
	char cure[320];		    /* the next command to type; "" when all is well */
};

/*
 * Posts what is queued.  The counts of *out are filled in every case, also on failure, its
 * texts on success.  The first refused summaries are a warning each through talk (may be NULL).
 *
 * A network or a server that fails is no error: it is in *out.
 * Errors: ERR_CONFIG (address, token), ERR_IO (lock file), ERR_STOPPED, and those of the store.
 * Cost:   at most budget_ns, and one attempt's timeout, which never exceeds what is left of it.
 */
int deliver_queue(struct store *store, const struct deliver_options *opt, const struct talk *talk,
		  struct delivery *out, struct err *err);

#endif
