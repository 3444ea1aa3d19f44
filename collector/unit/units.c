#include "collector/unit/units.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

void plan_release(struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->n; i++)
		unit_release(&plan->units[i]);
	free(plan->units);
	strv_release(&plan->kept);
	*plan = (struct plan)PLAN_INIT;
}

struct unit *plan_find(const struct plan *plan, const char *name)
{
	size_t i;

	for (i = 0; i < plan->n; i++)
		if (!strcmp(plan->units[i].name, name))
			return &plan->units[i];
	return NULL;
}

/* Two units of one name would be one series of two programs. */
static int refuse_twin(const struct plan *plan, const struct unit *u, struct err *err)
{
	const struct unit *twin = plan_find(plan, u->name);

	if (!twin)
		return 0;
	err_set(err, ERR_CONFIG,
		"two benchmarks are called '%s': one of [benchmark \"%s\"], "
		"one of [benchmark \"%s\"]",
		u->name, twin->config->name, u->config->name);
	return err_hint(err, "rename one of the sections");
}

int plan_refuse_many(size_t n, struct err *err)
{
	if (n <= SUMMARY_MAX_BENCHMARKS)
		return 0;
	err_set(err, ERR_CONFIG, "these are more than %d benchmarks: one result does not hold them",
		SUMMARY_MAX_BENCHMARKS);
	return err_hint(err, "configure fewer; -b NAME of 'pawl compare' measures some");
}

struct unit *plan_add(struct plan *plan, const struct bench_config *config, const char *inner,
		      struct err *err)
{
	struct buf name = BUF_INIT;
	struct unit *u;

	if (plan_refuse_many(plan->n + 1, err))
		return NULL;
	if (plan->n == plan->cap) {
		size_t cap = plan->cap ? 2 * plan->cap : 8;
		struct unit *grown = realloc(plan->units, cap * sizeof(*grown));

		if (!grown) {
			err_nomem(err);
			return NULL;
		}
		plan->units = grown;
		plan->cap = cap;
	}
	if (inner && strlen(config->name) + 1 + strlen(inner) > SUMMARY_MAX_NAME) {
		err_set(err, ERR_CHILD, "'%s/%.40s...' is longer than %d bytes", config->name,
			inner, SUMMARY_MAX_NAME);
		return NULL;
	}
	u = &plan->units[plan->n];
	memset(u, 0, sizeof(*u));
	u->config = config;
	u->format = inner ? FORMAT_PAWL : FORMAT_COMMAND;
	if (inner)
		buf_addf(&name, "%s/%s", config->name, inner);
	else
		buf_adds(&name, config->name);
	u->name = buf_detach(&name);
	if (!u->name || str_set(&u->inner, inner, err)) {
		free(u->name);
		err_nomem(err);
		return NULL;
	}
	if (refuse_twin(plan, u, err)) {
		unit_release(u);
		return NULL;
	}
	plan->n++;
	return u;
}

bool plan_lies_in(const char *name, const char *section)
{
	return !strcmp(name, section) || str_below(name, section);
}

bool plan_means(const char *name, const struct unit *u)
{
	const char *section = u->config->name;

	if (!strcmp(name, u->name) || !strcmp(name, section))
		return true;
	if (!plan_lies_in(name, section))
		return false;
	return u->inner ? plan_lies_in(u->inner, name + strlen(section) + 1)
			: u->failure || u->identical || u->unreached;
}

void plan_name_some(const struct unit *u, const char *section, struct buf *out)
{
	buf_adds(out, section);
	if (u->inner && *u->inner)
		buf_addf(out, "/%.*s", (int)(1 + strcspn(u->inner + 1, "/")), u->inner);
}

bool plan_concerns(const struct strv *only, const struct bench_config *config)
{
	size_t i;

	for (i = 0; only && i < only->n; i++)
		if (plan_lies_in(only->v[i], config->name))
			return true;
	return !only || !only->n;
}

int plan_programs(const struct plan *plan, struct strv *out, struct err *err)
{
	size_t i;

	for (i = 0; i < plan->n; i++) {
		const struct unit *u = &plan->units[i];

		if (u->head.binary_id && u->config->command.n &&
		    !strv_has(out, u->config->command.v[0]) &&
		    strv_add(out, u->config->command.v[0], err))
			return -1;
	}
	return 0;
}
