#include "cli/doctor/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "collector/build/detect.h"
#include "hooks/install.h"
#include "lib/base/file.h"
#include "lib/process/proc.h"
#include "lib/process/stop.h"

#include "lib/base/banned.h"

#define LEAST_FREE_BYTES (512u << 20) /* less, and a build may not fit */
#define GIT_TIMEOUT_NS 10000000000ull

/* ---- the repository --------------------------------------------------------------------- */

static void look_at_git(struct diagnosis *d, const struct context *c)
{
	char *const argv[] = { (char[]){ "git" }, (char[]){ "--version" }, NULL };
	struct buf text = BUF_INIT;
	struct err err = ERR_INIT;
	int status;

	(void)c;
	if (proc_capture(NULL, argv, 4096, GIT_TIMEOUT_NS, &text, NULL, &status, &err))
		finding_add(d, "git", DOCTOR_FAULT, "install git", "%s", err.text);
	else
		finding_add(d, "git", DOCTOR_OK, NULL, "%.*s", (int)strcspn(buf_str(&text), "\n"),
			    buf_str(&text));
	buf_release(&text);
}

static void look_at_repository(struct diagnosis *d, const struct context *c)
{
	struct git_commit head = GIT_COMMIT_INIT;
	struct err err = ERR_INIT;
	char parent[OID_TEXT];
	bool dirty = false, filters = false;

	if (repo_commit(c->repo, "HEAD", &head, &err)) {
		finding_add_fault(d, "repository", &err);
		return;
	}
	finding_add(d, "repository", DOCTOR_OK, NULL, "project '%s' in '%s', read by %s",
		    c->project, repo_top(c->repo) ? repo_top(c->repo) : repo_git_dir(c->repo),
		    repo_reader(c->repo));
	if (repo_first_parent(c->repo, head.id, parent, &err))
		finding_add(d, "repository", DOCTOR_NOTE, err.hint,
			    "there is nothing to compare with yet: %s", err.text);
	if (repo_seems_dirty(c->repo, &dirty, &filters, &err))
		finding_add(d, "repository", DOCTOR_NOTE, err.hint,
			    "cannot tell whether files differ from HEAD: %s", err.text);
	else if (dirty)
		finding_add(d, "repository", DOCTOR_NOTE,
			    "commit, or use 'pawl compare --working-tree'",
			    "files %s from HEAD%s: a result collected now is no baseline",
			    filters ? "may differ" : "differ",
			    filters ? " (git's filters are not run here)" : "");
	git_commit_release(&head);
}

static void look_at_benchmarks(struct diagnosis *d, const struct context *c)
{
	const struct config *config = &c->config;
	char *build = NULL, *what = NULL;
	struct err err = ERR_INIT;

	if (!config->n_benchmarks)
		finding_add(d, "benchmarks", DOCTOR_NOTE, "pawl init, or pawl compare -- COMMAND",
			    "none is configured");
	else
		finding_add(d, "benchmarks", DOCTOR_OK, NULL, "%zu configured, the first is '%s'",
			    config->n_benchmarks, config->benchmarks[0].name);
	if (config->build)
		finding_add(d, "build", DOCTOR_OK, NULL, "%s", config->build);
	else if (!repo_top(c->repo))
		finding_add(d, "build", DOCTOR_NOTE, "git config pawl.build COMMAND",
			    "none is configured, and a bare repository does not show one");
	else if (!build_detect(repo_top(c->repo), &build, &what, &err))
		finding_add(d, "build", DOCTOR_OK, NULL, "%s (from '%s')", build, what);
	else
		finding_add(d, "build", DOCTOR_NOTE, err.hint, "%s", err.text);
	free(build);
	free(what);
}

/* ---- results ------------------------------------------------------------------------------ */

