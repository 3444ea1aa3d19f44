/*
 * units - all that is to be measured, each benchmark under a name of its own.
 */
#ifndef PAWL_COLLECTOR_UNIT_UNITS_H
#define PAWL_COLLECTOR_UNIT_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/unit/unit.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/config/config.h"

struct plan {
	struct unit *units;
	size_t n, cap;
	struct strv kept; /* code ids in use: the cache must not drop them */
	size_t n_looked;  /* configured benchmarks that were looked at, in the order of looking */
};

#define PLAN_INIT \
	{ \
		NULL, 0, 0, STRV_INIT, 0 \
	}

void plan_release(struct plan *plan);

/*
 * Appends an empty unit (the array may move), or NULL: ERR_CHILD for a name that is too long,
 * ERR_CONFIG when there is one of that name, or as many as a result holds; ERR_NOMEM.  inner may be
 * NULL.
 */
struct unit *plan_add(struct plan *plan, const struct bench_config *config, const char *inner,
		      struct err *err);

/* Before anything is measured: ERR_CONFIG where a result does not hold so many. */
int plan_refuse_many(size_t n, struct err *err);

/* The unit of that name, or NULL. */
struct unit *plan_find(const struct plan *plan, const char *name);

/* Whether the name lies in the section: is its name, or begins with it and a slash. */
bool plan_lies_in(const char *name, const char *section);

/*
 * Whether the name means the unit: is its own, its section's, what its own lies below, or lies in a
 * section that failed.
 */
bool plan_means(const char *name, const struct unit *u);

/*
 * Appends a name that means that unit, and others of its section where names have more parts;
 * section: what its section is called, or will be.
 */
void plan_name_some(const struct unit *u, const char *section, struct buf *out);

/* Whether one of the names (NULL, empty: all) is the section or lies in it. */
bool plan_concerns(const struct strv *only, const struct bench_config *config);

/* Appends the programs whose code was identified, as commands name them, each once.  ERR_NOMEM. */
int plan_programs(const struct plan *plan, struct strv *out, struct err *err);

#endif
