#include "collector/schedule/fill_counters.h"

#include <math.h>
#include <string.h>

#include "lib/base/buf.h"

#include "lib/base/banned.h"

static const struct counter_value *counter_of(const struct run *run, const char *name)
{
	size_t i;

	for (i = 0; i < run->n_counters; i++)
		if (!strcmp(run->counters[i].name, name))
			return &run->counters[i];
	return NULL;
}

static double value_of(const struct run *run, const char *name)
{
	const struct counter_value *c = counter_of(run, name);

	return c ? c->value : (double)NAN;
}

static bool has_value(const struct counter_value *c)
{
	return c && c->state <= METRIC_SCALED && isfinite(c->value);
}

/* Whether the counter counted in every run of every side; *out_scaled: in some only in part. */
static bool counted_always(const struct unit *u, const char *name, bool *out_scaled)
{
	size_t i;

	*out_scaled = false;
	for (i = 0; i < u->n_pairs; i++) {
		const struct counter_value *h = counter_of(&u->pairs[i].head, name);
		const struct counter_value *b = counter_of(&u->pairs[i].base, name);

		if (!has_value(h) || (u->has_base && !has_value(b)))
			return false;
		*out_scaled = *out_scaled || h->state == METRIC_SCALED ||
			      (u->has_base && b->state == METRIC_SCALED);
	}
	return true;
}

static const char *unit_of(const struct counter_value *c)
{
	return c->unit ? c->unit : "1";
}

/* A unit that a run gives it and the first one did not: their values cannot be compared; or NULL.
 */
static const char *other_unit(const struct unit *u, const struct counter_value *first)
{
	size_t i, k;

	for (i = 0; i < 2 * u->n_pairs; i++) {
		const struct pair *p = &u->pairs[i / 2];
		const struct run *run = i % 2 ? &p->head : &p->base;

		for (k = 0; k < run->n_counters; k++)
			if (!strcmp(run->counters[k].name, first->name) &&
			    strcmp(unit_of(&run->counters[k]), unit_of(first)) != 0)
				return unit_of(&run->counters[k]);
	}
	return NULL;
}

static int tell_other_unit(struct metric *m, const char *other, struct err *err)
{
	struct buf text = BUF_INIT;
	int result = -1;

	m->state = METRIC_ABSENT;
	buf_addf(&text, "its unit is '%s' in some runs and '%s' in others", m->unit, other);
	if (!buf_check(&text, err))
		result = str_set(&m->reason, buf_str(&text), err);
	buf_release(&text);
	return result;
}

/* Who counts may not know what its user counts. */
static enum better better_of(const struct unit *u, const struct counter_value *c)
{
	const struct bench_config *config = u->config;

	if (!config->better_given || strcmp(config->metric, c->name) != 0)
		return c->better;
	return config->more_is_better ? BETTER_HIGHER : BETTER_LOWER;
}

static int add_counter(const struct unit *u, const struct counter_value *first, struct bench *b,
		       struct err *err)
{
	struct metric *m =
		bench_add_metric(b, first->name, unit_of(first), better_of(u, first), err);
	const char *other = other_unit(u, first);
	bool scaled;
	size_t i;

	if (!m || other)
		return m ? tell_other_unit(m, other, err) : -1;
	if (!counted_always(u, first->name, &scaled)) {
		m->state = has_value(first) ? METRIC_STARVED : first->state;
		return str_set(&m->reason,
			       first->reason ? first->reason : "it did not count in every run",
			       err);
	}
	m->state = scaled ? METRIC_SCALED : METRIC_OK;
	for (i = 0; i < u->n_pairs; i++)
		if (samples_add(&m->samples, &m->n, value_of(&u->pairs[i].head, first->name),
				err) ||
		    (u->has_base && samples_add(&m->baseline_samples, &m->n_baseline,
						value_of(&u->pairs[i].base, first->name), err)))
			return -1;
	return 0;
}

int fill_counters(const struct unit *u, struct bench *b, struct err *err)
{
	const struct run *first = &u->pairs[0].head;
	size_t i;

	for (i = 0; i < first->n_counters; i++)
		if (!bench_find_metric(b, first->counters[i].name) &&
		    add_counter(u, &first->counters[i], b, err))
			return -1;
	return 0;
}
