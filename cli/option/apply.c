#include "cli/option/apply.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "lib/base/number.h"

#include "lib/base/banned.h"

/* Options that are configuration values by another name. */
static const struct {
	const char *option, *key;
} settings[] = {
	{ "build", "build" },	   { "confidence", "confidence" }, { "layouts", "layouts" },
	{ "min-time", "minTime" }, { "project", "project" },	   { "runs", "runs" },
	{ "seed", "seed" },	   { "server", "server" },	   { "threshold", "threshold" },
};

const char *option_of_setting(const char *key)
{
	size_t i;

	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if (!strcmp(settings[i].key, key))
			return settings[i].option;
	return NULL;
}

static int set_colour(struct options *o, const char *value, struct err *err)
{
	static const char *const words[] = { "auto", "always", "never" };
	int i;

	assert(value); /* an option of the table that takes one */
	for (i = 0; i < 3; i++) {
		if (strcmp(words[i], value))
			continue;
		o->colour = (enum colour_when)i;
		return 0;
	}
	return err_set(err, ERR_USAGE, "--color takes auto, always or never, not '%s'", value);
}

struct flag {
	const char *name;
	size_t offset;
};

static const struct flag flags[] = {
	{ "again", offsetof(struct options, again) },
	{ "all", offsetof(struct options, all) },
	{ "bisect", offsetof(struct options, bisect) },
	{ "built", offsetof(struct options, built) },
	{ "committed", offsetof(struct options, committed) },
	{ "dry-run", offsetof(struct options, dry_run) },
	{ "explain", offsetof(struct options, explain) },
	{ "explain-build", offsetof(struct options, explain_build) },
	{ "help", offsetof(struct options, help) },
	{ "join", offsetof(struct options, join) },
	{ "json", offsetof(struct options, json) },
	{ "last", offsetof(struct options, last) },
	{ "list", offsetof(struct options, list) },
	{ "measure-identical", offsetof(struct options, measure_identical) },
	{ "no-build", offsetof(struct options, no_build) },
	{ "no-push", offsetof(struct options, no_push) },
	{ "plot", offsetof(struct options, plot) },
	{ "porcelain", offsetof(struct options, porcelain) },
	{ "post-commit", offsetof(struct options, post_commit) },
	{ "quick", offsetof(struct options, quick) },
	{ "quiet", offsetof(struct options, quiet) },
	{ "rebuild", offsetof(struct options, rebuild) },
	{ "repair", offsetof(struct options, repair) },
	{ "require-push", offsetof(struct options, require_push) },
	{ "reset", offsetof(struct options, reset) },
	{ "reuse", offsetof(struct options, reuse) },
	{ "since-tag", offsetof(struct options, since_tag) },
	{ "status", offsetof(struct options, status) },
	{ "steps", offsetof(struct options, steps) },
	{ "strict", offsetof(struct options, strict) },
	{ "submodules", offsetof(struct options, submodules) },
	{ "tags", offsetof(struct options, tags) },
	{ "untrusted", offsetof(struct options, untrusted) },
	{ "verbose", offsetof(struct options, verbose) },
	{ "work", offsetof(struct options, work) },
	{ "working-tree", offsetof(struct options, working_tree) },
};

static const struct flag texts[] = {
	{ "author", offsetof(struct options, author) },
	{ "base-bin", offsetof(struct options, base.program) },
	{ "base-build", offsetof(struct options, base.build) },
	{ "base-cmd", offsetof(struct options, base.command) },
	{ "because", offsetof(struct options, because) },
	{ "branch", offsetof(struct options, branch) },
	{ "budget", offsetof(struct options, budget) },
	{ "change", offsetof(struct options, change) },
	{ "cleanup", offsetof(struct options, cleanup) },
	{ "commit", offsetof(struct options, commit) },
	{ "constraint", offsetof(struct options, constraint) },
	{ "expires", offsetof(struct options, expires) },
	{ "file", offsetof(struct options, file) },
	{ "files", offsetof(struct options, parts_dir) },
	{ "format", offsetof(struct options, format) },
	{ "head-bin", offsetof(struct options, head.program) },
	{ "head-build", offsetof(struct options, head.build) },
	{ "head-cmd", offsetof(struct options, head.command) },
	{ "html", offsetof(struct options, html) },
	{ "label", offsetof(struct options, label) },
	{ "limit", offsetof(struct options, limit) },
	{ "link", offsetof(struct options, link) },
	{ "machine", offsetof(struct options, machine) },
	{ "metric", offsetof(struct options, metric) },
	{ "number", offsetof(struct options, number) },
	{ "output", offsetof(struct options, output) },
	{ "pairs", offsetof(struct options, pairs) },
	{ "part", offsetof(struct options, part) },
	{ "picture", offsetof(struct options, picture) },
	{ "points", offsetof(struct options, points) },
	{ "prepare", offsetof(struct options, prepare) },
	{ "repository", offsetof(struct options, repository) },
	{ "sbatch", offsetof(struct options, sbatch) },
	{ "scope", offsetof(struct options, scope) },
	{ "shard", offsetof(struct options, shard) },
	{ "shard-group", offsetof(struct options, shard_group) },
	{ "shell", offsetof(struct options, shell) },
	{ "slurm", offsetof(struct options, slurm) },
	{ "stdin", offsetof(struct options, input) },
	{ "store", offsetof(struct options, store) },
	{ "svg", offsetof(struct options, svg) },
	{ "times", offsetof(struct options, times) },
	{ "to", offsetof(struct options, to) },
	{ "token-file", offsetof(struct options, token_file) },
	{ "url", offsetof(struct options, url) },
	{ "warmup", offsetof(struct options, warmup) },
	{ "wait", offsetof(struct options, wait) },
};

int option_apply(struct options *o, const struct option_row *row, const char *value,
		 struct err *err)
{
	size_t i;

	if (!strcmp(row->name, "color"))
		return set_colour(o, value, err);
	if (!strcmp(row->name, "benchmark")) {
		if (!o->benchmark)
			o->benchmark = value;
		return strv_add(&o->benchmarks, value, err);
	}
	if (!strcmp(row->name, "write"))
		return strv_add(&o->files, value, err);
	if (!strcmp(row->name, "base-env"))
		return strv_add(&o->base.env, value, err);
	if (!strcmp(row->name, "head-env"))
		return strv_add(&o->head.env, value, err);
	if (!strcmp(row->name, "matrix"))
		return strv_add(&o->matrix, value, err);
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (!strcmp(flags[i].name, row->name))
			*(bool *)((char *)o + flags[i].offset) = true;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (!strcmp(texts[i].name, row->name))
			*(const char **)(void *)((char *)o + texts[i].offset) = value;
	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if (!strcmp(settings[i].option, row->name) &&
		    (strv_add(&o->settings, settings[i].key, err) ||
		     strv_add(&o->settings, value, err)))
			return -1;
	return 0;
}

int option_time(const char *option, const char *text, uint64_t least_ns, uint64_t *out_ns,
		struct err *err)
{
	uint64_t ns;

	if (!text)
		return 0;
	if (!number_duration_ns(text, &ns) || ns < least_ns)
		return err_set(err, ERR_USAGE, "%s takes a time such as 60s, not '%s'", option,
			       text);
	*out_ns = ns;
	return 0;
}
