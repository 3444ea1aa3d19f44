#include "lib/stats/inversion.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/banned.h"

/*
 * The transform's square is at most exp(-decay), decay(a) = sum of 2 p q (1 - cos(a weight)): the
 * angles are gone through until decay is FAR, and shown to be above FAR - BETWEEN from there on.
 * It swings about the sum of 2 p q: where that is less than ENOUGH, nobody needs to try.
 */
enum { FAR = 130, BETWEEN = 30, ENOUGH = 170, MOST_ANGLES = 300, MOST_LOADS = 100 };

#define WRONG 1e-13 /* of the answer: what each of the two things left out may be */
#define LEAST 1e-17 /* of its scale, which is up to some hundred times as large */
#define PI 3.14159265358979323846

struct coins {
	size_t unit;	/* the largest that all weights are a multiple of: they are given in it */
	size_t n;	/* different weights */
	double *weight; /* upwards; how many coins have it is in: */
	double *count;
	double *heads;	/* the chance of a loaded coin */
	double *spread; /* 2 count p q */
	double *room;	/* for 3 n */
	double mean;	/* of the sum, as long as they are fair */
	double variance;
};

static size_t largest_unit(const size_t *weight, size_t n)
{
	size_t unit = weight[0];

	for (size_t i = 1; i < n && unit > 1; i++)
		for (size_t rest = weight[i]; rest;) {
			size_t next = unit % rest;

			unit = rest;
			rest = next;
		}
	return unit;
}

static bool coins_init(struct coins *c, const size_t *weight, size_t n)
{
	double *room = malloc(7 * n * sizeof(*room));

	if (!room)
		return false;
	*c = (struct coins){ .unit = largest_unit(weight, n),
			     .weight = room,
			     .count = room + n,
			     .heads = room + 2 * n,
			     .spread = room + 3 * n,
			     .room = room + 4 * n };
	for (size_t i = 0; i < n; i++) {
		double w = (double)(weight[i] / c->unit);

		if (!i || weight[i] != weight[i - 1]) {
			c->weight[c->n] = w;
			c->count[c->n++] = 0;
		}
		c->count[c->n - 1]++;
		c->mean += 0.5 * w;
		c->variance += 0.25 * w * w;
	}
	return true;
}

/* The middle of the loaded sum, and of what else is at most `most`. */
static double middle(const struct coins *c, double load)
{
	double sum = 1 / expm1(load);

	for (size_t i = 0; i < c->n; i++)
		sum += c->count[i] * c->weight[i] / (1 + exp(load * c->weight[i]));
	return sum;
}

/*
 * Heads become e^(-load weight) times as likely as tails: any load gives the same answer.
 * *out_scale is the logarithm of what takes a loaded chance back.  Tells whether it is worth going
 * on.
 */
static bool load_coins(struct coins *c, double most, double *out_load, double *out_scale)
{
	double load = 1 / sqrt(c->variance), scale = 0, spread = 0;
	size_t i = 0;

	while (middle(c, load) > most && i++ < MOST_LOADS)
		load *= 1.25;
	for (i = 0; i < c->n; i++) {
		double exponent = load * c->weight[i], half = sinh(0.25 * exponent);
		double heads = 1 / (1 + exp(exponent));

		c->heads[i] = heads;
		c->spread[i] = 2 * c->count[i] * heads * (1 - heads);
		spread += c->spread[i];
		scale += c->count[i] * log1p(2 * half * half);
	}
	*out_load = load;
	*out_scale = scale - load * (c->mean - most);
	return spread >= ENOUGH && isfinite(*out_scale);
}

struct complex {
	double re, im;
};

static struct complex times(struct complex a, struct complex b)
{
	return (struct complex){ a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}

static struct complex power(struct complex a, size_t n)
{
	struct complex made = { 1, 0 };

	for (; n; n /= 2, a = times(a, a))
		if (n % 2)
			made = times(made, a);
	return made;
}

/* The loaded transform at that angle, and its decay. */
static struct complex transform(const struct coins *c, double angle, double *out_decay)
{
	struct complex made = { 1, 0 };
	double decay = 0;

