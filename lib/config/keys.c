#include "lib/config/keys.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lib/config/nearest.h"
#include "lib/config/values.h"

#include "lib/base/banned.h"

#define MS_NS UINT64_C(1000000)
#define S_NS UINT64_C(1000000000)
#define DAY_NS (86400 * S_NS)
#define KEYS_MAX 32

static int set_project(void *c, const char *value, struct err *err)
{
	return value_name(value, &((struct config *)c)->project, err);
}

static int set_build(void *c, const char *value, struct err *err)
{
	return value_text(value, &((struct config *)c)->build, err);
}

static int set_build_timeout(void *c, const char *value, struct err *err)
{
	return value_duration(value, S_NS, DAY_NS, &((struct config *)c)->build_timeout_ns, err);
}

static int set_sources(void *c, const char *value, struct err *err)
{
	return value_input(value, &((struct config *)c)->sources, err);
}

static int set_env(void *c, const char *value, struct err *err)
{
	return value_variables(value, &((struct config *)c)->env, err);
}

static int set_runs(void *target, const char *value, struct err *err)
{
	struct config *c = target;

	if (value_runs(value, &c->runs_min, &c->runs_max, err))
		return -1;
	c->runs_given = true;
	return 0;
}

static int set_threshold(void *c, const char *value, struct err *err)
{
	return value_threshold(value, &((struct config *)c)->threshold, err);
}

static int set_creep(void *target, const char *value, struct err *err)
{
	return value_threshold(value, &((struct config *)target)->creep, err);
}

static int set_confidence(void *c, const char *value, struct err *err)
{
	return value_confidence(value, &((struct config *)c)->confidence, err);
}

static int set_min_time(void *c, const char *value, struct err *err)
{
	struct config *config = c;

	config->min_time_given = true;
	return value_duration(value, MS_NS, 60 * S_NS, &config->min_time_ns, err);
}

static int set_layouts(void *c, const char *value, struct err *err)
{
	return value_layouts(value, &((struct config *)c)->layouts, err);
}

static int set_submodules(void *c, const char *value, struct err *err)
{
	bool always;

	if (value_bool(value, &always, err))
		return -1;
	((struct config *)c)->submodules =
		always ? CONFIG_SUBMODULES_ALWAYS : CONFIG_SUBMODULES_NEVER;
	return 0;
}

static int set_cache_size(void *c, const char *value, struct err *err)
{
	return value_bytes(value, &((struct config *)c)->cache_bytes, err);
}

static int set_seed(void *target, const char *value, struct err *err)
{
	struct config *c = target;

	if (value_number(value, &c->seed, err))
		return -1;
	c->seed_given = true;
	return 0;
}

static int set_server(void *c, const char *value, struct err *err)
{
	return value_server(value, &((struct config *)c)->server, err);
}

static int set_token(void *c, const char *value, struct err *err)
{
	return value_token(value, &((struct config *)c)->token, err);
}

static int set_insecure_http(void *c, const char *value, struct err *err)
{
	return value_bool(value, &((struct config *)c)->insecure_http, err);
}

static int set_require_push(void *c, const char *value, struct err *err)
{
	return value_bool(value, &((struct config *)c)->require_push, err);
}

#define NOT_COMMITTED (ANYWHERE & ~IN_COMMITTED)

const struct config_key pawl_keys[] = {
	{ "project", ANYWHERE, "zlib", set_project, false, false },
	{ "build", ANYWHERE, "make -j2 bench", set_build, false, false },
	{ "buildTimeout", ANYWHERE, "30m", set_build_timeout, false, false },
	{ "sources", ANYWHERE, "src", set_sources, false, false },
	{ "env", NOT_COMMITTED, "VULKAN_SDK", set_env, false, false },
	{ "runs", ANYWHERE, "12..200", set_runs, false, false },
	{ "threshold", ANYWHERE, "2%", set_threshold, false, false },
	{ "creep", ANYWHERE, "5%", set_creep, false, false },
	{ "confidence", ANYWHERE, "0.95", set_confidence, false, false },
	{ "minTime", ANYWHERE, "250ms", set_min_time, false, false },
	{ "layouts", ANYWHERE, "auto", set_layouts, false, false },
	{ "submodules", ANYWHERE, "true", set_submodules, true, false },
	{ "cacheSize", ANYWHERE, "1G", set_cache_size, false, false },
	{ "seed", ANYWHERE, "7", set_seed, false, false },
	{ "server", NOT_COMMITTED, "https://pawl.example.org", set_server, false, false },
	{ "token", IN_ENVIRONMENT, "SECRET", set_token, false, true },
	{ "insecureHttp", NOT_COMMITTED, "false", set_insecure_http, true, false },
	{ "requirePush", ANYWHERE, "false", set_require_push, true, false },
	{ NULL, 0, NULL, NULL, false, false },
};

