#include "collector/compare/names.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

/* The first name that was asked for and means none of the units, or NULL. */
static const char *find_unknown(const struct plan *plan, const struct strv *only)
{
	size_t i, k;

	for (i = 0; only && i < only->n; i++) {
		for (k = 0; k < plan->n && !plan_means(only->v[i], &plan->units[k]); k++)
			;
		if (k == plan->n)
			return only->v[i];
	}
	return NULL;
}

int compare_check_names(const struct compare_request *rq, const struct plan *plan, struct err *err)
{
	const char *unknown = find_unknown(plan, rq->only), *meant;
	const struct config *config = rq->config;
	struct buf names = BUF_INIT;
	size_t i;

	if (!unknown)
		return 0;
	for (i = 0; i < config->n_benchmarks && names.len < 200; i++)
		buf_addf(&names, "%s'%s'", i ? ", " : "", config->benchmarks[i].name);
	err_set(err, ERR_CONFIG, "no benchmark '%s' in either commit", unknown);
	meant = config_nearest(config, unknown);
	if (meant)
		err_hint(err, "did you mean '%s'?", meant);
	err_hint(err, "name a section, %s, or one inside it as SECTION/NAME", buf_str(&names));
	buf_release(&names);
	return -1;
}

static bool is_there(const char *top, const char *path)
{
	bool found;

	return !file_is_in(top, path, &found, NULL) && found;
}

/*
 * The first word of the command, or what is behind its '=', that is a file of the user's work tree
 * and of neither built tree; NULL: there is none.
 */
static const char *find_untracked(const struct strv *command, const char *top, const char *base_top,
				  const char *head_top)
{
	size_t i;

	for (i = 0; i < command->n; i++) {
		const char *equals = strchr(command->v[i], '=');
		const char *path = equals ? equals + 1 : command->v[i];

		if (!i && !strchr(path, '/')) /* it is looked for in PATH */
			continue;
		if (*path && *path != '/' && is_there(top, path) && !is_there(base_top, path) &&
		    !is_there(head_top, path))
			return path;
	}
	return NULL;
}

#define UNTRACKED "'%s' is untracked: your work tree has it, neither commit does"
#define UNTRACKED_CURE \
	"commit it, let the build make it, or name it as 'input ='; for a program that is built, " \
	"an absolute path does, too"
#define UNTRACKED_PROGRAM "commit it, or let the build make it"

static const char *cure_of(const struct strv *command, const char *path)
{
	return path == command->v[0] ? UNTRACKED_PROGRAM : UNTRACKED_CURE;
}

int compare_tell_untracked(const struct compare_request *rq, const char *base_top,
			   const char *head_top, struct plan *plan, struct err *err)
{
	const char *top = repo_top(rq->repo);
	const struct bench_config *before = NULL;
	size_t i;

	for (i = 0; top && base_top && head_top && i < plan->n; i++) {
		struct unit *u = &plan->units[i];
		const char *path = find_untracked(&u->config->command, top, base_top, head_top);
		struct buf text = BUF_INIT;
		int result = 0;

		if (path && u->failure) {
			buf_addf(&text, UNTRACKED "; %s: %s", path,
				 cure_of(&u->config->command, path), u->failure);
			result = buf_check(&text, err) || str_set(&u->failure, buf_str(&text), err);
			buf_release(&text);
		} else if (path && u->config != before) {
			talk_warn(rq->talk, cure_of(&u->config->command, path), UNTRACKED, path);
		}
		before = u->config;
		if (result)
			return -1;
	}
	return 0;
}

static int make_word_relative(char **word, const char *top, struct err *err)
{
	const char *rest = str_below(*word, top);
	char *real = NULL, *real_top = NULL;
	struct buf text = BUF_INIT;
	int result = 0;

	if (!rest && **word == '/') {
		real = realpath(*word, NULL);
		real_top = realpath(top, NULL);
		rest = real && real_top ? str_below(real, real_top) : NULL;
	}
	if (rest) {
		/* A program without a slash would be looked for in PATH. */
		buf_addf(&text, "%s%s", strchr(rest, '/') ? "" : "./", rest);
		result = buf_check(&text, err) || str_set(word, buf_str(&text), err) ? -1 : 0;
	}
	free(real);
	free(real_top);
	buf_release(&text);
	return result;
}

static int make_command_relative(struct bench_config *b, const char *top, struct err *err)
{
	struct strv given = STRV_INIT;
	bool changed = false;
	size_t k;
	int result = -1;

	if (!b->command.n)
		return 0;
	if (strv_add_all(&given, b->command.v, err))
		goto out;
	for (k = 0; k < b->command.n; k++) {
		if (make_word_relative(&b->command.v[k], top, err))
			goto out;
		changed = changed || strcmp(b->command.v[k], given.v[k]) != 0;
	}
	if (changed) {
		strv_release(&b->given);
		b->given = given;
		given = (struct strv)STRV_INIT;
	}
	result = 0;
out:
	strv_release(&given);
	return result;
}

int compare_make_relative(struct config *config, const char *top, struct err *err)
{
	size_t i;

	for (i = 0; top && i < config->n_benchmarks; i++)
		if (make_command_relative(&config->benchmarks[i], top, err))
			return -1;
	return 0;
}

int compare_names_of(const struct compare_request *rq, const char *commit, const struct plan *plan,
		     struct history *out, struct err *err)
{
	struct summary s;
	size_t i;

	summary_init(&s);
	s.settings.partial = rq->partial || (rq->only && rq->only->n);
	if (str_set(&s.commit.id, commit, err))
		goto fail;
	for (i = 0; i < plan->n; i++) {
		const struct unit *u = &plan->units[i];
		bool is_known = !u->failure && !u->unreached;
		struct bench *b = is_known ? summary_add_bench(&s, u->name, err) : NULL;

		if (is_known && (!b || str_set(&b->format, bench_format_name(u->format), err)))
			goto fail;
	}
	if (!history_add(out, &s, err))
		return 0;
fail:
	summary_release(&s);
	return -1;
}
