#include "lib/config/config.h"

#include <assert.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/config/benchmarks.h"
#include "lib/config/keys.h"
#include "lib/config/layers.h"
#include "lib/config/values.h"

#include "lib/base/banned.h"

void config_init(struct config *c)
{
	*c = (struct config){
		.build_timeout_ns = UINT64_C(1800) * 1000000000,
		.runs_min = 12,
		.runs_max = 400,
		.threshold = 0.01,
		.confidence = 0.95,
		.min_time_ns = UINT64_C(250) * 1000000,
		.layouts = CONFIG_LAYOUTS_AUTO,
		.submodules = CONFIG_SUBMODULES_MOVED,
		.cache_bytes = UINT64_C(1) << 30,
		.hook = { .enabled = true, .budget_ns = UINT64_C(60) * 1000000000 },
	};
}

void config_release(struct config *c)
{
	free(c->project);
	free(c->build);
	strv_release(&c->sources);
	strv_release(&c->env);
	strv_release(&c->hook.ignored);
	free(c->server);
	free(c->token);
	benchmarks_release(c);
	config_init(c);
}

int config_load_committed(struct repo *repo, const char *commit, const struct talk *talk,
			  struct config *out, struct err *err)
{
	config_init(out);
	if (layer_committed(repo, commit, talk, out, err) || layer_git(repo, talk, out, err) ||
	    layer_environment(out, err) || benchmarks_check(out, err)) {
		config_release(out);
		return -1;
	}
	benchmarks_settle(out);
	if (!benchmarks_use_shells(out, err))
		return 0;
	config_release(out);
	return -1;
}

int config_load(struct repo *repo, const struct talk *talk, struct config *out, struct err *err)
{
	return config_load_committed(repo, NULL, talk, out, err);
}

int config_load_git(struct repo *repo, const struct talk *talk, struct config *out, struct err *err)
{
	config_init(out);
	if (!layer_git(repo, talk, out, err) && !layer_environment(out, err)) {
		benchmarks_release(out);
		return 0;
	}
	config_release(out);
	return -1;
}

int config_set_all(struct config *c, const char *key, const char *value, const char *origin,
		   struct err *err)
{
	const struct config_key *known = key_find(benchmark_keys, key);
	size_t i;

	assert(known);
	for (i = 0; i < c->n_benchmarks; i++)
		if (key_set(known, &c->benchmarks[i], value, origin, err))
			return -1;
	return 0;
}

int config_set(struct config *c, const char *key, const char *value, const char *origin,
	       struct err *err)
{
	const struct config_key *known = key_find(pawl_keys, key);

	if (!known) {
		err_set(err, ERR_CONFIG, "%s: unknown key 'pawl.%s'", origin, key);
		return key_hint(pawl_keys, key, err);
	}
	if (!(known->layers & IN_OPTION)) {
		err_set(err, ERR_CONFIG, "%s: '%s' is not taken from the command line", origin,
			known->name);
		return err_hint(err, "everybody on this machine can read it there; set PAWL_TOKEN");
	}
	if (key_set(known, c, value, origin, err))
		return -1;
	benchmarks_settle(c);
	return 0;
}

/* The last part of a program's path, made a valid name: odd bytes as %XX. */
static void name_of_program(const char *program, char out[NAME_BYTES + 1])
{
	size_t n = 0;

	program = path_base(program);
	snprintf(out, NAME_BYTES + 1, "%s", program);
	if (name_is_valid(out))
		return;
	for (; *program && n + 4 <= NAME_BYTES; program++) {
		if (*program > ' ' && *program <= '~' && *program != '%')
			out[n++] = *program;
		else
			n += (size_t)snprintf(out + n, 4, "%%%02X", (unsigned char)*program);
	}
	out[n] = '\0';
}

int config_set_command(struct config *c, char *const *argv, struct err *err)
{
	struct strv command = STRV_INIT;
	struct bench_config *b;
	char name[NAME_BYTES + 1];

	assert(argv && argv[0]);
	if (!*argv[0]) {
		err_set(err, ERR_USAGE, "the command after '--' is empty");
		return err_hint(err, "name the program: -- PROGRAM ARGUMENTS");
	}
	if (strv_add_all(&command, argv, err)) {
		strv_release(&command);
		return -1;
	}
	benchmarks_release(c);
	name_of_program(argv[0], name);
	if (benchmark_named(c, name, "command line", "command line", &b, err)) {
		strv_release(&command);
		return -1;
	}
	b->command = command;
	return 0;
}

int config_set_metric(struct config *c, const char *metric, struct err *err)
{
	struct err why = ERR_INIT;
	size_t i;

	for (i = 0; i < c->n_benchmarks; i++) {
		struct bench_config *b = &c->benchmarks[i];

		if (!b->metric || strcmp(b->metric, metric) != 0)
			b->better_given = false;
		if (!value_metric(metric, &b->metric, &why))
			continue;
		if (why.code == ERR_NOMEM)
			return err_nomem(err);
		err_set(err, ERR_USAGE, "--metric '%s': %s", metric, why.text);
		return why.hint[0] ? err_hint(err, "%s", why.hint) : -1;
	}
	return 0;
}

bool hook_ignores(const struct hook_config *hook, const char *path)
{
	size_t i;

	for (i = 0; i < hook->ignored.n; i++) {
		const char *pattern = hook->ignored.v[i];

		if (!fnmatch(pattern, path, 0) || str_below(path, pattern))
			return true;
	}
	return false;
}