	for (size_t i = 0; i < c->n; i++) {
		double turn = angle * c->weight[i], p = c->heads[i], cosine = cos(turn);
		struct complex coin = { 1 - p + p * cosine, p * sin(turn) };

		made = times(made, power(coin, (size_t)c->count[i]));
		decay += c->spread[i] * (1 - cosine);
	}
	*out_decay = decay;
	return made;
}

/* 1 - exp(-load + i angle), where that is next to 0. */
static struct complex one_less(double load, double angle)
{
	double sine = sin(0.5 * angle);

	return (struct complex){ -expm1(-load) + 2 * exp(-load) * sine * sine,
				 -exp(-load) * sin(angle) };
}

/*
 * The mean over all angles 2 pi k / n_angles, of which only those next to 0 are looked at, up to
 * *out_last.
 */
static bool invert(const struct coins *c, double load, double most, double n_angles, double *out,
		   double *out_last)
{
	double sum = -1 / expm1(-load), decay = 0, angle = 0;

	for (size_t k = 1; decay < FAR; k++) {
		struct complex at, over, turned;

		angle = 2 * PI * (double)k / n_angles;
		if (k == MOST_ANGLES || angle > PI)
			return false;
		at = transform(c, angle, &decay);
		turned = times(at, (struct complex){ cos(angle * most), -sin(angle * most) });
		over = one_less(load, angle);
		sum += 2 * (turned.re * over.re + turned.im * over.im) /
		       (over.re * over.re + over.im * over.im);
	}
	*out = sum / n_angles;
	*out_last = angle;
	return true;
}

/*
 * Whether the decay is at least FAR - BETWEEN from that angle to pi: at least FAR in steps so short
 * that it cannot fall by BETWEEN between two of them, as its second derivative is at most the sum
 * of spread weight^2.  Cosines by Chebyshev's recurrence.
 */
static bool stays_far(const struct coins *c, double angle)
{
	double *before = c->room, *now = before + c->n, *twice = now + c->n, bend = 0, step;

	for (size_t i = 0; i < c->n; i++)
		bend += c->spread[i] * c->weight[i] * c->weight[i];
	step = sqrt(8 * BETWEEN / bend);
	for (size_t i = 0; i < c->n; i++) {
		before[i] = cos((angle - step) * c->weight[i]);
		now[i] = cos(angle * c->weight[i]);
		twice[i] = 2 * cos(step * c->weight[i]);
	}
	for (; angle < PI + step; angle += step) {
		double decay = 0;

		for (size_t i = 0; i < c->n; i++) {
			double next = twice[i] * now[i] - before[i];

			decay += c->spread[i] * (1 - now[i]);
			before[i] = now[i];
			now[i] = next;
		}
		if (!(decay >= FAR))
			return false;
	}
	return true;
}

/* Of the answer, at most: what n_angles angles fold onto it from n_angles and more away. */
static double folded(const struct coins *c, double load, double most, double n_angles)
{
	double above = exp(-load * n_angles), off = c->mean - most + n_angles;
	double below = most < n_angles ? 0 : exp(load * n_angles - off * off / (2 * c->variance));

	return 2 * (above + below);
}

static bool tail_of(struct coins *c, double most, double *out)
{
	double load, scale, n_angles, sum, last, made;

	if (!load_coins(c, most, &load, &scale))
		return false;
	n_angles = ceil(40 / load);
	while (folded(c, load, most, n_angles) > LEAST * exp(scale))
		n_angles = ceil(1.1 * n_angles);
	if (!invert(c, load, most, n_angles, &sum, &last) || !stays_far(c, last))
		return false;
	made = sum * exp(scale);
	if (folded(c, load, most, n_angles) > WRONG * made ||
	    !(exp(-0.5 * (FAR - BETWEEN)) <= WRONG * sum * -expm1(-load)))
		return false;
	*out = made;
	return true;
}

bool inversion_tail(const size_t *weight, size_t n, size_t most, double *out)
{
	struct coins coins;
	bool is_shown;

	if (!n || !coins_init(&coins, weight, n))
		return false;
	is_shown = tail_of(&coins, (double)(most / coins.unit), out);
	free(coins.weight);
	return is_shown;
}
