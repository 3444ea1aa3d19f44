#include "lib/config/layers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/config/benchmarks.h"
#include "lib/config/keys.h"
#include "lib/config/nearest.h"
#include "lib/git/config/gitconfig.h"

#include "lib/base/banned.h"

#define COMMITTED_FILE ".pawlconfig"
#define WHERE_TEXT 64

/* The layer being read. */
struct layer {
	unsigned bit; /* IN_COMMITTED or IN_GIT */
	const struct talk *talk;
	struct config *c;
};

/* A key as git has it, cut at its first and last dot: "benchmark", "deflate", "command". */
struct parts {
	char *copy;
	const char *section, *name, *last; /* name NULL without a subsection */
};

static int split_key(const char *key, struct parts *out, struct err *err)
{
	char *copy = str_dup(key, err), *first, *last;

	if (!copy)
		return -1;
	*out = (struct parts){ copy, "", NULL, copy };
	first = strchr(copy, '.');
	last = strrchr(copy, '.');
	if (!first)
		return 0;
	out->section = copy;
	out->last = last + 1;
	*first = '\0';
	if (last != first) {
		*last = '\0';
		out->name = first + 1;
	}
	return 0;
}

/* "'.pawlconfig' line 7" or "git config (global)". */
static void say_where(const struct layer *layer, const struct gitconfig_entry *e,
		      char out[WHERE_TEXT])
{
	if (layer->bit == IN_COMMITTED)
		snprintf(out, WHERE_TEXT, "'" COMMITTED_FILE "' line %d", e->line);
	else
		snprintf(out, WHERE_TEXT, "git config (%s)", e->origin);
}

static void ignore(const struct layer *layer, const char *where, const char *key)
{
	char cure[128];

	if (!strcmp(key, "token")) {
		talk_warn(layer->talk,
			  "set PAWL_TOKEN, or leave the token to git's credential helpers",
			  "%s: 'pawl.token' is ignored: a token does not belong there", where);
		return;
	}
	snprintf(cure, sizeof(cure), "to set it for yourself: git config pawl.%s VALUE", key);
	talk_warn(layer->talk, cure, "%s: 'pawl.%s' is ignored in a committed file", where, key);
}

static int take_hook(const struct layer *layer, const struct parts *key, const char *value,
		     const char *where, struct err *err)
{
	const struct config_key *known = key_find(hook_keys, key->last);
	char name[64];

	if (layer->bit == IN_COMMITTED) {
		snprintf(name, sizeof(name), "hook.%s", key->last);
		ignore(layer, where, name);
		return 0;
	}
	if (known)
		return key_set(known, &layer->c->hook, value, where, err);
	err_set(err, ERR_CONFIG, "%s: unknown key 'pawl.hook.%s'", where, key->last);
	return key_hint(hook_keys, key->last, err);
}

static int take_pawl(const struct layer *layer, const struct parts *key, const char *value,
		     const char *where, struct err *err)
{
	const struct config_key *known = key_find(pawl_keys, key->last);

	if (!known) {
		err_set(err, ERR_CONFIG, "%s: unknown key 'pawl.%s'", where, key->last);
		return key_hint(pawl_keys, key->last, err);
	}
	if (known->layers & layer->bit)
		return key_set(known, layer->c, value, where, err);
	ignore(layer, where, known->name);
	return 0;
}

static int take_benchmark(const struct layer *layer, const struct parts *key,
			  const struct gitconfig_entry *e, const char *where, struct err *err)
{
	const struct config_key *known = key_find(benchmark_keys, key->last);
	struct buf origin = BUF_INIT;
	struct bench_config *b;
	int result;

	if (!known) {
		err_set(err, ERR_CONFIG, "%s: unknown key '%s' of benchmark '%s'", where, key->last,
			key->name);
		return key_hint(benchmark_keys, key->last, err);
	}
	if (e->line)
		buf_addf(&origin, "%s:%d", e->origin, e->line);
	else
		buf_adds(&origin, where);
	result = buf_check(&origin, err);
	if (!result)
		result = benchmark_named(layer->c, key->name, where, buf_str(&origin), &b, err);
	buf_release(&origin);
	return result ? -1 : key_set(known, b, e->value, where, err);
}

