/*
 * plan - what is to be measured: every configured executable, its benchmarks, and the base.
 */
#ifndef PAWL_COLLECTOR_PLAN_H
#define PAWL_COLLECTOR_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "collector/run/runner.h"
#include "collector/unit/units.h"
#include "lib/base/talk.h"
#include "lib/config/config.h"
#include "lib/record/history.h"

struct plan_request {
	const struct config *config;
	const struct process_runner *runner;
	const char *top;	       /* commands are relative to it */
	const char *cache_dir;	       /* NULL: no cache; every executable runs in place */
	const struct history *history; /* NULL: nothing to compare with yet */
	const struct strv *only; /* these alone, by name or that of their section; NULL: all */
	bool wholes; /* also a whole program, where they name a benchmark inside of it */
	const struct talk *talk;
	const char *way;	/* how the head was built: trees_way(); NULL: not known */
	const struct strv *env; /* "NAME=value" for what runs; NULL: nothing of its own */
	const char *foreign;	/* the user's work tree, of which nothing may run; NULL: none */
	uint64_t until_ns; /* CLOCK_MONOTONIC, behind which no further one is looked at; 0: none */
	size_t most;	   /* of the configured ones, in the order below; 0: all */
	const uint64_t *seed; /* looks at them in random order; NULL: as they are configured */
};

/*
 * Makes the units.  What is wrong with one benchmark becomes that unit's failure; only
 * ERR_STOPPED, ERR_NOMEM, ERR_IO and ERR_CONFIG (two units of one name) are errors of the call.
 */
int plan_make(const struct plan_request *rq, struct plan *out, struct err *err);

/*
 * One unit for each configured benchmark that was not looked at, as unreached; config, only and
 * seed are those of the request.  Then all are put as they are configured: their pointers change.
 * Errors: ERR_NOMEM, ERR_CONFIG.
 */
int plan_rest(const struct plan_request *rq, struct plan *out, struct err *err);

/* One failed unit for each configured benchmark: the build failed, which is a result too. */
int plan_fail(const struct config *config, const struct err *why, struct plan *out,
	      struct err *err);

#endif
