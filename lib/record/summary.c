#include "lib/record/summary.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

static void commit_release(struct commit_tag *c)
{
	free(c->id);
	strv_release(&c->parents);
	free(c->tree);
	free(c->branch);
	free(c->subject);
}

void facts_release(struct facts *facts)
{
	size_t i;

	for (i = 0; i < facts->n; i++) {
		free(facts->v[i].name);
		free(facts->v[i].value);
	}
	free(facts->v);
}

static void machine_release(struct machine *m)
{
	free(m->id);
	free(m->cpu);
	free(m->os);
	free(m->kernel);
	free(m->governor);
	facts_release(&m->more);
}

static void metric_release(struct metric *m)
{
	free(m->name);
	free(m->unit);
	free(m->reason);
	free(m->samples);
	free(m->baseline_samples);
	free(m->delta.note);
}

static void track_release(struct track *t)
{
	free(t->name);
	free(t->head);
	free(t->base);
}

void code_changes_release(struct code_changes *c)
{
	strv_release(&c->changed);
	strv_release(&c->executed);
	free(c->why);
	memset(c, 0, sizeof(*c));
}

/* are_kept: what its metrics point to is not theirs. */
static void bench_drop(struct bench *b, bool are_kept)
{
	size_t i;

	free(b->name);
	free(b->command);
	free(b->format);
	free(b->detail);
	free(b->binary_id);
	free(b->base_binary_id);
	free(b->baseline_commit);
	free(b->baseline_how);
	free(b->gate);
	free(b->gate_why);
	free(b->work.how);
	free(b->work.reason);
	free(b->layouts.why);
	code_changes_release(&b->changes);
	free(b->accepted.commit);
	free(b->accepted.because);
	for (i = 0; i < b->n_metrics && !are_kept; i++)
		metric_release(&b->metrics[i]);
	free(b->metrics);
	for (i = 0; i < b->n_tracks; i++)
		track_release(&b->tracks[i]);
	free(b->tracks);
	facts_release(&b->facts);
}

static void bench_release(struct bench *b)
{
	bench_drop(b, false);
}

static void imported_release(struct imported *list)
{
	size_t i;

	for (i = 0; i < list->n; i++) {
		free(list->v[i].name);
		free(list->v[i].format);
		free(list->v[i].sha256);
		facts_release(&list->v[i].facts);
	}
	free(list->v);
}

static void accepted_release(struct accepted_item *item)
{
	free(item->commit);
	free(item->benchmark);
	free(item->because);
}

void summary_drop_accepted(struct summary *s)
{
	while (s->n_accepted)
		accepted_release(&s->accepted[--s->n_accepted]);
	free(s->accepted);
	s->accepted = NULL;
}

void summary_init(struct summary *s)
{
	memset(s, 0, sizeof(*s));
	s->environment.load = (double)NAN;
	s->environment.pressure = (double)NAN;
	s->environment.steal = (double)NAN;
}

void summary_release(struct summary *s)
{
	size_t i;

	free(s->id);
	free(s->project);
	commit_release(&s->commit);
	machine_release(&s->machine);
	strv_release(&s->environment.warnings);
	free(s->settings.clock);
	free(s->settings.order);
	free(s->settings.shard.group);
	free(s->settings.shard.split);
	free(s->settings.build_key);
	strv_release(&s->settings.asked);
	free(s->baseline.commit);
	free(s->baseline.how);
	free(s->sides.base);
	free(s->sides.head);
	free(s->unbuilt.base);
	free(s->unbuilt.head);
	free(s->baseline.why);
	imported_release(&s->imported);
	summary_drop_accepted(s);
	for (i = 0; i < s->n_benchmarks; i++)
		bench_drop(&s->benchmarks[i], s->kept.last != NULL);
	free(s->benchmarks);
	arena_release(&s->kept);
	free(s->pawl);
	summary_init(s);
}

/*
 * Makes room for one more zeroed element behind the n of *array; the capacity is the next
 * power of two of n, so it is not stored.  Returns the new element or NULL.
 */
static void *one_more(void **array, size_t n, size_t size, struct err *err)
{
	void *grown;

	if (!(n & (n - 1))) {
		grown = realloc(*array, (n ? 2 * n : 1) * size);
		if (!grown) {
			err_nomem(err);
			return NULL;
		}
		*array = grown;
	}
	return memset((char *)*array + n * size, 0, size);
}

struct bench *summary_add_bench(struct summary *s, const char *name, struct err *err)
{
	void *array = s->benchmarks;
	struct bench *b = one_more(&array, s->n_benchmarks, sizeof(*b), err);

	s->benchmarks = array;
	if (!b || str_set(&b->name, name, err))
		return NULL;
	b->work.head = b->work.base = (double)NAN;
	b->layouts.between = b->layouts.within = b->layouts.floor = (double)NAN;
	s->n_benchmarks++;
	return b;
}

int summary_take_bench(struct summary *s, struct bench *b, struct err *err)
{
	struct bench *own = summary_add_bench(s, "", err);

	if (!own)
		return -1;
	free(own->name);
	*own = *b;
	memset(b, 0, sizeof(*b));
	return 0;
}

