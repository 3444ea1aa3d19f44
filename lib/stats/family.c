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
 * Pairs until p would reach what `rank` flags of the family need.  The test's z grows with the
 * square root of n.
 */
static double pairs_for_flag(const struct family_member *member, double q, size_t rank, size_t m)
{
	double needed = normal_quantile(1 - 0.5 * q * (double)rank / (double)m);
	double seen = normal_quantile(1 - 0.5 * p_of(member));

	if (!(seen > 0))
		return (double)NAN;
	return fmax((double)member->n + 1,
		    ceil((double)member->n * (needed / seen) * (needed / seen)));
}

/*
 * How near to 0 its interval comes, and how near it may come: the threshold filters the noise that
 * is within it, beyond that only the change itself is left as a yardstick.
 */
static bool is_weak(const struct judgement *judged, double delta_log)
{
	double near_end = judged->theta > 0 ? judged->low : -judged->high;
	bool within = 0.5 * (judged->high - judged->low) <= delta_log;

	return near_end < 0.5 * (within ? delta_log : fabs(judged->theta));
}

static bool stands(const struct family_member *member, double sure)
{
	const struct judgement *judged = &member->judged;

	return judged->call != CALL_INCONCLUSIVE &&
	       (!is_weak(judged, member->delta_log) || judged->p_adjusted <= sure);
}

static void raise_noise_floor(struct family_member *member)
{
	struct judgement *judged = &member->judged;
	double needed = normal_quantile(1 - 0.5 * FAMILY_SURE / (double)member->n_looks);
	double plain = normal_quantile(1 - 0.5 * member->alpha);
	double times = fmax(1, fmin(2, needed / plain));

	judged->noise_floor =
		fmax(member->delta_log, times * (0.5 * judged->high - 0.5 * judged->low));
}

static int settle(struct family_member *member, double q, double sure, size_t k, size_t m,
		  struct err *err)
{
	struct judgement *judged = &member->judged;
	size_t rank = k < m ? k + 1 : m;

	if (member->n)
		raise_noise_floor(member);
	if (!was_called(member))
		return 0;
	if (member->flagged) {
		if (widen(member, fcr_level(q, k, m), err))
			return -1;
		judged->call = call_rule_a(judged, member->delta_log);
		if (stands(member, sure))
			return 0;
		q = sure;
		rank = k;
	}
	judged->call = CALL_INCONCLUSIVE;
	judged->pairs_needed = pairs_for_flag(member, q, rank, m);
	return 0;
}

int judge_family(struct family_member *member, size_t m, double q, double sure, struct err *err)
{
	double *p = NULL;
	size_t k = 0;
	int rc = -1;

	if (!(q > 0 && q < 1))
		return err_set(err, ERR_RANGE, "rate %g is not between 0 and 1", q);
	if (!(sure > 0 && sure <= q))
		return err_set(err, ERR_RANGE, "rate %g of what is weak is not in (0, %g]", sure,
			       q);
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
		if (settle(&member[i], q, sure, k, m, err))
			goto out;
	rc = 0;
out:
	free(p);
	return rc;
}

int judge_in_family(struct family_member *member, size_t m, bool sequential, struct err *err)
{
	struct judgement *judged = &member->judged;

	if (judge_pairs(member->d, member->n, member->alpha, sequential, member->delta_log, judged,
			err))
		return -1;
	judged->p_adjusted = fmin(1, p_of(member) * (double)m);
	member->flagged = judged->p_adjusted <= FAMILY_FDR;
	return settle(member, FAMILY_FDR, FAMILY_SURE, member->flagged, m, err);
}
