#include "cli/hook/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/hook/child.h"
#include "cli/kept/kept.h"
#include "hooks/against.h"
#include "lib/base/file.h"
#include "lib/process/stop.h"
#include "lib/base/strv.h"
#include "lib/base/when.h"
#include "lib/git/worktree/worktree.h"
#include "lib/process/input.h"
#include "reporter/judge/judge.h"

#include "lib/base/banned.h"

#define MOST_COMPARISONS 8
#define NS_PER_S UINT64_C(1000000000)
#define MARGIN_NS (2 * NS_PER_S) /* of the budget, for starting and telling */

/* One push. */
struct push {
	const struct context *c;
	const char *remote; /* its name, or what stands for it in messages */
	uint64_t end_ns;
	bool regressed;
};

/* One line, whatever names of files and refs hold. */
__attribute__((format(printf, 1, 2))) static void say(const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	err_clean(text);
	terminal_line("pawl", text);
}

/* A URL may hold a password. */
static const char *name_of_remote(const char *word)
{
	return !word || strpbrk(word, ":@/\\") ? "the remote" : word;
}

/* By what is pushed, not by what is checked out; of a fault the comparison tells. */
static bool has_no_benchmark(const struct push *p, const struct against *a)
{
	struct config config;
	bool is_none;

	if (config_load_committed(p->c->repo, a->head, NULL, &config, NULL))
		return false;
	is_none = !config.n_benchmarks;
	config_release(&config);
	return is_none;
}

/* Whether all that differs cannot reach a build; *out_path: one of these paths. */
static bool reaches_nothing(const struct push *p, const struct against *a, char **out_path)
{
	const struct hook_config *hook = &p->c->config.hook;
	struct strv paths = STRV_INIT;
	size_t i = 0;

	*out_path = NULL;
	if (hook->ignored.n && !tree_changes(p->c->repo, a->base, a->head, &paths, NULL))
		while (i < paths.n && hook_ignores(hook, paths.v[i]))
			i++;
	if (!paths.n || i < paths.n || str_set(out_path, paths.v[0], NULL))
		i = SIZE_MAX;
	strv_release(&paths);
	return i != SIZE_MAX;
}

/* Beside what failed, which outranks it in the status, something is slower as the summary says. */
static bool is_slower_too(const struct push *p, const struct against *a, int64_t began_us)
{
	struct summary s;
	struct tally t;

	if (kept_find(p->c, a->base, a->head, &s, NULL))
		return false;
	tally_of(&s, &t);
	if (s.finished_us < began_us)
		t.n[VERDICT_REGRESSED] = 0;
	summary_release(&s);
	return t.n[VERDICT_REGRESSED] > 0;
}

static void tell(struct push *p, const struct against *a, const struct hook_child *child,
		 int64_t began_us)
{
	if (child->late && stop_signal) {
		say("%s: not compared: stopped", a->name);
	} else if (child->late) {
		say("%s: not compared in time (pawl.hook.budget); the push goes on", a->name);
	} else if (child->status == EXIT_REGRESSED) {
		p->regressed = true;
	} else if (child->status == EXIT_FAILED) {
		p->regressed = p->regressed || is_slower_too(p, a, began_us);
		say("%s: a build or a benchmark failed%s", a->name,
		    p->regressed ? "" : "; the push goes on");
	} else if (child->status == EXIT_INCONCLUSIVE) {
		say("%s: the data cannot tell; the push goes on", a->name);
	} else if (child->status > 128) {
		say("%s: not compared: pawl ended by signal %d; the push goes on", a->name,
		    child->status - 128);
	} else if (child->status) {
		say("%s: not compared; the push goes on", a->name);
	}
}

