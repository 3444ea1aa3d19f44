/* The repository as libgit2 reads it.  Tried with 1.5.1; nothing newer is asked for. */
#include "lib/git/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/git/config/layers.h"
#include "lib/git/libgit2.h"

#include "lib/base/banned.h"

/*
 * libgit2 1.5 loses a PCRE2 match block on every git_repository_open(), in
 * git_config_foreach_match(); the leak checker is told, so that ours show.
 */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define LEAKS_ARE_CHECKED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define LEAKS_ARE_CHECKED
#endif
#ifdef LEAKS_ARE_CHECKED
const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libpcre2";
}

const char *__lsan_default_options(void)
{
	return "print_suppressions=0";
}
#endif

static const char *last_message(void)
{
	const git_error *error = libgit2.error_last();

	return error && error->message ? error->message : "no reason given";
}

static bool last_class_is(int class)
{
	const git_error *error = libgit2.error_last();

	return error && error->klass == class;
}

/* Extensions that change nothing in what is read here; libgit2 refuses them unasked. */
static int accept_extensions(struct err *err)
{
	static const char *names[] = { "worktreeconfig", "relativeworktrees", "partialclone" };

	if (libgit2.libgit2_opts(GIT_OPT_SET_EXTENSIONS, names, sizeof(names) / sizeof(names[0])) <
	    0)
		return err_set(err, ERR_GIT, "libgit2: %s", last_message());
	return 0;
}

/*
 * libgit2 1.5 says of a foreign owner that 'safe.directory' is not in the configuration;
 * later ones have a code for it.
 */
static int open_fault(int rc, const char *path, struct err *err)
{
	if (rc == GIT_EOWNER || (rc == GIT_ENOTFOUND && last_class_is(GIT_ERROR_CONFIG)))
		return repo_foreign_owner(path, err);
	if (rc == GIT_ENOTFOUND) {
		err_set(err, ERR_ABSENT, "no git repository at '%s' or above", path);
		return err_hint(err, "run pawl inside a repository, or `git init` one");
	}
	if (last_class_is(GIT_ERROR_NOMEMORY))
		return err_nomem(err);
	return err_set(err, ERR_GIT, "cannot read repository '%s': %s", path, last_message());
}

static void libgit2_close(struct repo *repo)
{
	if (!repo->handle)
		return;
	libgit2.repository_free(repo->handle);
	repo->handle = NULL;
	libgit2.libgit2_shutdown();
}

static int copy_paths(struct repo *repo, struct err *err)
{
	git_repository *git = repo->handle;

	if (str_set(&repo->top, libgit2.repository_workdir(git), err) ||
	    str_set(&repo->git_dir, libgit2.repository_path(git), err) ||
	    str_set(&repo->common_dir, libgit2.repository_commondir(git), err))
		return -1;
	return 0;
}

static int open_by_libgit2(struct repo *repo, const char *path, struct err *err)
{
	git_repository *git = NULL;
	int rc = 0;

	if (libgit2_open(err))
		return -1;
	if (libgit2_start() < 0)
		return err_set(err, ERR_GIT, "libgit2: %s", last_message());
	if (!accept_extensions(err)) {
		rc = libgit2.repository_open_ext(&git, path, 0, getenv("GIT_CEILING_DIRECTORIES"));
		repo->handle = git;
		if (!rc)
			return copy_paths(repo, err);
		open_fault(rc, path, err);
	}
	libgit2.libgit2_shutdown();
	return -1;
}

static int resolve_fault(int rc, const char *rev, struct err *err)
{
	if (rc == GIT_EAMBIGUOUS && strlen(rev) >= GIT_OID_MINPREFIXLEN) {
		err_set(err, ERR_ABSENT, "revision '%s' is ambiguous", rev);
		return err_hint(err, "give more digits of the commit id");
	}
	if (rc == GIT_EAMBIGUOUS || rc == GIT_EPEEL || rc == GIT_EINVALIDSPEC ||
	    rc == GIT_ENOTFOUND || last_class_is(GIT_ERROR_INVALID))
		return err_set(err, ERR_ABSENT, "unknown revision '%s'", rev);
	if (last_class_is(GIT_ERROR_NOMEMORY))
		return err_nomem(err);
	return err_set(err, ERR_GIT, "cannot read revision '%s': %s", rev, last_message());
}

static int libgit2_resolve(struct repo *repo, const char *rev, char out[OID_TEXT], struct err *err)
{
	git_object *named = NULL, *commit = NULL;
	int rc = libgit2.revparse_single(&named, repo->handle, rev);

	if (rc >= 0)
		rc = libgit2.object_peel(&commit, named, GIT_OBJECT_COMMIT);
	if (rc >= 0)
		libgit2.oid_tostr(out, OID_TEXT, libgit2.object_id(commit));
	libgit2.object_free(commit);
	libgit2.object_free(named);
	return rc >= 0 ? 0 : resolve_fault(rc, rev, err);
}

