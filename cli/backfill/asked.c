#include "cli/backfill/backfill.h"

#include <string.h>

#include "cli/backfill/parts_here.h"
#include "collector/fill.h"

#include "lib/base/banned.h"

/* What was only held against stored samples says nothing of its gap. */
static bool is_measured(const struct summary *s)
{
	const char *how = s->baseline.how;

	return how &&
	       (!strcmp(how, "rebuilt") || !strcmp(how, "rerun") || !strcmp(how, "identical"));
}

static bool has_section(const struct summary *s, const char *section)
{
	size_t i;

	for (i = 0; i < s->n_benchmarks; i++)
		if (plan_lies_in(s->benchmarks[i].name, section))
			return true;
	return false;
}

/* Whether it was cut to that, or to more; an older pawl did not say to what. */
static bool was_asked(const struct summary *s, const char *name)
{
	const struct strv *asked = &s->settings.asked;
	size_t i;

	for (i = 0; i < asked->n; i++)
		if (plan_lies_in(name, asked->v[i]))
			return true;
	return !asked->n && summary_find(s, name);
}

/* Of one that was cut to what some call asked for. */
static bool has_asked(const struct backfill_asked *asked, const struct summary *s)
{
	size_t i;

	if (!s->settings.partial || asked->is_command)
		return true;
	for (i = 0; i < asked->only->n; i++)
		if (!was_asked(s, asked->only->v[i]))
			return false;
	return asked->only->n > 0;
}

int backfill_ask(const struct options *o, const struct context *c, bool submodules,
		 struct backfill_asked *out, struct err *err)
{
	*out = (struct backfill_asked){ .config = &c->config,
					.only = &o->benchmarks,
					.is_command = o->command.n > 0,
					.submodules = submodules };
	out->parts_us = parts_newest_us(repo_common_dir(c->repo));
	return build_key(&c->config, submodules, out->build_key, err) ||
			       build_key(&c->config, true, out->filled_key, err)
		       ? -1
		       : 0;
}

/* What a section ran then, and what it would run now. */
static bool is_run_alike(const struct bench_config *config, const struct summary *s)
{
	struct buf command = BUF_INIT;
	bool is = false, is_said = false;
	size_t i;

	fill_command(config, &command);
	for (i = 0; i < s->n_benchmarks && !is; i++) {
		const struct bench *b = &s->benchmarks[i];

		if (!b->command || !plan_lies_in(b->name, config->name))
			continue;
		is_said = true;
		is = !strcmp(b->command, buf_str(&command));
	}
	buf_release(&command);
	return is || !is_said;
}

bool backfill_is_alike(const struct backfill_asked *asked, const struct summary *s)
{
	const struct config *config = asked->config;
	const char *key = s->settings.build_key; /* an older pawl did not say */
	size_t i;

	for (i = 0; i < config->n_benchmarks; i++)
		if (plan_concerns(asked->only, &config->benchmarks[i]) &&
		    !is_run_alike(&config->benchmarks[i], s))
			return false;
	if (s->settings.lacks_parts && asked->parts_us > s->started_us)
		return false;
	return key ? !strcmp(key, asked->build_key) || !strcmp(key, asked->filled_key)
		   : !asked->submodules;
}

/* Of a gap that was measured before a benchmark was configured something is left to find out. */
bool backfill_has_all(const struct backfill_asked *asked, const struct summary *s)
{
	const struct config *config = asked->config;
	size_t i;

	for (i = 0; i < config->n_benchmarks; i++)
		if (plan_concerns(asked->only, &config->benchmarks[i]) &&
		    !has_section(s, config->benchmarks[i].name))
			return false;
	return is_measured(s) && has_asked(asked, s);
}

bool backfill_is_whole(const struct backfill_asked *asked, const struct summary *s)
{
	return backfill_has_all(asked, s) && backfill_is_alike(asked, s);
}