static int unknown_section(const struct parts *key, const char *where, struct err *err)
{
	static const char *const known[] = { "pawl", "benchmark", NULL };
	const char *near = nearest(key->section, known, 2);
	const char *meant = near ? near : nearest_begun(key->section, known);

	if (!*key->section) {
		err_set(err, ERR_CONFIG, "%s: '%s' is before any section", where, key->last);
		return err_hint(err, "put [pawl] above it");
	}
	if (!strcmp(key->section, "benchmark")) {
		err_set(err, ERR_CONFIG, "%s: a benchmark without a name", where);
		return err_hint(err, "write the section as [benchmark \"NAME\"]");
	}
	if (key->name)
		err_set(err, ERR_CONFIG, "%s: unknown section '%s \"%s\"'", where, key->section,
			key->name);
	else
		err_set(err, ERR_CONFIG, "%s: unknown section '%s'", where, key->section);
	if (!meant)
		return err_hint(err, "the sections are [pawl] and [benchmark \"NAME\"]");
	if (!strcmp(meant, "benchmark"))
		return err_hint(err, "did you mean [benchmark \"NAME\"]?");
	return err_hint(err, "did you mean [pawl]?");
}

static int take(const struct layer *layer, const struct gitconfig_entry *e, struct err *err)
{
	char where[WHERE_TEXT];
	struct parts key;
	int result;

	say_where(layer, e, where);
	if (split_key(e->key, &key, err))
		return -1;
	if (e->is_cut)
		talk_warn(layer->talk, "put the whole value into double quotes",
			  "%s: ';' begins a comment there, so that '%s' is '%s' alone", where,
			  key.last, e->value);
	if (!strcmp(key.section, "pawl") && !key.name)
		result = take_pawl(layer, &key, e->value, where, err);
	else if (!strcmp(key.section, "pawl") && key.name && !strcmp(key.name, "hook"))
		result = take_hook(layer, &key, e->value, where, err);
	else if (!strcmp(key.section, "benchmark") && key.name)
		result = take_benchmark(layer, &key, e, where, err);
	else
		result = unknown_section(&key, where, err);
	free(key.copy);
	return result;
}

static int take_all(const struct layer *layer, const struct gitconfig *values, struct err *err)
{
	size_t i;

	for (i = 0; i < values->n; i++)
		if (take(layer, &values->v[i], err))
			return -1;
	return 0;
}

int layer_committed(struct repo *repo, const char *commit, const struct talk *talk,
		    struct config *c, struct err *err)
{
	const struct layer layer = { IN_COMMITTED, talk, c };
	struct gitconfig values = GITCONFIG_INIT;
	struct err fault = ERR_INIT;
	struct buf path = BUF_INIT;
	int result;

	if (!repo)
		return 0;
	if (!commit && repo_top(repo)) {
		buf_addf(&path, "%s/%s", repo_top(repo), COMMITTED_FILE);
		result = buf_check(&path, &fault) ||
			 gitconfig_read_file(buf_str(&path), &values, &fault);
	} else {
		result = gitconfig_read_committed(repo, commit ? commit : "HEAD", COMMITTED_FILE,
						  &values, &fault);
	}
	if (!result)
		result = take_all(&layer, &values, &fault);
	else if (fault.code == ERR_ABSENT)
		result = 0;
	if (result && err)
		*err = fault;
	gitconfig_release(&values);
	buf_release(&path);
	return result;
}

int layer_git(struct repo *repo, const struct talk *talk, struct config *c, struct err *err)
{
	const struct layer layer = { IN_GIT, talk, c };
	struct gitconfig values = GITCONFIG_INIT;
	int result = gitconfig_read_git(repo, &values, err);

	if (!result)
		result = take_all(&layer, &values, err);
	gitconfig_release(&values);
	return result;
}

int layer_environment(struct config *c, struct err *err)
{
	const struct config_key *key;
	char name[KEY_VARIABLE];

	for (key = pawl_keys; key->name; key++) {
		const char *value = getenv(key_variable(key, name));

		if (value && *value && (key->layers & IN_ENVIRONMENT) &&
		    key_set(key, c, value, name, err))
			return -1;
	}
	return 0;
}