/* The object is read raw: newer libgit2 applies grafts when it parses a commit. */
static int libgit2_read_commit(struct repo *repo, const char *id, struct buf *out, struct err *err)
{
	git_odb *odb = NULL;
	git_odb_object *object = NULL;
	git_oid oid;
	int rc, result = -1;

	rc = strlen(id) == 40 ? libgit2.oid_fromstr(&oid, id) : GIT_ENOTFOUND;
	if (rc >= 0)
		rc = libgit2.repository_odb(&odb, repo->handle);
	if (rc >= 0)
		rc = libgit2.odb_read(&object, odb, &oid);
	if (rc == GIT_ENOTFOUND) {
		err_set(err, ERR_ABSENT, "commit %s is not here", id);
	} else if (rc < 0) {
		err_set(err, ERR_GIT, "cannot read commit %s: %s", id, last_message());
		err_hint(err, "git fsck");
	} else if (libgit2.odb_object_type(object) != GIT_OBJECT_COMMIT) {
		err_set(err, ERR_ABSENT, "object %s is not a commit", id);
	} else {
		buf_add(out, libgit2.odb_object_data(object), libgit2.odb_object_size(object));
		result = buf_check(out, err);
	}
	libgit2.odb_object_free(object);
	libgit2.odb_free(odb);
	return result;
}

static int libgit2_head_ref(struct repo *repo, char **out, struct err *err)
{
	git_reference *head = NULL;
	int result = -1;

	if (libgit2.reference_lookup(&head, repo->handle, "HEAD") < 0)
		return err_set(err, ERR_GIT, "cannot read HEAD: %s", last_message());
	*out = NULL;
	if (libgit2.reference_type(head) != GIT_REFERENCE_SYMBOLIC ||
	    (*out = str_dup(libgit2.reference_symbolic_target(head), err)))
		result = 0;
	libgit2.reference_free(head);
	return result;
}

/* The tree of HEAD; NULL on an unborn branch, against which every entry is new. */
static int head_tree(git_repository *git, git_tree **out)
{
	git_object *tree = NULL;
	int rc = libgit2.revparse_single(&tree, git, "HEAD^{tree}");

	*out = (git_tree *)tree;
	return rc == GIT_ENOTFOUND ? 0 : rc;
}

/* Whether libgit2 sees a difference.  Returns libgit2's code. */
static int has_difference(git_repository *git, bool *out)
{
	git_diff_options options;
	git_diff *staged = NULL, *unstaged = NULL;
	git_tree *tree = NULL;
	int rc = libgit2.diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);

	options.ignore_submodules = GIT_SUBMODULE_IGNORE_DIRTY;
	if (rc >= 0)
		rc = head_tree(git, &tree);
	if (rc >= 0)
		rc = libgit2.diff_tree_to_index(&staged, git, tree, NULL, &options);
	if (rc >= 0)
		rc = libgit2.diff_index_to_workdir(&unstaged, git, NULL, &options);
	if (rc >= 0)
		*out = libgit2.diff_num_deltas(staged) || libgit2.diff_num_deltas(unstaged);
	libgit2.diff_free(unstaged);
	libgit2.diff_free(staged);
	libgit2.tree_free(tree);
	return rc;
}

/*
 * "Clean" from libgit2 is final.  "Dirty" is not: it runs no external filter (LFS) and
 * knows no sparse checkout, so git is asked too, and believed where it can answer.
 */
static int libgit2_is_dirty(struct repo *repo, bool *out, struct err *err)
{
	bool dirty = false;
	int rc = has_difference(repo->handle, &dirty);

	if (rc < 0)
		err_set(err, ERR_GIT, "cannot compare the work tree '%s': %s", repo->top,
			last_message());
	if ((rc < 0 || dirty) && !cli_is_dirty(repo, &dirty, NULL))
		rc = 0;
	if (rc < 0)
		return -1;
	*out = dirty;
	return 0;
}

static int libgit2_read_config(struct repo *repo, gitconfig_wanted *wanted, struct gitconfig *out,
			       struct err *err)
{
	return gitconfig_layers(repo, repo->handle, wanted, out, err);
}

const struct git_backend backend_libgit2 = {
	.name = "libgit2",
	.open = open_by_libgit2,
	.close = libgit2_close,
	.resolve = libgit2_resolve,
	.read_commit = libgit2_read_commit,
	.head_ref = libgit2_head_ref,
	.is_dirty = libgit2_is_dirty,
	.read_config = libgit2_read_config,
};

const char *repo_library_version(void)
{
	static char text[32];
	int major, minor, revision;

	if (libgit2_open(NULL))
		return NULL;
	libgit2.libgit2_version(&major, &minor, &revision);
	snprintf(text, sizeof(text), "%d.%d.%d", major, minor, revision);
	return text;
}
