/*
 * plan - what is to be measured: every configured executable, its benchmarks, and the base.
 */
#ifndef PAWL_COLLECTOR_PLAN_H
#define PAWL_COLLECTOR_PLAN_H

#include <stddef.h>

#include "collector/run/runner.h"
#include "collector/schedule/unit.h"
#include "lib/base/talk.h"
#include "lib/config/config.h"
#include "lib/record/history.h"

struct plan {
	struct unit *units;
	size_t n, cap;
	struct strv kept; /* code ids in use: the cache must not drop them */
};

#define PLAN_INIT \
	{ \
		NULL, 0, 0, STRV_INIT \
	}

void plan_release(struct plan *plan);

struct plan_request {
	const struct config *config;
	const struct process_runner *runner;
	const char *top;	       /* commands are relative to it */
	const char *cache_dir;	       /* NULL: no cache; every executable runs in place */
	const struct history *history; /* NULL: nothing to compare with yet */
	const struct strv *only; /* these alone, by name or that of their section; NULL: all */
	const struct talk *talk;
	const char *foreign; /* the user's work tree, of which nothing may run; NULL: none */
};

/*
 * Makes the units.  What is wrong with one benchmark becomes that unit's failure; only
 * ERR_STOPPED, ERR_NOMEM, ERR_IO and ERR_CONFIG (two units of one name) are errors of the call.
 */
int plan_make(const struct plan_request *rq, struct plan *out, struct err *err);

/*
 * Appends an empty unit (the array may move), or NULL: ERR_CHILD for a name that is too long,
 * ERR_CONFIG when there is one of that name; ERR_NOMEM.  inner may be NULL.
 */
struct unit *plan_add(struct plan *plan, const struct bench_config *config, const char *inner,
		      struct err *err);

/* The unit of that name, or NULL. */
struct unit *plan_find(const struct plan *plan, const char *name);

/* Whether the name lies in the section: is its name, or begins with it and a slash. */
bool plan_lies_in(const char *name, const char *section);

/* Whether one of the names (NULL, empty: all) is the section or lies in it. */
bool plan_concerns(const struct strv *only, const struct bench_config *config);

/* One failed unit for each configured benchmark: the build failed, which is a result too. */
int plan_fail(const struct config *config, const struct err *why, struct plan *out,
	      struct err *err);

#endif
