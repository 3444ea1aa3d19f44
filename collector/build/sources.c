#include "collector/build/sources.h"

#include <stdlib.h>
#include <string.h>

#include "collector/code/inputs.h"
#include "lib/git/config/gitconfig.h"
#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

/* A misspelt path would be the same on both sides: nothing can be told from it. */
static bool is_told(const struct talk *talk, const char *base, const char *head)
{
	bool absent = str_starts(base, "absent ") && str_starts(head, "absent ");

	if (str_starts(head, "120000 ")) { /* a link, of which git knows the name alone */
		talk_warn(talk, "name what it leads to", "a source is a link: '%s'", head);
		return false;
	}
	if (absent)
		talk_warn(talk, "correct pawl.sources, it is relative to the top",
			  "neither commit has the source '%s'", base + strlen("absent "));
	return !absent;
}

/* The configured sources, and what the benchmarks read beside what is built. */
static int paths_that_count(const struct config *config, struct strv *out, struct err *err)
{
	size_t i;

	if (config->sources.n && strv_add_all(out, config->sources.v, err))
		return -1;
	for (i = 0; i < config->n_benchmarks; i++)
		if (inputs_paths(&config->benchmarks[i], out, err))
			return -1;
	return 0;
}

/* A line for a shell: nobody can tell what it reads. */
static const struct bench_config *find_shell_line(const struct config *config)
{
	size_t i;

	for (i = 0; i < config->n_benchmarks; i++)
		if (config->benchmarks[i].prepare || config->benchmarks[i].cleanup)
			return &config->benchmarks[i];
	return NULL;
}

/* Whether all that the paths lead to is in one of them, so that what differs elsewhere is of none.
 */
static int is_all(struct repo *repo, const char *tree, const struct strv *paths,
		  const struct talk *talk, bool *out, struct err *err)
{
	char *away = NULL;

	if (tree_link_away(repo, tree, paths, &away, err))
		return -1;
	if (away)
		talk_warn(talk, "name what it leads to in pawl.sources",
			  "both commits are built: the link '%s' leads to no source", away);
	*out = !away;
	free(away);
	return 0;
}

int sources_are_same(struct repo *repo, const struct config *config, const char *base_tree,
		     const char *head_tree, const struct talk *talk, bool *out, struct err *err)
{
	size_t i, n_sources = config->sources.n;
	struct strv paths = STRV_INIT, base = STRV_INIT, head = STRV_INIT;
	const struct bench_config *shell = find_shell_line(config);
	int result = -1;

	*out = !strcmp(base_tree, head_tree);
	if (*out || !n_sources)
		return 0;
	if (paths_that_count(config, &paths, err) ||
	    tree_entries(repo, base_tree, &paths, &base, err) ||
	    tree_entries(repo, head_tree, &paths, &head, err))
		goto out;
	*out = base.n == head.n;
	for (i = 0; *out && i < base.n; i++)
		*out = !strcmp(base.v[i], head.v[i]) &&
		       (i >= n_sources || is_told(talk, base.v[i], head.v[i]));
	if (*out && shell) {
		talk_note(talk,
			  "both commits are built: nobody knows what the prepare or cleanup "
			  "command of '%s' reads",
			  shell->name);
		*out = false;
	}
	result = *out ? is_all(repo, head_tree, &paths, talk, out, err) : 0;
out:
	strv_release(&paths);
	strv_release(&base);
	strv_release(&head);
	return result;
}

int sources_warn_tracked(struct repo *repo, const char *tree, const struct strv *programs,
			 const struct talk *talk, struct err *err)
{
	struct strv entries = STRV_INIT;
	int result = -1;
	size_t i;

	if (programs->n && tree_entries(repo, tree, programs, &entries, err))
		goto out;
	for (i = 0; i < entries.n; i++)
		if (!str_starts(entries.v[i], "absent "))
			talk_warn(talk, "let the build make it, and git ignore it",
				  "the program '%s' is tracked by git: it may be older than its "
				  "source",
				  programs->v[i]);
	result = 0;
out:
	strv_release(&entries);
	return result;
}

/* free() it; NULL: the commit's .pawlconfig says none. */
static char *said_build(struct repo *repo, const char *commit)
{
	struct gitconfig file = GITCONFIG_INIT;
	const char *said = NULL;
	char *copy;
	size_t i;

	if (!gitconfig_read_committed(repo, commit, ".pawlconfig", &file, NULL))
		for (i = 0; i < file.n; i++)
			if (!strcmp(file.v[i].key, "pawl.build"))
				said = file.v[i].value;
	copy = said ? strdup(said) : NULL;
	gitconfig_release(&file);
	return copy;
}

int sources_way(struct repo *repo, const char *state_dir, const char *build, char out[TREES_KEY],
		struct err *err)
{
	char *said = said_build(repo, "HEAD");
	bool is_own = said && !strcmp(said, build);

	free(said);
	return trees_way(state_dir, is_own ? NULL : build, out, err);
}

bool sources_have_two_builds(struct repo *repo, const char *base, const char *head)
{
	char *before = said_build(repo, base), *now = said_build(repo, head);
	bool two = before && now && strcmp(before, now);

	free(before);
	free(now);
	return two;
}

int sources_warn_build(struct repo *repo, const char *base, const char *head, struct strv *warnings,
		       struct err *err)
{
	if (!sources_have_two_builds(repo, base, head))
		return 0;
	return strv_add(warnings,
			"the commits have two build commands in .pawlconfig, and both were built "
			"with one: what another command changes is not seen (pawl compare "
			"--base-build)",
			err);
}
