#include "lib/git/hooks_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/git/git_command.h"

#include "lib/base/banned.h"

#define CONFIG_MAJOR 2 /* the first version whose configuration may name hooks */
#define CONFIG_MINOR 54

void hooks_path_release(struct hooks_path *p)
{
	free(p->dir);
	free(p->scope);
	strv_release(&p->named);
	*p = (struct hooks_path)HOOKS_PATH_INIT;
}

/* What follows the NUL behind p, or NULL. */
static const char *after_nul(const char *p, const char *end)
{
	const char *nul = memchr(p, '\0', (size_t)(end - p));

	return nul ? nul + 1 : NULL;
}

/*
 * SCOPE NUL KEY NEWLINE VALUE NUL ...: the last core.hooksPath, or NULL, and what else is local.
 * Nothing counts that is of a command line.
 */
static int take_all(const struct buf *text, struct strv *named, const char **out_scope,
		    const char **out_value, struct err *err)
{
	static const char path[] = "core.hookspath\n";
	const char *next, *end = text->data + text->len;

	*out_scope = *out_value = NULL;
	for (const char *scope = text->data; scope < end; scope = next) {
		const char *key = after_nul(scope, end);

		next = key ? after_nul(key, end) : NULL;
		if (!next)
			return err_set(err, ERR_GIT, "cannot understand `git config`");
		if (str_starts(key, path) && strcmp(scope, "command") != 0) {
			*out_scope = scope;
			*out_value = key + strlen(path);
		} else if (!strcmp(scope, "local") &&
			   strv_addf(named, err, "%.*s", (int)strcspn(key, "\n"), key)) {
			return -1;
		}
	}
	return 0;
}

/* Errors: ERR_GIT with git's words. */
static int config_run(struct repo *repo, const char *const *args, struct buf *out, struct err *err)
{
	struct buf errors = BUF_INIT;
	int status, result = git_capture(repo, NULL, args, out, &errors, &status, err);

	/* 1: nothing of that name, 5: nothing to take away. */
	if (!result && status > 1 && status != 5)
		result = err_set(err, ERR_GIT, "cannot read or change git's configuration: %s",
				 buf_str(&errors));
	buf_release(&errors);
	return result;
}

static int fill(const struct repo *repo, const char *value, const char *scope,
		struct hooks_path *out, struct err *err)
{
	const char *top = repo_top(repo);
	struct buf dir = BUF_INIT;
	int result = -1;

	if (!value)
		buf_addf(&dir, "%s/hooks", repo_common_dir(repo));
	else if (*value == '/')
		buf_adds(&dir, value);
	else
		buf_addf(&dir, "%s/%s", top ? top : repo_git_dir(repo), value);
	while (dir.len > 1 && dir.data[dir.len - 1] == '/')
		buf_truncate(&dir, dir.len - 1);
	if (!buf_check(&dir, err) && !str_set(&out->dir, buf_str(&dir), err) &&
	    !str_set(&out->scope, scope, err))
		result = 0;
	buf_release(&dir);
	return result;
}

int hooks_path_find(struct repo *repo, struct hooks_path *out, struct err *err)
{
	const char *const args[] = {
		"config",      "--show-scope", "-z",
		"--type=path", "--get-regexp", "^(core\\.hookspath|hook\\.pawl.*\\.command)$",
		NULL
	};
	struct hooks_path p = HOOKS_PATH_INIT;
	const char *scope, *value;
	struct buf text = BUF_INIT;
	int result = -1;

	*out = p;
	if (config_run(repo, args, &text, err) || buf_check(&text, err) ||
	    take_all(&text, &p.named, &scope, &value, err))
		goto out;
	/* An empty one means what none means. */
	if (value && !*value)
		scope = value = NULL;
	if (fill(repo, value, scope, &p, err))
		goto out;
	*out = p;
	p = (struct hooks_path)HOOKS_PATH_INIT;
	result = 0;
out:
	hooks_path_release(&p);
	buf_release(&text);
	return result;
}

bool hooks_path_names(const struct hooks_path *p, const char *name)
{
	char key[64];

	snprintf(key, sizeof(key), "hook.%s.command", name);
	return strv_has(&p->named, key);
}

int hooks_path_is_tracked(struct repo *repo, const char *path, bool *out, struct err *err)
{
	const char *const args[] = { "--literal-pathspecs", "ls-files", "-z", "--", path, NULL };
	const char *top = repo_top(repo);
	struct buf text = BUF_INIT;
	int status, result;

	*out = false;
	if (!top || !str_below(path, top) || str_below(path, repo_common_dir(repo)))
		return 0;
	result = git_capture(repo, NULL, args, &text, NULL, &status, err);
	if (!result)
		*out = status == 0 && text.len > 0;
	buf_release(&text);
	return result;
}

int hooks_in_config(bool *out, struct err *err)
{
	const char *const args[] = { "version", NULL };
	struct buf text = BUF_INIT;
	int major = 0, minor = 0, result = -1;
	const char *p;
	char *end;

	*out = false;
	if (git_answer(NULL, NULL, args, &text, err))
		goto out;
	p = buf_str(&text) + strcspn(buf_str(&text), "0123456789");
	major = (int)strtol(p, &end, 10);
	if (*end == '.')
		minor = (int)strtol(end + 1, NULL, 10);
	*out = major > CONFIG_MAJOR || (major == CONFIG_MAJOR && minor >= CONFIG_MINOR);
	result = 0;
out:
	buf_release(&text);
	return result;
}

int hooks_config_set(struct repo *repo, const char *name, const char *event, const char *command,
		     bool is_there, struct err *err)
{
	char section[64], key[64];
	const char *const remove[] = { "config", "--local", "--remove-section", section, NULL };
	const char *const set_event[] = { "config", "--local", key, event, NULL };
	const char *const set_command[] = { "config", "--local", key, command, NULL };

	snprintf(section, sizeof(section), "hook.%s", name);
	if (!command)
		return is_there ? config_run(repo, remove, NULL, err) : 0;
	/* The command first: an event without one is a fault to git. */
	snprintf(key, sizeof(key), "hook.%s.command", name);
	if (config_run(repo, set_command, NULL, err))
		return -1;
	snprintf(key, sizeof(key), "hook.%s.event", name);
	return config_run(repo, set_event, NULL, err);
}
