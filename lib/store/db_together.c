#include <stdlib.h>

#include "lib/store/engine.h"

#include "lib/base/banned.h"

/* Who asks still more is answered one question after the other. */
#define MOST_PASSES 16

static int pass(struct db *db, size_t n, bool *done, size_t *out_left,
		int (*one)(void *ctx, size_t i, struct err *err), void *ctx, struct err *err)
{
	size_t i;

	*out_left = 0;
	for (i = 0; i < n; i++) {
		struct err fault = ERR_INIT;

		if (done[i])
			continue;
		done[i] = !one(ctx, i, &fault);
		if (done[i])
			continue;
		if (fault.code != ERR_LATER) {
			if (err)
				*err = fault;
			return -1;
		}
		(*out_left)++;
	}
	return *out_left ? db->engine->arrive(db, err) : 0;
}

int db_together(struct db *db, size_t n, int (*one)(void *ctx, size_t i, struct err *err),
		void *ctx, struct err *err)
{
	bool *done = calloc(n + 1, sizeof(*done));
	bool may_wait = db->is_held && db->engine->later;
	size_t left = n, passes;
	int result = done ? 0 : err_nomem(err);

	for (passes = 0; !result && left; passes++) {
		if (may_wait)
			db->engine->later(db, passes < MOST_PASSES);
		result = pass(db, n, done, &left, one, ctx, err);
	}
	if (may_wait)
		db->engine->later(db, false);
	free(done);
	return result;
}
