#include "cli/init_try.h"

#include <stdlib.h>
#include <string.h>

#include "collector/child/child.h"
#include "collector/plan.h"

#include "lib/base/banned.h"

static int try_one(const struct context *c, const struct tree *tree, struct surveyed *b,
		   struct err *err)
{
	struct process_runner runner = { .cpu = -1,
					 .min_time_ns = c->config.min_time_ns,
					 .top = tree->path };
	struct plan_request rq = { .runner = &runner,
				   .top = tree->path,
				   .foreign = repo_top(c->repo) };
	struct plan plan = PLAN_INIT;
	struct config config;
	int result = -1;
	size_t i;

	config_init(&config);
	rq.config = &config;
	if (config_set_command(&config, b->command.v, err))
		goto out;
	config.benchmarks[0].format = bench_format_parse(b->format);
	config.benchmarks[0].format_given = strcmp(b->format, "pawl") != 0;
	if (plan_make(&rq, &plan, err))
		goto out;
	for (i = 0; i < plan.n && !b->fault; i++)
		if (plan.units[i].failure && str_set(&b->fault, plan.units[i].failure, err))
			goto out;
	result = 0;
out:
	plan_release(&plan);
	config_release(&config);
	return result;
}

int init_try(const struct context *c, bool submodules, struct survey *s, struct err *err)
{
	struct config config = c->config;
	const struct trees_request rq = { .repo = c->repo,
					  .config = &config,
					  .state_dir = c->state_dir,
					  .submodules = submodules,
					  .talk = c->talk };
	struct tree tree = TREE_INIT;
	int result = -1;
	size_t i;

	if (s->build_fault || !s->n)
		return 0;
	config.build = s->build;
	child_adopt_orphans();
	if (tree_open(&rq, "HEAD", NULL, &tree, err))
		goto out;
	for (i = 0; i < s->n; i++) {
		talk_progress(c->talk, (double)i, (double)s->n, "trying %s", s->v[i].name);
		if (try_one(c, &tree, &s->v[i], err))
			goto out;
	}
	result = 0;
out:
	tree_close(&tree);
	return result;
}
