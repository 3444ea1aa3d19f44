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

/* The standard normal distance from 0 that this two-sided error asks for. */
static double z_of(double error)
{
	return normal_quantile(1 - 0.5 * error);
}

/*
 * Pairs until p would reach what `rank` flags of the family need, and the interval its distance
 * besides.  The test's z grows with the square root of n.
 */
static double pairs_for_flag(const struct family_member *member, double q, size_t rank, size_t m)
{
	double flag = z_of(q * (double)rank / (double)m / (double)member->n_looks);
	double needed = flag + FAMILY_DISTANCE * z_of(member->alpha);
	double seen = z_of(member->judged.p);

	if (!(seen > 0))
		return (double)NAN;
	return fmax((double)member->n + 1,
		    ceil((double)member->n * (needed / seen) * (needed / seen)));
}

/* The same for what is not even significant: until the longer arm leaves that much room. */
static double pairs_for_distance(const struct judgement *judged)
{
	double arm = fmax(judged->theta - judged->low, judged->high - judged->theta);
	double shrink = (1 + FAMILY_DISTANCE) * arm / fabs(judged->theta);

	return fmax((double)judged->n + 1, ceil((double)judged->n * shrink * shrink));
}

/* How far from 0 the end of the interval that is nearer to it. */
static double near_end(const struct judgement *judged)
{
	return judged->theta > 0 ? judged->low : -judged->high;
}

/* k of m are flagged. */
static int settle(struct family_member *member, bool gates, double q, size_t k, size_t m,
		  struct err *err)
{
	struct judgement *judged = &member->judged;
	double distance = FAMILY_DISTANCE * (fabs(judged->theta) - near_end(judged));
	double half = 0.5 * judged->high - 0.5 * judged->low;
	bool stands;

	if (!member->n)
		return 0;
	judged->noise_floor = fmax(member->delta_log, (1 + FAMILY_DISTANCE) * half);
	if (!was_called(member)) {
		if (judged->call == CALL_INCONCLUSIVE && isfinite(half) &&
		    fabs(judged->theta) >= member->delta_log && judged->theta != 0)
			judged->pairs_needed = pairs_for_distance(judged);
		return 0;
	}
	stands = member->flagged && near_end(judged) >= distance;
	if (member->flagged && widen(member, fcr_level(q, k, m), err))
		return -1;
	if (stands && near_end(judged) > 0 && (!gates || near_end(judged) >= distance))
		return 0;
	judged->call = CALL_INCONCLUSIVE;
	judged->pairs_needed = pairs_for_flag(member, q, k < m ? k + 1 : m, m);
	return 0;
}

int judge_family(struct family_member *member, size_t m, double q, bool gates, struct err *err)
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
		if (settle(&member[i], gates, q, k, m, err))
			goto out;
	rc = 0;
out:
	free(p);
	return rc;
}

int judge_in_family(struct family_member *member, size_t m, struct err *err)
{
	member->judged.p_adjusted = fmin(1, p_of(member) * (double)m);
	member->flagged = member->judged.p_adjusted <= FAMILY_FDR;
	return settle(member, true, FAMILY_FDR, member->flagged, m, err);
}
