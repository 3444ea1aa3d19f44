#include "collector/build/submodules.h"

#include <dirent.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/base/file.h"
#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

static bool is_below(const char *folder, const char *name)
{
	struct buf path = BUF_INIT;
	bool is;

	buf_addf(&path, "%s/%s", folder, name);
	is = !buf_check(&path, NULL) && file_exists(buf_str(&path));
	buf_release(&path);
	return is;
}

static bool may_have_some(const struct repo *repo)
{
	const char *top = repo_top(repo);

	return !top || is_below(top, ".gitmodules") || is_below(repo_common_dir(repo), "modules");
}

int submodules_moved(const struct submodules_request *rq, const char *base_tree,
		     const char *head_tree, bool *fill, struct strv *out, struct err *err)
{
	int needed = rq->config->submodules;

	*fill = *fill || needed == CONFIG_SUBMODULES_ALWAYS;
	if ((!*fill && needed == CONFIG_SUBMODULES_NEVER) || !strcmp(base_tree, head_tree) ||
	    !may_have_some(rq->repo))
		return 0;
	if (tree_submodules_moved(rq->repo, base_tree, head_tree, out, err))
		return -1;
	if (out->n && !*fill)
		talk_note(rq->talk, "submodule '%s' moved%s: both sides are built with submodules",
			  out->v[0], out->n > 1 ? ", and others" : "");
	*fill = *fill || out->n;
	return 0;
}

static bool is_empty_folder(const char *path)
{
	DIR *folder = opendir(path);
	const struct dirent *e;
	bool is_empty = folder != NULL;

	while (folder && is_empty && (e = readdir(folder)))
		is_empty = !strcmp(e->d_name, ".") || !strcmp(e->d_name, "..");
	if (folder)
		closedir(folder);
	return is_empty;
}

int submodules_check(const struct strv *moved, const char *tree, struct err *err)
{
	struct buf path = BUF_INIT;
	size_t i;
	int result = 0;

	for (i = 0; i < moved->n && !result; i++) {
		buf_reset(&path);
		buf_addf(&path, "%s/%s", tree, moved->v[i]);
		result = buf_check(&path, err);
		if (result || !is_empty_folder(buf_str(&path)))
			continue;
		err_set(err, ERR_ABSENT,
			"submodule '%s' moved and is not here: what it changes would not be seen",
			moved->v[i]);
		result = err_hint(err, "'git submodule update --init' brings it; where no benchmark "
				       "needs it: git config pawl.submodules false");
	}
	buf_release(&path);
	return result;
}
