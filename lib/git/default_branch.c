#include "lib/git/default_branch.h"

#include <string.h>

#include "lib/base/strv.h"
#include "lib/git/git_command.h"

#include "lib/base/banned.h"

int default_branch(struct repo *repo, char **out, struct err *err)
{
	static const char *const local[] = { "refs/heads/main", "refs/heads/master" };
	const char *const args[] = { "symbolic-ref", "--quiet", "--short",
				     "refs/remotes/origin/HEAD", NULL };
	struct git_commit c = GIT_COMMIT_INIT;
	struct buf text = BUF_INIT;
	struct err fault = ERR_INIT;
	int status, result = -1;
	size_t i;

	*out = NULL;
	if (git_capture(repo, NULL, args, &text, NULL, &status, err))
		goto out;
	while (text.len && text.data[text.len - 1] == '\n')
		buf_truncate(&text, text.len - 1);
	result = status == 0 && text.len ? str_set(out, buf_str(&text), err) : 0;
	for (i = 0; !result && !*out && i < sizeof(local) / sizeof(local[0]); i++) {
		if (!repo_commit(repo, local[i], &c, &fault)) {
			result = str_set(out, local[i] + strlen("refs/heads/"), err);
		} else if (fault.code != ERR_ABSENT) {
			result = -1;
			if (err)
				*err = fault;
		}
		git_commit_release(&c);
	}
out:
	buf_release(&text);
	return result;
}
