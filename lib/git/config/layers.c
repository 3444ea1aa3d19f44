#include "lib/git/config/layers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/base/number.h"
#include "lib/base/strv.h"
#include "lib/git/config/scan.h"
#include "lib/git/libgit2.h"

#include "lib/base/banned.h"

#define PLAIN_MAX ((size_t)1 << 20) /* bytes */

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

/* Of "includeIf": where that file lies, as git finds it. */
static void included_path(const char *file, const char *value, struct buf *out)
{
	const char *home = getenv("HOME"), *slash = strrchr(file, '/');

	if (str_starts(value, "~/") && home)
		buf_addf(out, "%s%s", home, value + 1);
	else if (*value == '/' || !slash)
		buf_adds(out, value);
	else
		buf_addf(out, "%.*s/%s", (int)(slash - file), file, value);
}

static bool has_wanted(const char *path, gitconfig_wanted *wanted)
{
	struct buf text = BUF_INIT;
	struct gitconfig_scan scan;
	bool has = false;

	if (!file_is_special(path) && !file_read_whole(path, PLAIN_MAX, &text, NULL)) {
		gitconfig_scan_init(&scan, buf_str(&text), text.len);
		while (!has && gitconfig_scan_next(&scan))
			has = !scan.key.failed && wanted(buf_str(&scan.key));
		gitconfig_scan_release(&scan);
	}
	buf_release(&text);
	return has;
}

/* libgit2 passes a file over that is included by what it does not know. */
static int check_included(const char *file, const git_config_entry *entry, gitconfig_wanted *wanted,
			  struct err *err)
{
	struct buf path = BUF_INIT;
	int result = 0;

	if (!str_starts(entry->name, "includeif.hasconfig:") || !entry->value)
		return 0;
	included_path(file, entry->value, &path);
	if (buf_check(&path, err)) {
		result = -1;
	} else if (has_wanted(buf_str(&path), wanted)) {
		err_set(err, ERR_CONFIG,
			"'%s' has settings of pawl, and '%s' includes it by 'hasconfig:', which "
			"pawl does not know",
			buf_str(&path), file);
		result = err_hint(err, "include it by 'gitdir:' or 'onbranch:', or write these "
				       "settings into the repository");
	}
	buf_release(&path);
	return result;
}

static int copy_entries(git_config *config, const char *path, const char *origin,
			gitconfig_wanted *wanted, struct gitconfig *out, struct err *err)
{
	git_config_iterator *iterator = NULL;
	git_config_entry *entry;
	int result = 0;

	if (libgit2.config_iterator_new(&iterator, config) < 0)
		return err_nomem(err);
	while (!result && !libgit2.config_next(&entry, iterator)) {
		result = check_included(path, entry, wanted, err);
		if (!result && wanted(entry->name))
			result = gitconfig_add(out, entry->name, entry->value, origin, 0, err);
	}
	libgit2.config_iterator_free(iterator);
	return result;
}

/* How the files are read. */
struct reading {
	struct git_repository *git; /* decides conditional includes; may be NULL */
	bool only_plain;	    /* libgit2 is not asked: a file that needs it is a fault */
	gitconfig_wanted *wanted;
	struct gitconfig *out;
};

static int add_plain(struct gitconfig_scan *scan, const char *origin, const struct reading *how)
{
	while (gitconfig_scan_next(scan)) {
		const char *key = buf_str(&scan->key), *value = buf_str(&scan->value);

		if (scan->key.failed || scan->value.failed || str_starts(key, "include.") ||
		    str_starts(key, "includeif."))
			return -1;
		if (how->wanted(key) &&
		    gitconfig_add(how->out, key, scan->has_value ? value : NULL, origin, 0, NULL))
			return -1;
	}
	return scan->fault_line ? -1 : 0;
}

/* A file that includes no other and has no fault needs no library. */
static bool read_plain(const char *path, const char *origin, const struct reading *how)
{
	size_t before = how->out->n;
	struct gitconfig_scan scan;
	struct buf text = BUF_INIT;
	bool plain = !file_is_special(path) && !file_read_whole(path, PLAIN_MAX, &text, NULL) &&
		     (!text.len || !memchr(text.data, '\0', text.len));

	if (plain) {
		gitconfig_scan_init(&scan, buf_str(&text), text.len);
		plain = !add_plain(&scan, origin, how);
		gitconfig_scan_release(&scan);
	}
	if (!plain)
		gitconfig_cut(how->out, before);
	buf_release(&text);
	return plain;
}