void summary_replace(struct summary *s, struct bench *b)
{
	struct bench *old = summary_find(s, b->name);

	assert(old);
	bench_release(old);
	*old = *b;
	memset(b, 0, sizeof(*b));
}

struct metric *bench_add_metric(struct bench *b, const char *name, const char *unit,
				enum better better, struct err *err)
{
	void *array = b->metrics;
	struct metric *m = one_more(&array, b->n_metrics, sizeof(*m), err);

	b->metrics = array;
	if (!m)
		return NULL;
	m->better = better;
	if (str_set(&m->name, name, err) || str_set(&m->unit, unit, err)) {
		metric_release(m);
		return NULL;
	}
	b->n_metrics++;
	return m;
}

struct track *bench_add_track(struct bench *b, const char *name, struct err *err)
{
	void *array = b->tracks;
	struct track *t = one_more(&array, b->n_tracks, sizeof(*t), err);

	b->tracks = array;
	if (!t || str_set(&t->name, name, err))
		return NULL;
	b->n_tracks++;
	return t;
}

int facts_add(struct facts *facts, const char *name, const char *value, struct err *err)
{
	void *array = facts->v;
	struct fact *f = one_more(&array, facts->n, sizeof(*f), err);

	facts->v = array;
	if (!f)
		return -1;
	if (str_set(&f->name, name, err) || str_set(&f->value, value, err)) {
		free(f->name);
		return -1;
	}
	facts->n++;
	return 0;
}

struct imported_file *summary_add_imported(struct summary *s, const char *name, struct err *err)
{
	void *array = s->imported.v;
	struct imported_file *f = one_more(&array, s->imported.n, sizeof(*f), err);

	s->imported.v = array;
	if (!f || str_set(&f->name, name, err))
		return NULL;
	s->imported.n++;
	return f;
}

int summary_add_accepted(struct summary *s, const char *commit, const char *benchmark,
			 const char *because, double change, struct err *err)
{
	void *array = s->accepted;
	struct accepted_item *item = one_more(&array, s->n_accepted, sizeof(*item), err);

	s->accepted = array;
	if (!item)
		return -1;
	item->change = change;
	if (!str_set(&item->commit, commit, err) && !str_set(&item->benchmark, benchmark, err) &&
	    !str_set(&item->because, because, err)) {
		s->n_accepted++;
		return 0;
	}
	accepted_release(item);
	return -1;
}

int samples_add(double **array, size_t *n, double value, struct err *err)
{
	void *grown = *array;
	double *slot;

	if (!isfinite(value))
		return err_set(err, ERR_RANGE, "a sample is not a finite number");
	slot = one_more(&grown, *n, sizeof(*slot), err);
	*array = grown;
	if (!slot)
		return -1;
	*slot = value;
	(*n)++;
	return 0;
}

double summary_threshold(const struct summary *s, const struct bench *b)
{
	return b && b->threshold > 0 ? b->threshold : s->settings.threshold;
}

struct bench *summary_find(const struct summary *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->n_benchmarks; i++)
		if (!strcmp(s->benchmarks[i].name, name))
			return &s->benchmarks[i];
	return NULL;
}

struct metric *bench_find_metric(const struct bench *b, const char *name)
{
	size_t i;

	for (i = 0; name && i < b->n_metrics; i++)
		if (*b->metrics[i].name == *name && !strcmp(b->metrics[i].name, name))
			return &b->metrics[i];
	return NULL;
}

const char *facts_find(const struct facts *facts, const char *name)
{
	size_t i;

	for (i = 0; i < facts->n; i++)
		if (!strcmp(facts->v[i].name, name))
			return facts->v[i].value;
	return NULL;
}

const struct delta *bench_delta(const struct bench *b)
{
	const struct metric *m = bench_find_metric(b, b->gate);

	return m && m->has_delta ? &m->delta : NULL;
}

bool bench_has_failed(const struct bench *b)
{
	return b->status == BENCH_FAILED || b->status == BENCH_TIMEOUT;
}

bool summary_is_identical(const struct summary *s)
{
	size_t i;

	for (i = 0; i < s->n_benchmarks; i++)
		if (bench_verdict(&s->benchmarks[i]) != VERDICT_IDENTICAL)
			return false;
	return true;
}

enum verdict bench_verdict(const struct bench *b)
{
	const struct delta *delta = bench_delta(b);
	const struct metric *gate = bench_find_metric(b, b->gate);

	if (b->status == BENCH_REMOVED)
		return VERDICT_REMOVED;
	if (bench_has_failed(b))
		return VERDICT_FAILED;
	if (b->binary_id && b->base_binary_id && !b->paired &&
	    !strcmp(b->binary_id, b->base_binary_id) && !b->changes.why)
		return VERDICT_IDENTICAL;
	if (b->changes.is_known && !b->changes.executed.n && !b->paired)
		return VERDICT_IDENTICAL;
	if (b->status == BENCH_SKIPPED)
		return VERDICT_NONE;
	if (delta)
		return delta->verdict;
	if (b->paired && gate && gate->n && gate->n_baseline) /* compared, and nothing came out */
		return VERDICT_INCONCLUSIVE;
	return b->is_new ? VERDICT_ADDED : VERDICT_NO_BASELINE;
}
