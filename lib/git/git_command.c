#include "lib/git/git_command.h"

#include <string.h>
#include <unistd.h>

#include "lib/process/proc.h"
#include "lib/base/strv.h"
#include "lib/git/backend.h"

#include "lib/base/banned.h"

#define ANSWER_MAX ((size_t)32 << 20)
#define TIME_NS (UINT64_C(120) * 1000000000)

/*
 * What `git rev-parse --local-env-vars` lists, over all versions: it ties git to the
 * repository, index or configuration of whoever started pawl.
 */
static const char *const taken_away[] = {
	"GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_COMMON_DIR",
	"GIT_CONFIG",
	"GIT_CONFIG_COUNT",
	"GIT_CONFIG_PARAMETERS",
	"GIT_DIR",
	"GIT_IMPLICIT_WORK_TREE",
	"GIT_INDEX_FILE",
	"GIT_INTERNAL_SUPER_PREFIX",
	"GIT_NAMESPACE",
	"GIT_OBJECT_DIRECTORY",
	"GIT_PREFIX",
	"GIT_QUARANTINE_PATH",
	"GIT_REPLACE_REF_BASE",
	"GIT_SHALLOW_FILE",
	"GIT_TRACE",
	"GIT_WORK_TREE",
	NULL,
};

static const char *const set[] = {
	"GIT_ALLOW_PROTOCOL=none", /* a partial clone would fetch what it lacks */
	"GIT_FLUSH=0", /* a list of commits would come one write, and one wake of ours, at a time */
	"GIT_GRAFT_FILE=/dev/null",
	"GIT_NO_LAZY_FETCH=1",
	"GIT_NO_REPLACE_OBJECTS=1",
	"GIT_OPTIONAL_LOCKS=0",
	"GIT_TERMINAL_PROMPT=0",
	"LC_ALL=C",
	NULL,
};

static const char *const first_words[] = {
	"git",
	"-c",
	"core.fsmonitor=false",
	"-c",
	"core.hooksPath=/dev/null",
	/* Hooks of the configuration, by event: git 2.54 has them, 2.55 the switch. */
	"-c",
	"hook.post-checkout.enabled=false",
	"-c",
	"hook.post-index-change.enabled=false",
	"-c",
	"hook.reference-transaction.enabled=false",
	"-c",
	"status.submoduleSummary=false",
	"-c",
	"advice.graftFileDeprecated=false",
	NULL,
};

static int add_all(struct strv *argv, const char *const *more, struct err *err)
{
	for (; *more; more++)
		if (strv_add(argv, *more, err))
			return -1;
	return 0;
}

/* Whether one of the names or of the "NAME=value" is that of entry. */
static bool is_among(const char *entry, const char *const *names)
{
	size_t n = strcspn(entry, "=");

	for (; names && *names; names++)
		if (!strncmp(*names, entry, n) && strchr("=", (*names)[n]))
			return true;
	return false;
}

/* Each name once: of two, git would take one and what git starts the other. */
static int build_environment(const struct git_run *how, struct strv *out, struct err *err)
{
	const char *const *entry;
	size_t i;

	for (i = 0; environ && environ[i]; i++)
		if (!is_among(environ[i], taken_away) && !is_among(environ[i], set) &&
		    !is_among(environ[i], how->environment) && strv_add(out, environ[i], err))
			return -1;
	for (entry = set; *entry; entry++)
		if (!is_among(*entry, how->environment) && strv_add(out, *entry, err))
			return -1;
	return how->environment ? add_all(out, how->environment, err) : 0;
}

static int build(const struct git_run *how, const char *const *args, struct strv *argv,
		 struct err *err)
{
	const struct repo *repo = how->repo;

	if (add_all(argv, first_words, err))
		return -1;
	if (repo && strv_addf(argv, err, "--git-dir=%s", repo->git_dir))
		return -1;
	if (repo && repo->top && strv_addf(argv, err, "--work-tree=%s", repo->top))
		return -1;
	return add_all(argv, args, err);
}

static void no_git(struct err *err)
{
	err_set(err, ERR_ABSENT, "cannot run 'git': it is not installed");
	err_hint(err, "install git: it reads what libgit2 cannot");
}

/* The folder it runs in. */
static const char *folder_of(const struct repo *repo, const char *dir)
{
	if (!repo)
		return dir;
	return repo->top ? repo->top : repo->git_dir;
}

int git_run(const struct git_run *how, const char *const *args, struct buf *out,
	    struct buf *out_errors, int *out_status, struct err *err)
{
	struct strv argv = STRV_INIT, environment = STRV_INIT;
	struct proc_options options = {
		.dir = folder_of(how->repo, how->dir),
		.input = how->input ? how->input->data : NULL,
		.n_input = how->input ? how->input->len : 0,
		.no_other = true,
		.max = ANSWER_MAX,
		.timeout_ns = how->timeout_ns ? how->timeout_ns : TIME_NS,
		.stops = how->stops,
		.apart = how->apart,
		.graced = how->graced,
	};
	struct err fault = ERR_INIT;
	int status, result = -1;

	if (build(how, args, &argv, err) || build_environment(how, &environment, err))
		goto out;
	options.environment = environment.v;
	if (proc_run(&options, argv.v, out, out_errors, &status, &fault)) {
		if (fault.code == ERR_ABSENT)
			no_git(err);
		else if (err)
			*err = fault;
		goto out;
	}
	*out_status = status;
	result = 0;
out:
	strv_release(&argv);
	strv_release(&environment);
	return result;
}

int git_capture(const struct repo *repo, const char *dir, const char *const *args, struct buf *out,
		struct buf *out_errors, int *out_status, struct err *err)
{
	const struct git_run how = { .repo = repo, .dir = dir, .stops = true, .graced = true };

	return git_run(&how, args, out, out_errors, out_status, err);
}

/* Git's reason: its first "fatal: " line, else its first line. */
static int fault_of(const char *dir, const char *words, int status, struct err *err)
{
	const char *reason = strstr(words, "fatal: ");
	size_t n;

	if (strstr(words, "dubious ownership") || strstr(words, "unsafe repository"))
		return repo_foreign_owner(dir, err);
	if (strstr(words, "not a git repository"))
		return err_set(err, ERR_ABSENT, "no git repository at '%s' or above", dir);
	reason = reason ? reason + strlen("fatal: ") : words;
	n = strcspn(reason, "\n");
	if (reason[n] == '\n' && n && reason[n - 1] == ':')
		n = strlen(reason) - (reason[strlen(reason) - 1] == '\n');
	if (!n)
		return err_set(err, ERR_GIT, "git ended with status %d in '%s'", status, dir);
	return err_set(err, ERR_GIT, "git cannot read repository '%s': %.*s", dir, (int)n, reason);
}

int git_answer(const struct repo *repo, const char *dir, const char *const *args, struct buf *out,
	       struct err *err)
{
	struct buf words = BUF_INIT;
	int status, result = -1;

	dir = folder_of(repo, dir);
	if (git_capture(repo, dir, args, out, &words, &status, err))
		goto out;
	result = status ? fault_of(dir, buf_str(&words), status, err) : 0;
out:
	buf_release(&words);
	return result;
}
