#include "collector/machine/clocked.h"

#include <math.h>

#include "lib/base/banned.h"

#define LAUNCH_NS 3e6 /* of starting and ending a process */
#define SLACK 0.002   /* of the time: the last repetition */

static double time_of(const struct run *run, bool by_cpu)
{
	return by_cpu ? run->process_cpu_ns : run_whole_ns(run);
}

static bool is_of(const struct unit *u, bool by_cpu, double ns)
{
	size_t i, n = 0;
	int k;

	for (i = 0; i < u->n_pairs; i++)
		for (k = 0; k < 2; k++) {
			double t = time_of(k ? &u->pairs[i].base : &u->pairs[i].head, by_cpu);

			if (!isfinite(t) || t < ns)
				return false;
			n += t <= ns + LAUNCH_NS + SLACK * ns;
		}
	return 5 * n >= 4 * 2 * u->n_pairs;
}

bool clocked_is(const struct unit *u, double *out_ns)
{
	static const double times[] = { 0.1, 0.2, 0.25, 0.3, 0.5, 1,  1.5, 2,
					3,   4,	  5,	10,  15,  20, 30,  60 };
	size_t i;

	if (!u->has_base || u->n_pairs < CLOCKED_RUNS)
		return false;
	for (i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		if (is_of(u, false, 1e9 * times[i]) || is_of(u, true, 1e9 * times[i])) {
			*out_ns = 1e9 * times[i];
			return true;
		}
	return false;
}
