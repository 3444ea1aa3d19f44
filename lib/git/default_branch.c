#include "lib/git/default_branch.h"

#include <string.h>

#include "lib/base/strv.h"
#include "lib/git/git_command.h"

#include "lib/base/banned.h"

#define HEADS "refs/heads/"
#define REMOTES "refs/remotes/"

/* 1: the reference is there, and its short name is in *out. */
static int take(struct repo *repo, const char *ref, char **out, struct err *err)
{
	size_t skip = strlen(str_starts(ref, HEADS) ? HEADS : REMOTES);
	struct git_commit c = GIT_COMMIT_INIT;
	struct err fault = ERR_INIT;
	int found = !repo_commit(repo, ref, &c, &fault);

	git_commit_release(&c);
	if (!found && fault.code != ERR_ABSENT) {
		if (err)
			*err = fault;
		return -1;
	}
	return found && str_set(out, ref + skip, err) ? -1 : found;
}

/* The same of what HEAD of origin stands for, which may be gone. */
static int take_origin(struct repo *repo, char **out, struct err *err)
{
	const char *const args[] = { "symbolic-ref", "--quiet", REMOTES "origin/HEAD", NULL };
	struct buf text = BUF_INIT;
	int status, found = git_capture(repo, NULL, args, &text, NULL, &status, err);

	while (text.len && text.data[text.len - 1] == '\n')
		buf_truncate(&text, text.len - 1);
	if (!found && !status && str_starts(buf_str(&text), REMOTES))
		found = take(repo, buf_str(&text), out, err);
	buf_release(&text);
	return found;
}

int default_branch(struct repo *repo, char **out, struct err *err)
{
	static const char *const usual[] = { HEADS "main", HEADS "master", REMOTES "origin/main",
					     REMOTES "origin/master" };
	int found;
	size_t i;

	*out = NULL;
	found = take_origin(repo, out, err);
	for (i = 0; !found && i < sizeof(usual) / sizeof(usual[0]); i++)
		found = take(repo, usual[i], out, err);
	return found < 0 ? -1 : 0;
}
