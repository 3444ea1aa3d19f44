/*
 * Simulated machines: hostile noise, seeded, no clock.
 *
 * A run's log time is the machine's level (a slow random walk around a trend), the order effect of
 * being second in a pair, its own part (normal, or with the tails of Student's t), now and then a
 * spike upwards, and a state of its own: in each run anew, or kept by a side for many pairs.
 */
#ifndef PAWL_TESTS_UNIT_STATS_SIMULATION_FIXTURE_H
#define PAWL_TESTS_UNIT_STATS_SIMULATION_FIXTURE_H

#include "tests/unit/test_stats_near.h"
#include "tests/unit/coin_draws.h"

#include "lib/stats/dist.h"
#include "lib/stats/sample.h"

struct noise {
	const char *name;
	double order_effect, trend, walk; /* log scale; trend and walk a run */
	double core;			  /* standard deviation of a run's own part */
	bool heavy;			/* Student's t, 3 degrees of freedom, in place of normal */
	double spike_share, spike_mean; /* exponential */
	double state;			/* how much slower the one of two states is */
	double stays; /* share of pairs in which a side keeps its state; 0: each run has its own */
};

/* Processes one after the other on a shared virtual machine: 2 % a pair. */
static const struct noise SHARED_MACHINE = {
	"shared machine", 0.003, 0.0008, 0.002, 0.009, false, 0.06, 0.03, 0, 0
};

struct noisy {
	const struct noise *noise;
	struct coin coin;
	double level;
	bool slow[2]; /* the state that base and head keep */
};

static inline int scale(void)
{
	return getenv("PAWL_TEST_SLOW") ? 25 : 1;
}

static inline void machine_init(struct noisy *machine, const struct noise *noise, uint64_t seed)
{
	machine->noise = noise;
	coin_init(&machine->coin, seed);
	machine->level = 0;
	machine->slow[0] = machine->slow[1] = false;
}

static inline double normal(struct noisy *machine)
{
	return normal_quantile(coin_fraction(&machine->coin));
}

/* Of standard deviation 1: t with 3 degrees of freedom has the variance 3. */
static inline double heavy(struct noisy *machine)
{
	double z = normal(machine), a = normal(machine), b = normal(machine), c = normal(machine);

	return z / sqrt(a * a + b * b + c * c);
}

/* ln of one run's time. */
static inline double run(struct noisy *machine, bool second)
{
	const struct noise *noise = machine->noise;
	double t;

	machine->level += noise->trend + noise->walk * normal(machine);
	t = machine->level + (second ? noise->order_effect : 0) +
	    noise->core * (noise->heavy ? heavy(machine) : normal(machine));
	if (coin_fraction(&machine->coin) < noise->spike_share)
		t -= noise->spike_mean * log(coin_fraction(&machine->coin));
	if (noise->state > 0 && !(noise->stays > 0) && coin_toss(&machine->coin))
		t += noise->state;
	return t;
}

/* ln head - ln base of one pair. */
static inline double pair_of(struct noisy *machine, bool head_first)
{
	const struct noise *noise = machine->noise;
	double first = run(machine, false), second = run(machine, true);
	double d = head_first ? first - second : second - first;

	for (int side = 0; noise->stays > 0 && side < 2; side++) {
		if (coin_fraction(&machine->coin) >= noise->stays)
			machine->slow[side] = coin_toss(&machine->coin);
		d += machine->slow[side] ? (side ? noise->state : -noise->state) : 0;
	}
	return d;
}

/* n pairs in random order; head is slower by `effect` (log scale). */
static inline void measure(struct noisy *machine, double *d, size_t n, double effect)
{
	for (size_t i = 0; i < n; i++) {
		bool head_first = coin_toss(&machine->coin);

		d[i] = pair_of(machine, head_first) + effect;
	}
}

/* Prints what was counted, so that a log shows more than "ok", and holds it to a bound. */
static inline void count_is(const char *what, double count, double of, double least, double most)
{
	double share = count / of;

	print_message("# %s: %.2f %% of %.0f\n", what, 100 * share, of);
	assert_at_most(least, share);
	assert_at_most(share, most);
}

#endif
