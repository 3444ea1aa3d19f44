#include "collector/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/code/cache.h"
#include "collector/code/identify.h"
#include "collector/inner.h"
#include "collector/run/launch.h"
#include "lib/base/file.h"
#include "lib/base/fold.h"
#include "lib/base/when.h"
#include "lib/stats/coin.h"

#include "lib/base/banned.h"

static int add_failure(struct plan *plan, const struct bench_config *config, const struct err *why,
		       struct err *err)
{
	struct unit *u = plan_add(plan, config, NULL, err);
	struct buf text = BUF_INIT;

	if (!u)
		return -1;
	buf_adds(&text, why->text);
	if (why->hint[0])
		buf_addf(&text, "; %s", why->hint);
	u->timed_out = why->code == ERR_TIMEOUT;
	u->absent = why->code == ERR_ABSENT;
	u->failure = buf_detach(&text);
	return u->failure ? 0 : err_nomem(err);
}

/* The part of an id behind the code: arguments and inputs. */
static const char *inputs_of(const char *id)
{
	return strlen(id) < DIGEST_HEX - 1 ? "" : id + DIGEST_HEX - 1;
}

/*
 * Finds what the unit is compared with and whether that can be run again.  With other arguments
 * or inputs it cannot: the old program beside the new one would run on what the new one is given,
 * and a slower script under the same interpreter would come out as unchanged.
 */
static int make_base(const struct plan_request *rq, struct unit *u, struct plan *plan,
		     struct err *err)
{
	const struct summary *from = NULL;
	const struct bench *base = rq->history ? history_find(rq->history, u->name, &from) : NULL;
	struct err fault = ERR_INIT;

	if (!base)
		return 0;
	u->iterations = base->iterations;
	if (!base->binary_id || !u->head.binary_id)
		return str_set(&u->base_failure,
			       "what it runs is not in its own file (a script, a program from "
			       "elsewhere, or cache = false)",
			       err);
	if (str_set(&u->base.binary_id, base->binary_id, err))
		return -1;
	u->identical = !strcmp(base->binary_id, u->head.binary_id);
	if (u->identical)
		return 0;
	if (strcmp(inputs_of(base->binary_id), inputs_of(u->head.binary_id)))
		return str_set(&u->base_failure, "its arguments or input files changed", err);
	if (u->head.stays)
		return str_set(&u->base_failure,
			       "it asks where its own file lies, so no copy can replace it", err);
	if (!rq->cache_dir)
		return str_set(&u->base_failure, "there is no cache", err);
	if (rq->way && !cache_was_built_by(rq->cache_dir, base->binary_id, rq->way))
		return str_set(&u->base_failure,
			       "it was built by another command, by other compilers or in another "
			       "environment; pawl compare builds both alike",
			       err);
	u->has_base = !cache_get(rq->cache_dir, base->binary_id, &u->base, &fault);
	return u->has_base ? strv_addf(&plan->kept, err, "%.64s", base->binary_id)
			   : str_set(&u->base_failure, fault.text, err);
}

static int finish_unit(const struct plan_request *rq, struct plan *plan, struct unit *u,
		       const struct side *head, struct err *err)
{
	return side_copy(head, &u->head, err) || make_base(rq, u, plan, err) ? -1 : 0;
}

static bool is_wanted(const struct plan_request *rq, const struct bench_config *config,
		      const char *inner)
{
	size_t i, n = strlen(config->name);

	if (!inner && rq->wholes)
		return true;
	for (i = 0; rq->only && i < rq->only->n; i++) {
		const char *name = rq->only->v[i];

		if (!strcmp(name, config->name) || (inner && plan_lies_in(name, config->name) &&
						    plan_lies_in(inner, name + n + 1)))
			return true;
	}
	return !rq->only || !rq->only->n;
}

static bool is_among(const struct strv *names, size_t from, size_t to, const char *name)
{
	for (; from < to; from++)
		if (!strcmp(names->v[from], name))
			return true;
	return false;
}

/* Which of the two would answer cannot be told: it fails alone, and its later ones are left out. */
static int add_inner(const struct plan_request *rq, const struct bench_config *config,
		     const struct side *head, const struct inner *in, size_t i, struct plan *plan,
		     struct err *err)
{
	const char *name = in->names.n ? in->names.v[i] : NULL;
	struct unit *u;

	if (!is_wanted(rq, config, name) || (name && is_among(&in->names, 0, i, name)))
		return 0;
	u = plan_add(plan, config, name, err);
	if (!u)
		return -1;
	u->format = in->format;
	u->alarms = in->alarms;
	if (name && is_among(&in->names, i + 1, in->names.n, name))
		return str_set(&u->failure,
			       "the program has it twice; give each benchmark a name of its own",
			       err);
	return str_set(&u->selector, in->selectors.n ? in->selectors.v[i] : NULL, err) ||
			       finish_unit(rq, plan, u, head, err)
		       ? -1
		       : 0;
}

/* What runs in one process for many runs has nothing before and after each. */
static int check_aside(const struct bench_config *config, const struct inner *in, struct err *err)
{
	const char *key = config->prepare   ? "prepare"
			  : config->cleanup ? "cleanup"
			  : config->warmup  ? "warmup"
					    : NULL;

	if (!key || in->format == FORMAT_COMMAND)
		return 0;
	err_set(err, ERR_CHILD, "'%s' is for commands, and this program tells its benchmarks: %s",
		key, bench_format_name(in->format));
	return err_hint(err, "leave it out, or set benchmark.%s.format to command", config->name);
}

static int plan_config(const struct plan_request *rq, const struct bench_config *config,
		       struct plan *plan, struct err *err)
{
	const struct identify_request identify = { rq->top, rq->cache_dir, rq->foreign, rq->talk };
	struct inner inner = INNER_INIT;
	struct buf exe = BUF_INIT;
	struct side head;
	size_t i;
	int result = -1;