static int set_hook_enabled(void *c, const char *value, struct err *err)
{
	return value_bool(value, &((struct hook_config *)c)->enabled, err);
}

static int set_hook_block(void *c, const char *value, struct err *err)
{
	return value_bool(value, &((struct hook_config *)c)->block, err);
}

static int set_hook_budget(void *c, const char *value, struct err *err)
{
	/* Below, it is over before anything is measured. */
	return value_duration(value, 2 * S_NS, DAY_NS, &((struct hook_config *)c)->budget_ns, err);
}

static int set_hook_ignored(void *c, const char *value, struct err *err)
{
	return value_input(value, &((struct hook_config *)c)->ignored, err);
}

const struct config_key hook_keys[] = {
	{ "enabled", IN_GIT, "true", set_hook_enabled, true, false },
	{ "block", IN_GIT, "true", set_hook_block, true, false },
	{ "budget", IN_GIT, "60s", set_hook_budget, false, false },
	{ "ignored", IN_GIT, "*.md", set_hook_ignored, false, false },
	{ NULL, 0, NULL, NULL, false, false },
};

const struct config_key *key_find(const struct config_key *keys, const char *name)
{
	for (; keys->name; keys++)
		if (!strcasecmp(keys->name, name))
			return keys;
	return NULL;
}

int key_hint(const struct config_key *keys, const char *name, struct err *err)
{
	bool is_pawl = keys == pawl_keys;
	const char *names[KEYS_MAX + 1];
	size_t n = 0, length = strlen(name);
	const char *meant;

	if (keys != hook_keys && key_find(is_pawl ? benchmark_keys : pawl_keys, name))
		return err_hint(err, "'%s' belongs in [%s]", name,
				is_pawl ? "benchmark \"NAME\"" : "pawl");
	for (; keys->name && n < KEYS_MAX; keys++)
		names[n++] = keys->name;
	names[n] = NULL;
	meant = nearest(name, names, length < 6 ? 1 : length / 3);
	if (meant)
		return err_hint(err, "did you mean '%s'?", meant);
	return err_hint(err, "pawl-config(5) lists the keys");
}

/* A URL with a password in it must not reach a log. */
static bool may_be_shown(const struct config_key *key, const char *value)
{
	return !key->is_secret && !(key->set == set_server && strchr(value, '@'));
}

int key_set(const struct config_key *key, void *target, const char *value, const char *where,
	    struct err *err)
{
	struct err fault = ERR_INIT;

	if (!value && key->is_switch)
		value = "true";
	if (!value)
		err_set(&fault, ERR_CONFIG, "'%s' has no value", key->name);
	else if (!key->set(target, value, &fault))
		return 0;
	else if (fault.code == ERR_CONFIG && may_be_shown(key, value))
		err_in(&fault, "bad value '%s' for '%s'", value, key->name);
	else if (fault.code == ERR_CONFIG)
		err_in(&fault, "bad value for '%s'", key->name);
	if (fault.code == ERR_CONFIG) {
		err_in(&fault, "%s", where);
		err_hint(&fault, "for example: %s = %s", key->name, key->example);
	}
	if (err)
		*err = fault;
	return -1;
}

const char *key_variable(const struct config_key *key, char out[KEY_VARIABLE])
{
	size_t n = (size_t)snprintf(out, KEY_VARIABLE, "PAWL_");
	const char *p;

	for (p = key->name; *p && n + 3 < KEY_VARIABLE; p++) {
		if (isupper((unsigned char)*p))
			out[n++] = '_';
		out[n++] = (char)toupper((unsigned char)*p);
	}
	out[n] = '\0';
	return out;
}
