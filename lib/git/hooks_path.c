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
	*p = (struct hooks_path)HOOKS_PATH_INIT;
}

/* SCOPE NUL VALUE NUL ...: the last one that is not of a command line. */
static int take_last(const struct buf *text, const char **out_scope, const char **out_value,
		     struct err *err)
{
	const char *p = text->data, *end = p + text->len;

	*out_scope = *out_value = NULL;
	while (p < end) {
		const char *scope = p, *value = memchr(p, '\0', (size_t)(end - p));
		const char *stop;

		value = value ? value + 1 : NULL;
		stop = value && value < end ? memchr(value, '\0', (size_t)(end - value)) : NULL;
		if (!stop)
			return err_set(err, ERR_GIT, "cannot understand `git config`");
		if (strcmp(scope, "command") != 0) {
			*out_scope = scope;
			*out_value = value;
		}
		p = stop + 1;
	}
	return 0;
}

int hooks_path_find(struct repo *repo, struct hooks_path *out, struct err *err)
{
	const char *const args[] = { "config",	  "--show-scope",   "-z", "--type=path",
				     "--get-all", "core.hooksPath", NULL };
	struct hooks_path p = HOOKS_PATH_INIT;
	const char *scope, *value, *top = repo_top(repo);
	struct buf text = BUF_INIT, dir = BUF_INIT;
	int status, result = -1;

	*out = p;
	if (git_capture(repo, NULL, args, &text, NULL, &status, err) || buf_check(&text, err) ||
	    take_last(&text, &scope, &value, err))
		goto out;
	/* An empty one means what none means. */
	if (value && !*value)
		scope = value = NULL;
	if (!value)
		buf_addf(&dir, "%s/hooks", repo_common_dir(repo));
	else if (*value == '/')
		buf_adds(&dir, value);
	else
		buf_addf(&dir, "%s/%s", top ? top : repo_git_dir(repo), value);
	while (dir.len > 1 && dir.data[dir.len - 1] == '/')
		buf_truncate(&dir, dir.len - 1);
	if (buf_check(&dir, err) || str_set(&p.dir, buf_str(&dir), err) ||
	    str_set(&p.scope, scope, err))
		goto out;
	*out = p;
	p = (struct hooks_path)HOOKS_PATH_INIT;
	result = 0;
out:
	hooks_path_release(&p);
	buf_release(&text);
	buf_release(&dir);
	return result;
}

int hooks_path_is_tracked(struct repo *repo, const char *path, bool *out, struct err *err)
{
	const char *const args[] = { "--literal-pathspecs", "ls-files", "-z", "--", path, NULL };
	const char *top = repo_top(repo);
	struct buf text = BUF_INIT;
	int status, result;

	*out = false;
	if (!top || !str_below(path, top))
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

static int config_run(struct repo *repo, const char *const *args, int *out_status, struct err *err)
{
	struct buf errors = BUF_INIT;
	int result = git_capture(repo, NULL, args, NULL, &errors, out_status, err);

	if (!result && *out_status > 1 && *out_status != 5)
		result = err_set(err, ERR_GIT, "cannot change git's configuration: %s",
				 buf_str(&errors));
	buf_release(&errors);
	return result;
}

int hooks_config_has(struct repo *repo, const char *name, bool *out, struct err *err)
{
	char key[64];
	const char *const args[] = { "config", "--local", "--get", key, NULL };
	int status;

	snprintf(key, sizeof(key), "hook.%s.command", name);
	if (config_run(repo, args, &status, err))
		return -1;
	*out = status == 0;
	return 0;
}

int hooks_config_set(struct repo *repo, const char *name, const char *event, const char *command,
		     bool *out_was, struct err *err)
{
	char section[64], key[64];
	const char *const remove[] = { "config", "--local", "--remove-section", section, NULL };
	const char *const set_event[] = { "config", "--local", key, event, NULL };
	const char *const set_command[] = { "config", "--local", key, command, NULL };
	int status;

	snprintf(section, sizeof(section), "hook.%s", name);
	if (hooks_config_has(repo, name, out_was, err))
		return -1;
	if (!command) {
		if (*out_was && config_run(repo, remove, &status, err))
			return -1;
		return 0;
	}
	/* The command first: an event without one is a fault to git. */
	snprintf(key, sizeof(key), "hook.%s.command", name);
	if (config_run(repo, set_command, &status, err))
		return -1;
	snprintf(key, sizeof(key), "hook.%s.event", name);
	return config_run(repo, set_event, &status, err);
}