	memset(&head, 0, sizeof(head));
	if ((rq->env && rq->env->n && strv_add_all(&head.env, rq->env->v, err)) ||
	    identify_find(rq->top, config->command.v[0], &exe, err) ||
	    identify_head(&identify, config, buf_str(&exe), &head, err))
		goto out;
	if (head.binary_id && strv_addf(&plan->kept, err, "%.64s", head.binary_id))
		goto out;
	if (head.binary_id && rq->cache_dir && rq->way)
		cache_built_by(rq->cache_dir, head.binary_id, rq->way);
	if (inner_list(rq->runner, rq->talk, config, &head, &inner, err) ||
	    check_aside(config, &inner, err))
		goto out;
	for (i = 0; i < (inner.names.n ? inner.names.n : 1); i++)
		if (add_inner(rq, config, &head, &inner, i, plan, err))
			goto out;
	result = 0;
out:
	side_release(&head);
	buf_release(&exe);
	inner_release(&inner);
	return result;
}

/* In which order the configured ones are looked at; free() it; NULL and ERR_NOMEM. */
static size_t *order_of(const struct config *config, const uint64_t *seed, struct err *err)
{
	size_t *order = malloc((config->n_benchmarks + 1) * sizeof(*order)), i;
	struct coin coin;

	if (!order) {
		err_nomem(err);
		return NULL;
	}
	for (i = 0; i < config->n_benchmarks; i++)
		order[i] = i;
	if (seed) {
		coin_init(&coin, *seed);
		coin_shuffle(&coin, order, config->n_benchmarks);
	}
	return order;
}

static void took(struct plan *plan, size_t from, uint64_t began)
{
	for (; from < plan->n; from++)
		plan->units[from].asked_ns = when_monotonic_ns() - began;
}

/* What was not waited for has not failed. */
static int add_failed(const struct plan_request *rq, const struct bench_config *config,
		      const struct err *fault, struct plan *plan, struct err *err)
{
	if (err_is_fatal(fault) || fault->code == ERR_IO || fault->code == ERR_CONFIG) {
		*err = *fault;
		return -1;
	}
	if (add_failure(plan, config, fault, err))
		return -1;
	plan->units[plan->n - 1].unreached =
		fault->code == ERR_TIMEOUT && launch_list_is_cut(rq->runner, config);
	return 0;
}

/* Each configured one is a benchmark at least: too many are told before the first is looked at. */
static int refuse_many(const struct plan_request *rq, struct err *err)
{
	size_t n = 0, i;

	for (i = 0; i < rq->config->n_benchmarks; i++)
		n += plan_concerns(rq->only, &rq->config->benchmarks[i]);
	return plan_refuse_many(n, err);
}

static int look_at(const struct plan_request *rq, const size_t *order, struct plan *out,
		   struct err *err)
{
	size_t n = rq->most ? rq->most : rq->config->n_benchmarks;
	struct err fault = ERR_INIT;
	size_t i;

	for (i = 0; i < n; i++) {
		const struct bench_config *config = &rq->config->benchmarks[order[i]];
		uint64_t began = when_monotonic_ns();
		size_t before = out->n;

		/* One is always looked at: it takes what it takes. */
		if (rq->until_ns && out->n && when_monotonic_ns() >= rq->until_ns)
			break;
		out->n_looked = i + 1;
		if (!plan_concerns(rq->only, config))
			continue;
		talk_progress(rq->talk, 0, 0, "looking at %s", config->name);
		if (plan_config(rq, config, out, &fault) &&
		    add_failed(rq, config, &fault, out, err))
			return -1;
		took(out, before, began);
		err_clear(&fault);
	}
	return 0;
}

static int plan_all(const struct plan_request *rq, struct plan *out, struct err *err)
{
	size_t *order = order_of(rq->config, rq->seed, err);
	int result = order ? look_at(rq, order, out, err) : -1;

	free(order);
	return result;
}

int plan_make(const struct plan_request *rq, struct plan *out, struct err *err)
{
	struct plan_request once = *rq;
	struct fold fold;
	int result;

	if (refuse_many(rq, err))
		return -1;
	fold_begin(&fold, rq->talk);
	once.talk = &fold.talk;
	result = plan_all(&once, out, err);
	fold_end(&fold);
	return result;
}

/* As they are configured; those of one section as they came. */
static int by_section(const void *a, const void *b)
{
	const struct unit *x = a, *y = b;

	if (x->config != y->config)
		return x->config < y->config ? -1 : 1;
	return (x->planned > y->planned) - (x->planned < y->planned);
}

int plan_rest(const struct plan_request *rq, struct plan *out, struct err *err)
{
	size_t *order = order_of(rq->config, rq->seed, err), i;
	struct unit *u;
	int result = -1;

	for (i = out->n_looked; order && i < rq->config->n_benchmarks; i++) {
		if (!plan_concerns(rq->only, &rq->config->benchmarks[order[i]]))
			continue;
		u = plan_add(out, &rq->config->benchmarks[order[i]], NULL, err);
		if (!u)
			goto out;
		u->unreached = true;
	}
	for (i = 0; i < out->n; i++)
		out->units[i].planned = i;
	if (rq->seed && out->n)
		qsort(out->units, out->n, sizeof(*out->units), by_section);
	result = order ? 0 : -1;
out:
	free(order);
	return result;
}

int plan_fail(const struct config *config, const struct err *why, struct plan *out, struct err *err)
{
	size_t i;

	for (i = 0; i < config->n_benchmarks; i++)
		if (add_failure(out, &config->benchmarks[i], why, err))
			return -1;
	return 0;
}
