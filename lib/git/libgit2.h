/*
 * libgit2 - the functions of libgit2 that pawl calls, opened when a repository is to be read.
 *
 * Internal to lib/git.  libgit2.repository_free() is git_repository_free(), and so on; no call
 * before libgit2_open() has returned 0.
 */
#ifndef PAWL_GIT_LIBGIT2_H
#define PAWL_GIT_LIBGIT2_H

#include <git2.h>

#include "lib/base/err.h"

#define LIBGIT2_CALLS(CALL) \
	CALL(config_add_file_ondisk) \
	CALL(config_free) \
	CALL(config_iterator_free) \
	CALL(config_iterator_new) \
	CALL(config_new) \
	CALL(config_next) \
	CALL(diff_free) \
	CALL(diff_index_to_workdir) \
	CALL(diff_num_deltas) \
	CALL(diff_options_init) \
	CALL(diff_tree_to_index) \
	CALL(error_last) \
	CALL(libgit2_init) \
	CALL(libgit2_opts) \
	CALL(libgit2_shutdown) \
	CALL(libgit2_version) \
	CALL(object_free) \
	CALL(object_id) \
	CALL(object_peel) \
	CALL(odb_free) \
	CALL(odb_object_data) \
	CALL(odb_object_free) \
	CALL(odb_object_size) \
	CALL(odb_object_type) \
	CALL(odb_read) \
	CALL(oid_fromstr) \
	CALL(oid_tostr) \
	CALL(reference_free) \
	CALL(reference_lookup) \
	CALL(reference_symbolic_target) \
	CALL(reference_type) \
	CALL(repository_commondir) \
	CALL(repository_free) \
	CALL(repository_odb) \
	CALL(repository_open_ext) \
	CALL(repository_path) \
	CALL(repository_workdir) \
	CALL(revparse_single) \
	CALL(tree_free)

#define CALL(name) __typeof__(&git_##name) name;
struct libgit2 {
	LIBGIT2_CALLS(CALL)
};
#undef CALL

extern struct libgit2 libgit2;

/* Errors: ERR_GIT, with the cure.  Cost: lib/process/library.h; about 2 ms the first time. */
int libgit2_open(struct err *err);

/* git_libgit2_init() without what libgit2 prepares for the network.  Returns what that returns. */
int libgit2_start(void);

#endif
