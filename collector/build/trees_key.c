/*
 * trees_key - what a build depends on, and the environment that makes two builds alike.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/build/compilers.h"
#include "collector/build/trees_local.h"
#include "collector/child/env.h"
#include "collector/layout/layout.h"
#include "collector/link/recorder.h"
#include "lib/base/file.h"
#include "lib/digest/digest.h"
#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

/* Differs from login to login, and no build may depend on it. */
static bool is_of_a_login(const char *entry)
{
	static const char *const starts[] = {
		"TERM=",     "XDG_SESSION",	 "XDG_SEAT",
		"XDG_VTNR=", "XDG_RUNTIME_DIR=", "XDG_CURRENT_DESKTOP=",
		"XDG_MENU"
	};

	if (STR_STARTS_ONE_OF(entry, starts))
		return true;
	/* The descriptors of a make that started us are not handed on. */
	return str_starts(entry, "MAKEFLAGS=") && strstr(entry, "--jobserver");
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
	strv_sort(env);
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

static int identity_of(const struct strv *env, const char *state_dir, struct buf *out,
		       struct err *err)
{
	struct buf memory = BUF_INIT;
	int result = -1;

	buf_addf(&memory, "%s/compilers", state_dir ? state_dir : "");
	if (!buf_check(&memory, err))
		result = compilers_identity(env, state_dir ? buf_str(&memory) : NULL, out, err);
	buf_release(&memory);
	return result;
}

/*
 * Go writes the folder of the sources into its programs, so that the same source in two folders
 * would be two programs.
 */
static int trim_paths_of_go(struct strv *env, struct err *err)
{
	const char *given = strv_value(env, "GOFLAGS");
	size_t i;

	if (!given)
		return strv_add(env, "GOFLAGS=-trimpath", err);
	for (i = 0; i < env->n; i++)
		if (str_starts(env->v[i], "GOFLAGS=") && !strstr(given, "-trimpath")) {
			struct buf text = BUF_INIT;
			int result;

			buf_addf(&text, "%s%s-trimpath", env->v[i], *given ? " " : "");
			result = buf_check(&text, err) || str_set(&env->v[i], buf_str(&text), err);
			buf_release(&text);
			return result ? -1 : 0;
		}
	return 0;
}

/*
 * What a build may ask for.  The rest is a benchmark's or a login's, and two logins would not share
 * a tree: words sort and print in one way for all builds.
 */
static int build_environment(struct strv *env, struct err *err)
{
	static const char *const others[] = {
		"ASAN_OPTIONS=", "BENCH_",	   "LANG=", "LC_", "SHELL=",
		"TERM=",	 "UBSAN_OPTIONS=", "XDG_",  "TZ=", "SOURCE_DATE_EPOCH="
	};
	struct strv all = STRV_INIT;
	size_t i, k;
	int result = -1;

	if (plain_environment(&all, err))
		goto out;
	for (i = 0; i < all.n; i++) {
		bool reaches = true;

		for (k = 0; k < sizeof(others) / sizeof(others[0]); k++)
			reaches = reaches && !str_starts(all.v[i], others[k]);
		if ((reaches || child_env_is_named(all.v[i])) && strv_add(env, all.v[i], err))
			goto out;
	}
	result = trim_paths_of_go(env, err) || strv_add(env, "LC_ALL=C.UTF-8", err) ||
				 strv_add(env, "TZ=UTC", err) ||
				 strv_addf(env, err, "SOURCE_DATE_EPOCH=%d", TREES_EPOCH)
			 ? -1
			 : 0;
out:
	strv_release(&all);
	return result;
}

/* The folders of a list that lie outside of the work tree. */
static void add_outside(const char *list, const char *top, struct buf *out)
{
	while (*list) {
		size_t n = strcspn(list, ":"), before = out->len;

		buf_addf(out, "%s%.*s", out->len ? ":" : "", (int)n, list);
		if (!out->failed) {
			const char *folder = buf_str(out) + before + (before > 0);

			if (!strcmp(folder, top) || str_below(folder, top))
				buf_truncate(out, before);
		}
		list += n + (list[n] == ':');
	}
}

static int leave_out_of(const char *top, char **entry, struct err *err)
{
	const char *list = strchr(*entry, '=') + 1;
	struct buf kept = BUF_INIT, whole = BUF_INIT;
	int result;

	add_outside(list, top, &kept);
	buf_addf(&whole, "%.*s%s", (int)(list - *entry), *entry, buf_str(&kept));
	result = buf_check(&kept, err) || buf_check(&whole, err) ||
				 str_set(entry, buf_str(&whole), err)
			 ? -1
			 : 0;
	buf_release(&kept);
	buf_release(&whole);
	return result;
}

/* Both builds would take the same headers and libraries of what the user has checked out. */
static int leave_out_top(const char *top, struct strv *env, struct err *err)
{
	static const char *const lists[] = { "CPATH=", "C_INCLUDE_PATH=", "CPLUS_INCLUDE_PATH=",
					     "LIBRARY_PATH=", "CMAKE_PREFIX_PATH=" };
	size_t i, k;

	for (i = 0; top && i < env->n; i++)
		for (k = 0; k < sizeof(lists) / sizeof(lists[0]); k++)
			if (str_starts(env->v[i], lists[k]) && strstr(env->v[i], top) &&
			    leave_out_of(top, &env->v[i], err))
				return -1;
	return 0;
}

/* A name for the compilers, the packages and all else that builds and benchmarks get. */
static int toolchain_key(const struct strv *env, const char *state_dir, char out[TREES_KEY],
			 struct err *err)
{
	struct digest d = DIGEST_INIT;
	struct buf identity = BUF_INIT;
	struct strv builds = STRV_INIT;
	size_t i;
	int result = -1;

	/* asked as for a build, so that one answer is remembered */
	if (build_environment(&builds, err) || identity_of(&builds, state_dir, &identity, err) ||
	    digest_begin(&d, err))
		goto out;
	compilers_packages(&identity);
	digest_adds(&d, PAWL_VERSION);
	digest_adds(&d, buf_str(&identity));
	for (i = 0; i < env->n; i++)
		digest_adds(&d, env->v[i]);
	result = short_digest(&d, out, err);
out:
	digest_release(&d);
	buf_release(&identity);
	strv_release(&builds);
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

/* Who builds, and where what is thrown away or cached lies, is no part of what comes out. */
static bool is_no_fact(const char *entry)
{
	if (child_env_is_named(entry))
		return false;
	if (str_starts(entry, "CCACHE_DIR=") || str_starts(entry, "GOCACHE=") ||
	    str_starts(entry, "GOMODCACHE="))
		return true;
	return str_starts(entry, "HOME=") || str_starts(entry, "LOGNAME=") ||
	       str_starts(entry, "TMPDIR=") || str_starts(entry, "USER=");
}

/* One fact a file, and one for all that the compilers say of themselves. */
static int add_tools(const struct strv *env, const char *state_dir, struct strv *facts,
		     struct err *err)
{
	struct buf identity = BUF_INIT, said = BUF_INIT;
	char sum[DIGEST_HEX], *line, *rest;
	int result = -1;

	if (identity_of(env, state_dir, &identity, err))
		goto out;
	for (rest = identity.data; rest && (line = strsep(&rest, "\n"));) {
		char *space = str_starts(line, COMPILERS_FILE) ? strrchr(line, ' ') : NULL;

		if (!space) {
			buf_addf(&said, "%s\n", line);
			continue;
		}
		*space = '=';
		if (strv_add(facts, line + strlen(COMPILERS_FILE), err))
			goto out;
	}
	if (buf_check(&said, err) || digest_of(said.data, said.len, sum, err) ||
	    strv_addf(facts, err, "(the compilers' own words)=%s", sum))
		goto out;
	result = 0;
out:
	buf_release(&identity);
	buf_release(&said);
	return result;
}

bool trees_fill_submodules(const struct trees_request *rq)
{
	return rq->submodules || rq->config->submodules == CONFIG_SUBMODULES_ALWAYS;
}

static int add_facts(const struct trees_request *rq, const char *tree_id, const struct strv *env,
		     struct strv *facts, struct err *err)
{
	size_t i;

	/* What is detected follows from the tree and from pawl's version. */
	if (strv_addf(facts, err, "tree=%s", tree_id) ||
	    strv_addf(facts, err, "pawl=%s", PAWL_VERSION) ||
	    strv_addf(facts, err, "build=%s", rq->config->build ? rq->config->build : "") ||
	    strv_addf(facts, err, "submodules=%s", trees_fill_submodules(rq) ? "yes" : "no"))
		return -1;
	for (i = 0; i < env->n; i++)
		if (!is_no_fact(env->v[i]) && strv_add(facts, env->v[i], err))
			return -1;
	for (i = 0; rq->env && i < rq->env->n; i++)
		if (is_no_fact(rq->env->v[i]) && strv_add(facts, rq->env->v[i], err))
			return -1;
	return worktree_way(rq->repo, facts, err) || add_tools(env, rq->state_dir, facts, err) ? -1
											       : 0;
}

/* Of all facts, or of the tools alone: those of any tree that is built in any way. */
static int key_of(const struct strv *facts, bool tools, char out[TREES_KEY], struct err *err)
{
	struct digest d = DIGEST_INIT;
	int result = -1;
	size_t i;

	if (!digest_begin(&d, err)) {
		for (i = 0; i < facts->n; i++)
			if (!tools || (!str_starts(facts->v[i], "tree=") &&
				       !str_starts(facts->v[i], "build=")))
				digest_adds(&d, facts->v[i]);
		result = short_digest(&d, out, err);
	}
	digest_release(&d);
	return result;
}

/*
 * The linker's stand-in: in the same folder for all trees of these tools, as a compiler cache takes
 * its path for a part of what it compiles.
 */
static int record_links(const char *root, const char *tools, struct strv *env, struct err *err)
{
	struct buf folder = BUF_INIT;
	int result = -1;

	buf_addf(&folder, "%s/%s/linkers", root, tools);
	if (!buf_check(&folder, err))
		result = recorder_install(buf_str(&folder), env, err);
	buf_release(&folder);
	return result;
}

/* What builds get, and what this one was asked to get. */
static int environment_for(const struct trees_request *rq, struct strv *env, struct err *err)
{
	struct strv plain = STRV_INIT;
	const struct strv none = STRV_INIT;
	int result = -1;

	if (!build_environment(&plain, err) && !leave_out_top(repo_top(rq->repo), &plain, err))
		result = child_env_over(&plain, rq->env ? rq->env : &none, env, err);
	strv_release(&plain);
	return result;
}

/* Of a make that starts pawl, without variables of its own. */
static bool is_plain_makeflags(const char *entry)
{
	return (str_starts(entry, "MAKEFLAGS=") || str_starts(entry, "MFLAGS=")) &&
	       !strchr(strchr(entry, '=') + 1, '=');
}

int trees_way(const char *state_dir, const char *build, char out_key[TREES_KEY], struct err *err)
{
	struct strv env = STRV_INIT, facts = STRV_INIT;
	size_t i;
	int result = -1;

	if (build_environment(&env, err) || strv_addf(&facts, err, "way=%s", build ? build : ""))
		goto out;
	/* Of PATH counts what is found by it: git, a hook and a virtual environment add folders. */
	for (i = 0; i < env.n; i++)
		if (!is_no_fact(env.v[i]) && !str_starts(env.v[i], "PATH=") &&
		    !is_plain_makeflags(env.v[i]) && strv_add(&facts, env.v[i], err))
			goto out;
	result = add_tools(&env, state_dir, &facts, err) || key_of(&facts, false, out_key, err) ? -1
												: 0;
out:
	strv_release(&env);
	strv_release(&facts);
	return result;
}

int trees_environment(const struct trees_request *rq, const char *tree_id, struct strv *env,
		      struct strv *facts, char out_key[TREES_KEY], struct err *err)
{
	char tools[TREES_KEY], folder[TREES_KEY + 3];
	char *root = NULL;
	int result = -1;

	if (environment_for(rq, env, err) || add_facts(rq, tree_id, env, facts, err) ||
	    key_of(facts, false, out_key, err) || key_of(facts, true, tools, err))
		goto out;
	root = trees_root(rq->state_dir, err);
	if (!root)
		goto out;
	snprintf(folder, sizeof(folder), "cc-%s", tools);
	result = compilers_wrap(root, folder, env, err) || record_links(root, folder, env, err) ? -1
												: 0;
out:
	free(root);
	return result;
}

int trees_environment_of(const struct trees_place *place, struct strv *env, struct err *err)
{
	/* git would find the user's repository above, and describe his commit. */
	if (strv_addf(env, err, "GIT_CEILING_DIRECTORIES=%s", place->dir))
		return -1;
	return strv_addf(env, err, COMPILERS_TREE "=%s", place->tree) ||
			       strv_addf(env, err, COMPILERS_SEEN "=%s/" TREES_SEEN, place->dir) ||
			       strv_addf(env, err, RECORDER_LINKS "=%s/" LAYOUT_LINKS, place->dir)
		       ? -1
		       : 0;
}
