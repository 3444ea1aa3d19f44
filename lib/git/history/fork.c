#include "lib/git/history/fork.h"

#include <stdlib.h>
#include <string.h>

#include "lib/git/backend.h"
#include "lib/git/git_command.h"
#include "lib/git/ids.h"

#include "lib/base/banned.h"

void fork_close(struct fork *f)
{
	strv_release(&f->tips);
	strv_release(&f->unpushed);
	f->repo = NULL;
}

/* "ID", or "QUESTION missing". */
static int take_answers(char *text, const struct strv *ids, struct strv *out, struct err *err)
{
	char *rest = text;
	size_t i;

	for (i = 0; i < ids->n; i++) {
		char *line = *ids->v[i] ? strsep(&rest, "\n") : text;

		if (!line)
			return err_set(err, ERR_GIT, "git ended before it answered");
		if (strv_add(out, *ids->v[i] && oid_is_whole(line) ? line : "", err))
			return -1;
	}
	return 0;
}

int commits_of(struct repo *repo, const struct strv *ids, struct strv *out, struct err *err)
{
	const char *const args[] = { "cat-file", "--batch-check=%(objectname)", NULL };
	struct buf questions = BUF_INIT, text = BUF_INIT;
	const struct git_run how = {
		.repo = repo, .input = &questions, .stops = true, .graced = true
	};
	int status, result = -1;
	size_t i;

	for (i = 0; i < ids->n; i++)
		if (*ids->v[i])
			buf_addf(&questions, "%s^{commit}\n", ids->v[i]);
	if (buf_check(&questions, err) ||
	    (questions.len && git_run(&how, args, &text, NULL, &status, err)))
		goto out;
	buf_addc(&text, '\0');
	if (!buf_check(&text, err))
		result = take_answers(text.data, ids, out, err);
out:
	buf_release(&questions);
	buf_release(&text);
	return result;
}

/* Many branches that end at one commit come in a row. */
static int add_new(const struct strv *ids, struct strv *out, struct err *err)
{
	size_t i;

	for (i = 0; i < ids->n; i++)
		if ((!out->n || strcmp(out->v[out->n - 1], ids->v[i]) != 0) &&
		    strv_add(out, ids->v[i], err))
			return -1;
	return 0;
}

/* The branches of one remote, or of all for "". */
static int find_tips(struct repo *repo, const char *remote, struct strv *out, struct err *err)
{
	struct strv ids = STRV_INIT;
	struct buf pattern = BUF_INIT;
	const char *args[] = { "for-each-ref", "--sort=-committerdate", "--format=%(objectname)",
			       NULL, NULL };
	int result = -1;

	buf_addf(&pattern, "refs/remotes/%s", remote);
	args[3] = buf_str(&pattern);
	if (!buf_check(&pattern, err) && !ids_list(repo, args, &ids, err))
		result = add_new(&ids, out, err);
	strv_release(&ids);
	buf_release(&pattern);
	return result;
}

/* What is no name of a reference is a URL or a path. */
static bool may_be_name(const char *remote)
{
	return *remote && !strpbrk(remote, ":*?[\\^~ ") && *remote != '/' && *remote != '.' &&
	       !strstr(remote, "..");
}

int fork_open(struct repo *repo, const char *remote, const struct strv *heads, struct fork *out,
	      struct err *err)
{
	struct fork f = FORK_INIT;
	struct strv words = STRV_INIT;
	bool all = !may_be_name(remote);
	size_t i;

	*out = f;
	f.repo = repo;
	if (!all && find_tips(repo, remote, &f.tips, err))
		goto fail;
	all = all || !f.tips.n;
	if (all && find_tips(repo, "", &f.tips, err))
		goto fail;
	if (strv_add(&words, "rev-list", err))
		goto fail;
	for (i = 0; i < heads->n && i < FORK_HEADS; i++)
		if (strv_add(&words, heads->v[i], err))
			goto fail;
	if (strv_add(&words, "--not", err) ||
	    (all ? strv_add(&words, "--remotes", err)
		 : strv_addf(&words, err, "--remotes=%s", remote)))
		goto fail;
	if (heads->n && f.tips.n && ids_list(repo, (const char *const *)words.v, &f.unpushed, err))
		goto fail;
	strv_sort(&f.unpushed);
	strv_release(&words);
	*out = f;
	return 0;
fail:
	strv_release(&words);
	fork_close(&f);
	return -1;
}

int fork_point(const struct fork *f, const char *head, char out[OID_TEXT], struct err *err)
{
	struct strv words = STRV_INIT;
	char found[OID_TEXT];
	size_t i;
	int result = -1;

	if (!f->tips.n)
		return err_set(err, ERR_ABSENT, "no branch of the remote is known here");
	if (!strv_has_sorted(&f->unpushed, head)) {
		memcpy(out, head, strlen(head) + 1);
		return 0;
	}
	if (strv_add(&words, "merge-base", err) || strv_add(&words, head, err))
		goto out;
	/* Of more than one, the base with what a merge of them all would be. */
	for (i = 0; i < f->tips.n && i < FORK_TIPS; i++)
		if (strv_add(&words, f->tips.v[i], err))
			goto out;
	if (ids_merge_base(f->repo, (const char *const *)words.v, found, err))
		goto out;
	if (!*found) {
		err_set(err, ERR_ABSENT, "%.12s and the remote have no commit in common", head);
		goto out;
	}
	memcpy(out, found, strlen(found) + 1);
	result = 0;
out:
	strv_release(&words);
	return result;
}
