#include "lib/stats/family.h"

#include <math.h>
#include <stdlib.h>

#include "lib/stats/dist.h"
#include "lib/stats/multiple.h"
#include "lib/stats/sequential.h"
#include "lib/stats/walsh.h"

#include "lib/base/banned.h"

static bool was_called(const struct family_member *member)
{
	return member->n > 0 &&
	       (member->judged.call == CALL_REGRESSED || member->judged.call == CALL_IMPROVED);
}

static double p_of(const struct family_member *member)
{
	return member->n ? sequential_p(member->judged.p, member->n_looks) : 1;
}

/*
 * A flagged one's interval at the FCR level; over a schedule each look gets its share of the
 * error, as its p did.  Never narrower than what the benchmark had by itself.
 */
static int widen(struct family_member *member, double level, struct err *err)
{
	struct judgement *judged = &member->judged;
	struct walsh walsh = WALSH_INIT;
	double low, high;

	if (walsh_build(member->d, member->n, &walsh, err))
		return -1;
	walsh_interval(&walsh, 1 - (1 - level) / (double)member->n_looks, &low, &high);
	walsh_release(&walsh);
	judged->low = fmin(low, judged->low);
	judged->high = fmax(high, judged->high);
	judged->confidence = fmax(level, judged->confidence);
	return 0;
}

/*
 * Pairs until p would reach what one more flag of the family needs.  The test's z grows with the
 * square root of n.
 */
static double pairs_for_flag(const struct family_member *member, double q, size_t k, size_t m)
{
	double needed = normal_quantile(1 - 0.5 * q * (double)(k + 1) / (double)m);
	double seen = normal_quantile(1 - 0.5 * p_of(member));

	if (!(seen > 0))
		return (double)NAN;
	return fmax((double)member->n + 1,
		    ceil((double)member->n * (needed / seen) * (needed / seen)));
}

static int settle(struct family_member *member, double q, size_t k, size_t m, struct err *err)
{
	struct judgement *judged = &member->judged;

	if (!was_called(member))
		return 0;
	if (member->flagged) {
		if (widen(member, fcr_level(q, k, m), err))
			return -1;
		judged->call = call_rule_a(judged, member->delta_log);
		if (judged->call != CALL_INCONCLUSIVE)
			return 0;
	}
	judged->call = CALL_INCONCLUSIVE;
	judged->pairs_needed = pairs_for_flag(member, q, k < m ? k : m - 1, m);
	return 0;
}

int judge_family(struct family_member *member, size_t m, double q, struct err *err)
{
	double *p = NULL;
	size_t k = 0;
	int rc = -1;

	if (!(q > 0 && q < 1))
		return err_set(err, ERR_RANGE, "rate %g is not between 0 and 1", q);
	p = calloc(m ? m : 1, sizeof(*p));
	if (!p) {
		err_nomem(err);
		return -1;
	}
	for (size_t i = 0; i < m; i++)
		p[i] = p_of(&member[i]);
	if (adjust_bh(p, m, p, err))
		goto out;
	for (size_t i = 0; i < m; i++) {
		member[i].judged.p_adjusted = p[i];
		member[i].flagged = p[i] <= q;
		k += member[i].flagged;
	}
	for (size_t i = 0; i < m; i++)
		if (settle(&member[i], q, k, m, err))
			goto out;
	rc = 0;
out:
	free(p);
	return rc;
}