static void look_at_store(struct diagnosis *d, const struct context *c)
{
	struct store *store = NULL;
	struct store_check found;
	struct err err = ERR_INIT;
	size_t waiting = 0, rejected = 0, missed = 0;

	if (!c->store_path)
		return; /* told with the folder */
	if (store_open(c->store_path, STORE_READ, &store, &err)) {
		if (err.code == ERR_ABSENT)
			finding_add(d, "store", DOCTOR_NOTE, "pawl collect", "no result yet");
		else
			finding_add_fault(d, "store", &err);
		return;
	}
	if (store_check(store, &found, &err)) {
		finding_add_fault(d, "store", &err);
	} else {
		finding_add(d, "store", found.faults.n ? DOCTOR_FAULT : DOCTOR_OK,
			    found.faults.n ? "pawl fsck --repair" : NULL,
			    "%zu result%s, %zu damaged%s%s", found.n_rows,
			    found.n_rows == 1 ? "" : "s", found.n_bad, found.faults.n ? ": " : "",
			    found.faults.n ? found.faults.v[0] : "");
		store_check_release(&found);
	}
	if (store_queue_count(store, &waiting, &rejected, &err) ||
	    store_queue_missed(store, &missed, &err)) {
		finding_add_fault(d, "queue", &err);
	} else {
		/* Without a server nothing ever is. */
		bool lacks = missed && c->config.server;

		finding_add(d, "queue", waiting || rejected || lacks ? DOCTOR_NOTE : DOCTOR_OK,
			    waiting    ? "pawl push"
			    : rejected ? "pawl push --again"
			    : lacks    ? "pawl push --all"
				       : NULL,
			    "%zu to be posted, %zu refused by the server, %zu never queued",
			    waiting, rejected, missed);
	}
	store_close(store);
}

static void look_at_folder(struct diagnosis *d, const struct context *c)
{
	struct statvfs fs;
	double free_bytes;

	if (c->state_dir && file_is_on_network(c->state_dir))
		finding_add(d, "store", DOCTOR_NOTE, "keep the repository on a local disk",
			    "it lies on a network file system: slower, and only as safe as the "
			    "locks of its server");
	if (!c->state_dir) {
		finding_add(d, "folder", DOCTOR_FAULT,
			    "make the repository's folder writable, or set XDG_STATE_HOME",
			    "there is no folder to keep results and built commits in");
		return;
	}
	if (statvfs(c->state_dir, &fs)) {
		finding_add(d, "folder", DOCTOR_FAULT, NULL, "'%s' cannot be read", c->state_dir);
		return;
	}
	if (fs.f_files && !fs.f_favail) {
		finding_add(d, "folder", DOCTOR_FAULT, "remove files there, see 'df -i'",
			    "'%s': no further file can be made on its disk", c->state_dir);
		return;
	}
	free_bytes = (double)fs.f_bavail * (double)fs.f_frsize;
	finding_add(d, "folder", free_bytes < LEAST_FREE_BYTES ? DOCTOR_NOTE : DOCTOR_OK,
		    free_bytes < LEAST_FREE_BYTES ? "make room, or set pawl.cacheSize" : NULL,
		    "'%s', %.1f GB free", c->state_dir, free_bytes / 1e9);
}

/* ---- the hook ------------------------------------------------------------------------------ */

static void look_at_hook(struct diagnosis *d, const struct context *c)
{
	struct hooks_path where;
	struct hook_state s;
	struct err err = ERR_INIT;

	if (hooks_path_find(c->repo, &where, &err) || hook_look(&where, HOOK_PRE_PUSH, &s, &err)) {
		finding_add_fault(d, "hook", &err);
		hooks_path_release(&where);
		return;
	}
	hooks_path_release(&where);
	if (s.is_ours && (!s.is_executable || !s.is_current))
		finding_add(d, "hook", DOCTOR_FAULT, "pawl hook install",
			    s.is_executable
				    ? "the pre-push hook is of another version"
				    : "the pre-push hook is not executable: git leaves it out");
	else if (s.is_ours || s.configured || s.calls_us)
		finding_add(d, "hook", DOCTOR_OK, NULL, "pre-push is installed; a regression %s",
			    c->config.hook.block ? "stops the push" : "is reported");
	else
		finding_add(d, "hook", DOCTOR_OK, NULL,
			    "pre-push is not installed ('pawl hook install' does)");
	hook_state_release(&s);
}

static void (*const checks[])(struct diagnosis *d, const struct context *c) = {
	look_at_git,   look_at_repository, look_at_benchmarks, look_at_folder,
	look_at_store, doctor_look_server, look_at_hook,
};

void doctor_look(const struct options *o, struct diagnosis *out)
{
	struct err err = ERR_INIT;
	struct context c;
	size_t i;

	memset(out, 0, sizeof(*out));
	finding_add(out, "pawl", DOCTOR_OK, NULL, "version %s", PAWL_VERSION);
	if (context_open(o, &c, &err)) {
		finding_add_fault(out, err.code == ERR_CONFIG ? "configuration" : "repository",
				  &err);
	} else {
		for (i = 0; i < sizeof(checks) / sizeof(checks[0]) && !stop_signal; i++)
			checks[i](out, &c);
		context_close(&c);
	}
	if (!stop_signal)
		doctor_look_machine(out);
}
