#include "lib/git/config/layers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/base/number.h"
#include "lib/git/libgit2.h"

#include "lib/base/banned.h"

/* libgit2's "failed to parse config file: WHAT (in PATH:LINE)" in our words. */
static int layer_fault(const char *path, struct err *err)
{
	static const char intro[] = "failed to parse config file: ";
	const git_error *error = libgit2.error_last();
	const char *what = error && error->message ? error->message : "it cannot be read";
	const char *in, *colon;
	const char *name = strrchr(path, '/');

	name = name && str_starts(name, "/.pawlconfig") ? name + 1 : path;
	if (str_starts(what, intro))
		what += strlen(intro);
	in = strstr(what, " (in ");
	colon = in ? strrchr(in, ':') : NULL;
	if (colon)
		err_set(err, ERR_CONFIG, "'%s' line %.*s: %.*s", name,
			(int)strspn(colon + 1, "0123456789"), colon + 1, (int)(in - what), what);
	else
		err_set(err, ERR_CONFIG, "'%s': %s", name, what);
	return err_hint(err, "correct that line; pawl-config(5) shows the syntax");
}

static int copy_entries(git_config *config, const char *origin, gitconfig_wanted *wanted,
			struct gitconfig *out, struct err *err)
{
	git_config_iterator *iterator = NULL;
	git_config_entry *entry;
	int result = 0;

	if (libgit2.config_iterator_new(&iterator, config) < 0)
		return err_nomem(err);
	while (!result && !libgit2.config_next(&entry, iterator))
		if (wanted(entry->name))
			result = gitconfig_add(out, entry->name, entry->value, origin, 0, err);
	libgit2.config_iterator_free(iterator);
	return result;
}

int gitconfig_layer(const char *path, const char *origin, struct git_repository *git,
		    gitconfig_wanted *wanted, struct gitconfig *out, struct err *err)
{
	git_config *config = NULL;
	int result = -1;

	if (libgit2_open(err))
		return -1;
	libgit2_start();
	if (libgit2.config_new(&config) < 0)
		err_nomem(err);
	else if (libgit2.config_add_file_ondisk(config, path, GIT_CONFIG_LEVEL_LOCAL, git, 0) < 0)
		layer_fault(path, err);
	else
		result = copy_entries(config, origin, wanted, out, err);
	libgit2.config_free(config);
	libgit2.libgit2_shutdown();
	return result;
}

/* As git does, a file of the user's that is missing or forbidden is passed over. */
static int optional_layer(const char *path, const char *origin, struct git_repository *git,
			  gitconfig_wanted *wanted, struct gitconfig *out, struct err *err)
{
	if (!path || !*path || access(path, R_OK))
		return 0;
	return gitconfig_layer(path, origin, git, wanted, out, err);
}

/* The same for folder/name; folder NULL or "" is passed over. */
static int layer_below(const char *folder, const char *name, const char *origin,
		       struct git_repository *git, gitconfig_wanted *wanted, struct gitconfig *out,
		       struct err *err)
{
	char *path;
	int result;

	if (!folder || !*folder)
		return 0;
	path = path_join(folder, name, err);
	if (!path)
		return -1;
	result = optional_layer(path, origin, git, wanted, out, err);
	free(path);
	return result;
}

static int system_layer(struct git_repository *git, gitconfig_wanted *wanted, struct gitconfig *out,
			struct err *err)
{
	const char *none = getenv("GIT_CONFIG_NOSYSTEM");
	const char *moved = getenv("GIT_CONFIG_SYSTEM");
	git_buf path = { NULL, 0, 0 };
	bool skip = false;
	int result = 0;

	if (none && number_bool(none, &skip) && skip)
		return 0;
	if (moved)
		return optional_layer(moved, "system", git, wanted, out, err);
	if (libgit2_open(err))
		return -1;
	libgit2_start();
	if (!libgit2.config_find_system(&path))
		result = optional_layer(path.ptr, "system", git, wanted, out, err);
	libgit2.buf_dispose(&path);
	libgit2.libgit2_shutdown();
	return result;
}

static int global_layers(struct git_repository *git, gitconfig_wanted *wanted,
			 struct gitconfig *out, struct err *err)
{
	const char *moved = getenv("GIT_CONFIG_GLOBAL");
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	bool has_xdg = xdg && *xdg;

	if (moved)
		return optional_layer(moved, "global", git, wanted, out, err);
	if (layer_below(has_xdg ? xdg : home, has_xdg ? "git/config" : ".config/git/config",
			"global", git, wanted, out, err))
		return -1;
	return layer_below(home, ".gitconfig", "global", git, wanted, out, err);
}

static bool is_worktree_switch(const char *key)
{
	return !strcmp(key, "extensions.worktreeconfig");
}

/* Whether the repository's own file says that each worktree has one too. */
static int has_worktree_file(const struct repo *repo, struct git_repository *git, bool *out,
			     struct err *err)
{
	struct gitconfig c = GITCONFIG_INIT;
	const char *value;
	int result =
		layer_below(repo->common_dir, "config", "local", git, is_worktree_switch, &c, err);

	*out = false;
	if (c.n) {
		value = c.v[c.n - 1].value;
		if (!value)
			*out = true;
		else
			number_bool(value, out);
	}
	gitconfig_release(&c);
	return result;
}

int gitconfig_layers(const struct repo *repo, struct git_repository *git, gitconfig_wanted *wanted,
		     struct gitconfig *out, struct err *err)
{
	bool has_own;

	if (system_layer(git, wanted, out, err) || global_layers(git, wanted, out, err))
		return -1;
	if (!repo)
		return 0;
	if (layer_below(repo->common_dir, "config", "local", git, wanted, out, err) ||
	    has_worktree_file(repo, git, &has_own, err))
		return -1;
	if (!has_own)
		return 0;
	return layer_below(repo->git_dir, "config.worktree", "worktree", git, wanted, out, err);
}
