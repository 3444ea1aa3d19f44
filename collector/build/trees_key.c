/*
 * trees_key - what a build depends on, and the environment that makes two builds alike.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/build/compilers.h"
#include "collector/build/trees_local.h"
#include "collector/child/env.h"
#include "lib/base/digest.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

/* Differs from login to login, and no build may depend on it. */
static bool is_of_a_login(const char *entry)
{
	static const char *const starts[] = {
		"TERM=",     "XDG_SESSION",	 "XDG_SEAT",
		"XDG_VTNR=", "XDG_RUNTIME_DIR=", "XDG_CURRENT_DESKTOP=",
		"XDG_MENU"
	};
	size_t i;

	for (i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (str_starts(entry, starts[i]))
			return true;
	/* The descriptors of a make that started us are not handed on. */
	return str_starts(entry, "MAKEFLAGS=") && strstr(entry, "--jobserver");
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int plain_environment(struct strv *env, struct err *err)
{
	struct strv all = STRV_INIT;
	size_t i;
	int result = -1;

	if (child_env(&all, err))
		goto out;
	for (i = 0; i < all.n; i++)
		if (!is_of_a_login(all.v[i]) && strv_add(env, all.v[i], err))
			goto out;
	/* __DATE__ and __TIME__ are those of this second, for compilers that know the variable. */
	if (strv_addf(env, err, "SOURCE_DATE_EPOCH=%d", TREES_EPOCH))
		goto out;
	qsort(env->v, env->n, sizeof(*env->v), by_name);
	result = 0;
out:
	strv_release(&all);
	return result;
}

static int short_digest(struct digest *d, char out[TREES_KEY], struct err *err)
{
	char hex[DIGEST_HEX];

	if (digest_end(d, hex, err))
		return -1;
	memcpy(out, hex, TREES_KEY - 1);
	out[TREES_KEY - 1] = '\0';
	return 0;
}

/* A name for the compilers and all that the build gets from outside. */
static int toolchain_key(const struct strv *env, const char *state_dir, char out[TREES_KEY],
			 struct err *err)
{
	struct digest d = DIGEST_INIT;
	struct buf identity = BUF_INIT, memory = BUF_INIT;
	size_t i;
	int result = -1;

	buf_addf(&memory, "%s/compilers", state_dir ? state_dir : "");
	if (buf_check(&memory, err) ||
	    compilers_identity(env, state_dir ? buf_str(&memory) : NULL, &identity, err) ||
	    digest_begin(&d, err))
		goto out;
	digest_adds(&d, PAWL_VERSION);
	digest_adds(&d, buf_str(&identity));
	for (i = 0; i < env->n; i++)
		digest_adds(&d, env->v[i]);
	result = short_digest(&d, out, err);
out:
	digest_release(&d);
	buf_release(&identity);
	buf_release(&memory);
	return result;
}

int trees_toolchain(const char *state_dir, char out_key[TREES_KEY], struct err *err)
{
	struct strv env = STRV_INIT;
	int result = plain_environment(&env, err) || toolchain_key(&env, state_dir, out_key, err)
			     ? -1
			     : 0;

	strv_release(&env);
	return result;
}

int trees_environment(const struct trees_request *rq, const char *tree_id, struct strv *env,
		      char out_key[TREES_KEY], struct err *err)
{
	struct digest d = DIGEST_INIT;
	char tools[TREES_KEY], folder[TREES_KEY + 3];
	char *root = NULL;
	int result = -1;

	if (plain_environment(env, err) || toolchain_key(env, rq->state_dir, tools, err) ||
	    digest_begin(&d, err))
		goto out;
	digest_adds(&d, tree_id);
	/* What is detected follows from the tree and from pawl's version. */
	digest_adds(&d, rq->config->build ? rq->config->build : "");
	digest_adds(&d, rq->config->build ? "configured" : "detected");
	digest_adds(&d, rq->submodules ? "submodules" : "");
	digest_adds(&d, tools);
	if (short_digest(&d, out_key, err))
		goto out;
	root = trees_root(rq->state_dir, err);
	if (!root)
		goto out;
	snprintf(folder, sizeof(folder), "cc-%s", tools);
	result = compilers_wrap(root, folder, env, err);
out:
	digest_release(&d);
	free(root);
	return result;
}

int trees_environment_of(const struct trees_place *place, struct strv *env, struct err *err)
{
	/* git would find the user's repository above, and describe his commit. */
	if (strv_addf(env, err, "GIT_CEILING_DIRECTORIES=%s", place->dir))
		return -1;
	return strv_addf(env, err, COMPILERS_TREE "=%s", place->tree);
}
