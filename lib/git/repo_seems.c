/* Whether files differ from HEAD, as far as can be told without running what the configuration
 * names. */
#include "lib/git/backend.h"

#include <string.h>

#include "lib/base/strv.h"
#include "lib/git/git_command.h"

#include "lib/base/banned.h"

#define TIME_NS (UINT64_C(10) * 1000000000)

/* The keys of all filter drivers, "filter.lfs.clean" and their like. */
static int list_keys(struct repo *repo, struct buf *out, struct err *err)
{
	const char *const args[] = { "config",	     "--includes",  "-z", "--name-only",
				     "--get-regexp", "^filter\\..", NULL };
	const struct git_run how = { .repo = repo, .timeout_ns = TIME_NS, .stops = true };
	struct buf words = BUF_INIT;
	int status, result = git_run(&how, args, out, &words, &status, err);

	if (!result && status > 1) /* 1: there is none */
		result = err_set(err, ERR_GIT, "cannot read git's configuration: %s",
				 buf_str(&words));
	buf_release(&words);
	return result;
}

/*
 * GIT_CONFIG_COUNT and the rest, so that each key counts as not set.  Not `-c KEY=`: a driver's
 * name may hold a '='.
 */
static int disarm(const struct buf *keys, struct strv *out, struct err *err)
{
	size_t at, n = 0;

	for (at = 0; at < keys->len; at += strlen(keys->data + at) + 1, n++) {
		const char *last = strrchr(keys->data + at, '.');
		bool is_flag = last && !strcmp(last, ".required");

		if (strv_addf(out, err, "GIT_CONFIG_KEY_%zu=%s", n, keys->data + at) ||
		    strv_addf(out, err, "GIT_CONFIG_VALUE_%zu=%s", n, is_flag ? "false" : ""))
			return -1;
	}
	return strv_addf(out, err, "GIT_CONFIG_COUNT=%zu", n);
}

int repo_seems_dirty(struct repo *repo, bool *out, bool *out_filters, struct err *err)
{
	struct buf keys = BUF_INIT, text = BUF_INIT, words = BUF_INIT;
	struct strv environment = STRV_INIT;
	struct git_run how = { .repo = repo, .timeout_ns = TIME_NS, .stops = true };
	struct err fault = ERR_INIT;
	int status = 0, result = -1;

	*out = *out_filters = false;
	if (!repo->top)
		return 0;
	if (list_keys(repo, &keys, &fault) || buf_check(&keys, &fault) ||
	    disarm(&keys, &environment, &fault))
		goto out;
	how.environment = (const char *const *)environment.v;
	result = git_run(&how, cli_changes_words, &text, &words, &status, &fault);
	if (!result && status)
		result = err_set(&fault, ERR_GIT, "git ended with status %d: %s", status,
				 buf_str(&words));
	/* More differences than are read are differences too. */
	if (result && fault.code == ERR_LIMIT)
		result = 0;
	if (!result) {
		*out = text.len || fault.code == ERR_LIMIT;
		*out_filters = keys.len > 0;
	}
out:
	if (result && err)
		*err = fault;
	buf_release(&keys);
	buf_release(&text);
	buf_release(&words);
	strv_release(&environment);
	return result;
}