static int compare_one(struct push *p, const struct against *a, struct err *err)
{
	uint64_t now = when_monotonic_ns(), left = p->end_ns > now ? p->end_ns - now : 0;
	uint64_t measuring = left > 2 * MARGIN_NS ? left - MARGIN_NS : left / 2;
	struct hook_child child;
	struct strv words = STRV_INIT;
	int64_t began_us = when_now_us();
	char *path = NULL;
	int result = -1;

	if (has_no_benchmark(p, a)) {
		say("%s: nothing is compared: %.12s has no .pawlconfig with benchmarks (see 'pawl "
		    "init')",
		    a->name, a->head);
		return 0;
	}
	if (reaches_nothing(p, a, &path)) {
		say("%s: nothing to compare: what changed, such as '%s', reaches no build", a->name,
		    path);
		free(path);
		return 0;
	}
	if (left < NS_PER_S) {
		say("%s: not compared in time (pawl.hook.budget); the push goes on", a->name);
		return 0;
	}
	say("comparing %s with what %s has, %.12s..%.12s, within %.0f s (skip: PAWL=0 git push)",
	    a->name, p->remote, a->base, a->head, (double)left / 1e9);
	if (strv_add(&words, "compare", err) || strv_add(&words, "--quick", err) ||
	    strv_add(&words, "--strict", err) || strv_add(&words, "--reuse", err) ||
	    strv_add(&words, "--committed", err) ||
	    strv_addf(&words, err, "--budget=%.0fms", (double)measuring / 1e6) ||
	    (a->is_branch && strv_addf(&words, err, "--branch=%s", a->name)) ||
	    strv_addf(&words, err, "%s..%s", a->base, a->head) ||
	    hook_child_run(&words, left, &child, err))
		goto out;
	tell(p, a, &child, began_us);
	result = 0;
out:
	strv_release(&words);
	return result;
}

/* What was not compared, in a line.  n: of the list, those that were looked at. */
static void tell_rest(const struct push *p, const struct against_list *l, size_t n)
{
	if (n < l->n)
		say("%zu ref%s not compared: stopped", l->n - n, l->n - n > 1 ? "s" : "");
	if (l->n_unrelated)
		say("%zu ref%s not compared: nothing that %s has is known here ('git fetch')",
		    l->n_unrelated, l->n_unrelated > 1 ? "s" : "", p->remote);
	if (l->n_beyond)
		say("%zu more refs not compared: a push compares at most %d", l->n_beyond,
		    MOST_COMPARISONS);
}

static int verdict(const struct push *p)
{
	if (!p->regressed)
		return EXIT_OK;
	if (!p->c->config.hook.block) {
		say("slower; the push goes on ('git config pawl.hook.block true' stops such a "
		    "one)");
		return EXIT_OK;
	}
	say("the push is stopped; to push anyway: PAWL=0 git push");
	say("to accept it for everyone: run the 'pawl accept' line above, and commit "
	    ".pawlaccepted");
	return EXIT_REGRESSED;
}

static int pre_push(struct push *p, const char *remote, struct err *err)
{
	struct against_list l = AGAINST_LIST_INIT;
	struct pushed pushed = PUSHED_INIT;
	struct buf text = BUF_INIT;
	size_t i;
	int result = -1;

	if (input_read("the refs on stdin", PUSHED_MAX_BYTES, &text, err) ||
	    pushed_parse(buf_str(&text), text.len, &pushed, err) ||
	    against_find(p->c->repo, &pushed, remote, MOST_COMPARISONS, &l, err))
		goto out;
	for (i = 0; i < l.n && !stop_signal; i++)
		if (compare_one(p, &l.v[i], err))
			goto out;
	tell_rest(p, &l, i);
	result = 0;
out:
	buf_release(&text);
	pushed_release(&pushed);
	against_list_release(&l);
	return result;
}

int hook_run_pre_push(const struct context *c, const struct strv *words)
{
	const char *remote = words->n ? words->v[0] : "";
	struct push p = { .c = c,
			  .remote = name_of_remote(words->n ? words->v[0] : NULL),
			  .end_ns = when_monotonic_ns() + c->config.hook.budget_ns };
	struct err err = ERR_INIT;

	if (!c->config.hook.enabled)
		return EXIT_OK;
	if (pre_push(&p, remote, &err))
		say("not compared: %s; the push goes on", err.text);
	return verdict(&p);
}

/* A rebase commits again and again; only where it ends counts. */
static bool is_rebasing(const struct repo *repo)
{
	static const char *const names[] = { "rebase-merge", "rebase-apply" };
	struct buf path = BUF_INIT;
	bool found = false;
	size_t i;

	for (i = 0; i < 2 && !found; i++) {
		buf_reset(&path);
		buf_addf(&path, "%s/%s", repo_git_dir(repo), names[i]);
		found = file_exists(buf_str(&path));
	}
	buf_release(&path);
	return found;
}

int hook_run_post_commit(const struct context *c)
{
	struct strv words = STRV_INIT;
	struct hook_child child;
	struct err err = ERR_INIT;

	if (!c->config.hook.enabled || !c->config.n_benchmarks || is_rebasing(c->repo))
		return EXIT_OK;
	if (strv_add(&words, "collect", &err) || strv_add(&words, "--quiet", &err) ||
	    hook_child_run(&words, UINT64_MAX / 2, &child, &err))
		say("not measured: %s", err.text);
	strv_release(&words);
	return EXIT_OK;
}
