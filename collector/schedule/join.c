#include "collector/schedule/join.h"

#include <stdlib.h>
#include <string.h>

#include "collector/run/runner.h"
#include "lib/base/buf.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

/* What stands in the plan for a whole executable, which did not tell its benchmarks; NULL: it did.
 */
static struct unit *whole_of(const struct plan *plan, const struct bench_config *config)
{
	size_t i;

	for (i = 0; i < plan->n; i++)
		if (!strcmp(plan->units[i].config->name, config->name) && !plan->units[i].inner)
			return &plan->units[i];
	return NULL;
}

/* Why it did not; NULL: it did, or need not. */
static struct unit *failure_of(const struct plan *plan, const struct bench_config *config)
{
	struct unit *whole = whole_of(plan, config);

	return whole && whole->failure ? whole : NULL;
}

/* Nobody waited for what it has to tell. */
static bool is_late(const struct plan *plan, const struct bench_config *config)
{
	const struct unit *whole = whole_of(plan, config);

	return whole && whole->unreached;
}

/*
 * Whether it was asked in vain for so much longer than the base took to answer that time is not all
 * that was short: skipped, it would pass.
 */
static bool is_stuck(const struct unit *u, const struct plan *base)
{
	size_t i;

	if (!u->unreached || u->inner || u->asked_ns < RUNNER_LEAST_NS)
		return false;
	for (i = 0; i < base->n; i++) {
		const struct unit *b = &base->units[i];

		if (!strcmp(b->config->name, u->config->name) && b->inner && !b->failure &&
		    !b->unreached && u->asked_ns >= RUNNER_STUCK * b->asked_ns)
			return true;
	}
	return false;
}

static int fail(struct unit *u, const char *lead, const char *why, bool timed_out, struct err *err)
{
	struct buf text = BUF_INIT;
	int result = -1;

	buf_addf(&text, "%s%s", lead, why);
	if (!buf_check(&text, err))
		result = str_set(&u->failure, buf_str(&text), err);
	u->timed_out = timed_out;
	buf_release(&text);
	return result;
}

static int take_base(struct unit *u, struct unit *base, bool measure_identical, struct err *err)
{
	if (u->format != base->format)
		return fail(u, "",
			    "the two sides are of different formats (libpawl, a plain command, "
			    "another harness): their times are not of the same thing",
			    false, err);
	u->base = base->head;
	memset(&base->head, 0, sizeof(base->head));
	u->identical = !measure_identical && u->base.binary_id && u->head.binary_id &&
		       !strcmp(u->base.binary_id, u->head.binary_id);
	u->has_base = !u->identical;
	u->needs_base = true;
	return 0;
}

/* *out: the argument that is a file which one side has and the other has not, a script or its data,
 * or NULL. */
static int lacking_argument(const struct unit *with, const struct unit *without, const char **out,
			    struct err *err)
{
	const struct strv *words = &with->config->command;
	const char *found = NULL, *input = with->config->input;
	bool has = false, is_shared = false;
	size_t i, n = words->n + (input != NULL);
	int result = 0;

	for (i = 1; !result && !found && with->head.dir && without->head.dir && i < n; i++) {
		const char *word = i < words->n ? words->v[i] : input, *equals = strchr(word, '=');

		word = *word == '-' && equals ? equals + 1 : word;
		if (!*word || *word == '/' || *word == '-')
			continue;
		result = file_is_in(with->head.dir, word, &has, err) ||
					 file_is_in(without->head.dir, word, &is_shared, err)
				 ? -1
				 : 0;
		found = !result && has && !is_shared ? word : NULL;
	}
	*out = found;
	return result;
}

static int join_one(struct unit *u, struct plan *base, bool measure_identical, struct err *err)
{
	struct unit *other = plan_find(base, u->name);
	struct unit *failed = other && other->failure ? other : failure_of(base, u->config);
	const char *lacks = NULL;

	if (is_stuck(u, base)) {
		u->unreached = false;
		return fail(u, "", "it did not say which benchmarks it has", true, err);
	}
	u->unreached = u->unreached || is_late(base, u->config);
	if (u->unreached)
		return 0;
	if (u->failure) {
		if (!u->absent || !other || other->failure)
			return 0;
		return fail(u, "the head lacks what the base has: ", u->failure, false, err);
	}
	if (other && !other->failure && lacking_argument(u, other, &lacks, err))
		return -1;
	if (lacks) {
		u->only_head = true;
		return str_set(&u->lacks, lacks, err);
	}
	if (other && !other->failure)
		return take_base(u, other, measure_identical, err);
	if (failed && !failed->absent)
		return fail(u, "the base: ", failed->failure, failed->timed_out, err);
	u->only_head = true;
	return 0;
}

/* Moves what only the base has behind the head's units. */
static int append_rest(struct plan *head, const struct plan *base, struct err *err)
{
	size_t i;

	for (i = 0; i < base->n; i++) {
		const struct unit *b = &base->units[i];
		struct unit *u;

		if (b->failure || b->unreached || plan_find(head, b->name) ||
		    failure_of(head, b->config) || is_late(head, b->config))
			continue;
		u = plan_add(head, b->config, b->inner, err);
		if (!u)
			return -1;
		u->format = b->format;
		u->only_base = true;
	}
	return 0;
}

int join_plans(struct plan *head, struct plan *base, bool measure_identical, struct err *err)
{
	size_t i;

	for (i = 0; i < head->n; i++)
		if (join_one(&head->units[i], base, measure_identical, err))
			return -1;
	return append_rest(head, base, err);
}
