/* The configuration of a repository that somebody else made, as every command reads it first. */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/git/backend.h"
#include "lib/git/config/layers.h"

#include "lib/base/banned.h"

/* libgit2 1.5 keeps references of git_revparse_single(). */
const bool fuzz_library_leaks = true;

const size_t fuzz_cost = 4;

static char folder[64];

static void write_file(const char *name, const void *bytes, size_t n)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	unlink(path);
	must(!file_write_new(path, bytes, n, 0600, NULL));
}

static void remove_folder(void)
{
	file_remove_tree(folder, NULL);
}

static void make_repository(void)
{
	static const char head[] = "ref: refs/heads/main\n",
			  id[] = "0123456789abcdef0123456789abcdef01234567\n";
	static const char *const folders[] = { ".git/objects", ".git/refs/heads" };
	char path[128];
	size_t i;

	if (*folder)
		return;
	snprintf(folder, sizeof(folder), "%s/pawl-fuzz.XXXXXX",
		 access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	must(mkdtemp(folder));
	atexit(remove_folder);
	setenv("HOME", folder, 1);
	setenv("XDG_CONFIG_HOME", folder, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, folders[i]);
		must(!file_make_dirs(path, 0700, NULL));
	}
	write_file(".git/HEAD", head, sizeof(head) - 1);
	write_file(".git/refs/heads/main", id, sizeof(id) - 1);
}

static bool wants_all(const char *key)
{
	return *key != '\0';
}

static void hold_values(const struct gitconfig *values)
{
	size_t i;

	for (i = 0; i < values->n; i++) {
		must(values->v[i].key && *values->v[i].key);
		must(values->v[i].origin && values->v[i].line >= 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct gitconfig values = GITCONFIG_INIT;
	struct err err = ERR_INIT;
	struct repo *repo = NULL;
	char id[OID_TEXT];

	make_repository();
	write_file(".git/config", data, n);
	if (repo_open_with(&backend_plain, folder, &repo, &err)) {
		must(err.code != ERR_NONE && fuzz_is_line(err.text));
		return 0;
	}
	must(!strncmp(repo_top(repo), folder, strlen(folder)));
	must(repo_git_dir(repo) && repo_common_dir(repo));
	if (!repo->backend->resolve(repo, "HEAD", id, NULL))
		must(oid_is_whole(id));
	if (!gitconfig_layers_plain(repo, wants_all, &values)) {
		fuzz_accept();
		hold_values(&values);
	}
	gitconfig_release(&values);
	repo_close(repo);
	return 0;
}
