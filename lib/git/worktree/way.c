/*
 * way - what decides, beside the commit, which bytes a checkout writes: gitattributes(5) lists the
 * files of attributes, git-config(1) the variables.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/digest/digest.h"
#include "lib/git/backend.h"
#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

static bool is_of_checkouts(const char *key)
{
	static const char *const names[] = { "attr.tree", "core.attributesfile", "core.autocrlf",
					     "core.eol", "core.symlinks" };

	return STR_IS_ONE_OF(key, names) || str_starts(key, "filter.");
}

/* By git itself, where the files cannot be read without it. */
static int read_config(struct repo *repo, struct gitconfig *out, struct err *err)
{
	if (!repo->backend->read_config(repo, is_of_checkouts, out, NULL))
		return 0;
	gitconfig_cut(out, 0);
	return backend_cli.read_config(repo, is_of_checkouts, out, err);
}

static bool is_last(const struct gitconfig *c, size_t i)
{
	size_t k;

	for (k = i + 1; k < c->n; k++)
		if (!strcmp(c->v[i].key, c->v[k].key))
			return false;
	return true;
}

static int add_file(const char *folder, const char *name, struct strv *out, struct err *err)
{
	char sum[DIGEST_HEX], *path;
	int result = 0;

	if (!folder || !*folder)
		return 0;
	path = path_join(folder, name, err);
	if (!path)
		return -1;
	if (file_exists(path))
		result = digest_of_file(path, sum, err) || strv_addf(out, err, "%s=%s", path, sum)
				 ? -1
				 : 0;
	free(path);
	return result;
}

/* The user's, as core.attributesFile names them, or where they are by default. */
static int add_users(const char *named, struct strv *out, struct err *err)
{
	const char *home = getenv("HOME"), *xdg = getenv("XDG_CONFIG_HOME");

	if (named && str_starts(named, "~/"))
		return add_file(home, named + 2, out, err);
	if (named)
		return add_file("/", named + (*named == '/'), out, err);
	return xdg && *xdg ? add_file(xdg, "git/attributes", out, err)
			   : add_file(home, ".config/git/attributes", out, err);
}

int worktree_way(struct repo *repo, struct strv *out, struct err *err)
{
	struct gitconfig c = GITCONFIG_INIT;
	const char *named = NULL;
	size_t i;
	int result = read_config(repo, &c, err);

	for (i = 0; !result && i < c.n; i++) {
		const char *value = c.v[i].value ? c.v[i].value : "true";

		if (!strcmp(c.v[i].key, "core.attributesfile"))
			named = value;
		if (is_last(&c, i))
			result = strv_addf(out, err, "%s=%s", c.v[i].key, value);
	}
	result = result || add_file("/etc", "gitattributes", out, err) ||
				 add_users(named, out, err) ||
				 add_file(repo->common_dir, "info/attributes", out, err)
			 ? -1
			 : 0;
	gitconfig_release(&c);
	return result;
}