static int layer(const char *path, const char *origin, const struct reading *how, struct err *err)
{
	git_config *config = NULL;
	int result = -1;

	if (read_plain(path, origin, how))
		return 0;
	if (how->only_plain)
		return err_set(err, ERR_GIT, "'%s' is not read without libgit2", path);
	if (libgit2_open(err))
		return -1;
	libgit2_start();
	if (libgit2.config_new(&config) < 0)
		err_nomem(err);
	else if (libgit2.config_add_file_ondisk(config, path, GIT_CONFIG_LEVEL_LOCAL, how->git, 0) <
		 0)
		layer_fault(path, err);
	else
		result = copy_entries(config, path, origin, how->wanted, how->out, err);
	libgit2.config_free(config);
	libgit2.libgit2_shutdown();
	return result;
}

/* As git does, a file of the user's that is missing or forbidden is passed over. */
static int optional_layer(const char *path, const char *origin, const struct reading *how,
			  struct err *err)
{
	if (!path || !*path || access(path, R_OK))
		return 0;
	return layer(path, origin, how, err);
}

/* The same for folder/name; folder NULL or "" is passed over. */
static int layer_below(const char *folder, const char *name, const char *origin,
		       const struct reading *how, struct err *err)
{
	char *path;
	int result;

	if (!folder || !*folder)
		return 0;
	path = path_join(folder, name, err);
	if (!path)
		return -1;
	result = optional_layer(path, origin, how, err);
	free(path);
	return result;
}

static int system_layer(const struct reading *how, struct err *err)
{
	const char *none = getenv("GIT_CONFIG_NOSYSTEM");
	const char *moved = getenv("GIT_CONFIG_SYSTEM");
	bool skip = false;

	if (none && number_bool(none, &skip) && skip)
		return 0;
	return optional_layer(moved ? moved : "/etc/gitconfig", "system", how, err);
}

static int global_layers(const struct reading *how, struct err *err)
{
	const char *moved = getenv("GIT_CONFIG_GLOBAL");
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	bool has_xdg = xdg && *xdg;

	if (moved)
		return optional_layer(moved, "global", how, err);
	if (layer_below(has_xdg ? xdg : home, has_xdg ? "git/config" : ".config/git/config",
			"global", how, err))
		return -1;
	return layer_below(home, ".gitconfig", "global", how, err);
}

static bool is_worktree_switch(const char *key)
{
	return !strcmp(key, "extensions.worktreeconfig");
}

/* Whether the repository's own file says that each worktree has one too. */
static int has_worktree_file(const struct repo *repo, const struct reading *how, bool *out,
			     struct err *err)
{
	struct gitconfig c = GITCONFIG_INIT;
	const struct reading one = { how->git, how->only_plain, is_worktree_switch, &c };
	const char *value;
	int result = layer_below(repo->common_dir, "config", "local", &one, err);

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

static int read_layers(const struct repo *repo, const struct reading *how, struct err *err)
{
	bool has_own;

	if (system_layer(how, err) || global_layers(how, err))
		return -1;
	if (!repo)
		return 0;
	if (layer_below(repo->common_dir, "config", "local", how, err) ||
	    has_worktree_file(repo, how, &has_own, err))
		return -1;
	if (!has_own)
		return 0;
	return layer_below(repo->git_dir, "config.worktree", "worktree", how, err);
}

int gitconfig_layers(const struct repo *repo, struct git_repository *git, gitconfig_wanted *wanted,
		     struct gitconfig *out, struct err *err)
{
	const struct reading how = { git, false, wanted, out };

	return read_layers(repo, &how, err);
}

int gitconfig_layers_plain(const struct repo *repo, gitconfig_wanted *wanted, struct gitconfig *out)
{
	const struct reading how = { NULL, true, wanted, out };

	return read_layers(repo, &how, NULL);
}
