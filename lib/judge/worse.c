#include "lib/judge/worse.h"

#include <math.h>

#include "lib/base/banned.h"

double worse_at_least(const struct worse *w)
{
	double end = w->more_is_better ? 1 / w->high : w->low;

	if (isfinite(end))
		return end;
	return w->more_is_better ? 1 / w->ratio : w->ratio;
}

double worse_at_most(const struct worse *w)
{
	return w->more_is_better ? 1 / w->low : w->high;
}

bool worse_is_within(double at_least, double accepted, double threshold)
{
	double most = accepted * (1 + threshold);

	return !isfinite(most) || at_least <= most;
}
