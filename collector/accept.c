#include "collector/accept.h"

#include "lib/base/strv.h"

#include "lib/base/banned.h"

static int mark(struct bench *b, const struct accepted_change *c, struct err *err)
{
	return str_set(&b->accepted.commit, c ? c->commit : NULL, err) ||
			       str_set(&b->accepted.because, c ? c->because : NULL, err)
		       ? -1
		       : 0;
}

int apply_accepted(struct repo *repo, const struct accepted *accepted, struct summary *s,
		   struct err *err)
{
	size_t i;

	for (i = 0; i < s->n_benchmarks; i++) {
		struct bench *b = &s->benchmarks[i];
		const char *base = b->baseline_commit ? b->baseline_commit : s->baseline.commit;
		const struct accepted_change *c = NULL;
		struct err fault = ERR_INIT;

		if (bench_verdict(b) == VERDICT_REGRESSED && !s->commit.dirty && s->commit.id &&
		    accepted_find(accepted, repo, base, s->commit.id, b->name, &c, &fault) &&
		    fault.code != ERR_ABSENT) {
			if (err)
				*err = fault;
			return -1;
		}
		if (mark(b, c, err))
			return -1;
	}
	return 0;
}
