/* Other commits checked out: files, registration, filters, hooks, odd repositories. */
#include "tests/unit/worktree_fixture.h"

#include "lib/process/stop.h"
#include "lib/git/maker.h"

#include "lib/base/banned.h"

static void the_files_are_those_of_the_commit(void **state)
{
	char *list;

	(void)state;
	make_repo("plain");
	make_well("plain", "HEAD~1", "plain-out");
	assert_file(at("plain-out/f"), "2\n");
	assert_null(noted);
	list = git_says("plain", "worktree", "list", "--porcelain", NULL);
	assert_non_null(strstr(list, "plain-out"));
	assert_non_null(strstr(list, "\nlocked pawl "));
	free(list);
	assert_int_equal(worktree_detach(opened, at("plain-out"), &fault), 0);
	assert_alone("plain");
	assert_false(file_exists(at("plain-out/.git")));
	assert_false(file_exists(at("plain/.git/worktrees")));
	assert_file(at("plain-out/f"), "2\n");
	assert_file(at("plain/f"), "3\n");
}

static void another_tree_may_stand_in_for_the_commits_own(void **state)
{
	(void)state;
	make_repo("other");
	err_clear(&fault);
	if (worktree_make(open_at("other"), id_of("other", "HEAD"), id_of("other", "HEAD~2^{tree}"),
			  at("other-out"), false, NULL, NULL, &fault))
		fail_msg("%s", fault.text);
	assert_file(at("other-out/f"), "1\n");
	assert_int_equal(worktree_detach(opened, at("other-out"), &fault), 0);
}

static void filters_run_and_hooks_do_not(void **state)
{
	static const char hook[] = "#!/bin/sh\ntouch \"$HOME/hook-ran\"\n";
	static const char *const hooks[] = { "post-checkout", "post-index-change",
					     "reference-transaction" };
	size_t i;

	(void)state;
	make_repo("hooked");
	put(at("hooked/.gitattributes"), "f filter=shout\n");
	run("hooked", "git", "add", ".gitattributes");
	run("hooked", "git", "commit", "-qm", "attributes");
	run("hooked", "git", "config", "filter.shout.smudge", "sed s/3/three/");
	run("hooked", "git", "config", "filter.shout.clean", "sed s/three/3/");
	for (i = 0; i < 3; i++) {
		put(at("hooked/.git/hooks/%s", hooks[i]), hook);
		assert_int_equal(chmod(at("hooked/.git/hooks/%s", hooks[i]), 0755), 0);
		run("hooked", "git", "config", "--add", "hook.spy.event", hooks[i]);
	}
	run("hooked", "git", "config", "hook.spy.command", "touch \"$HOME/hook-ran\"");
	unlink(at("home/hook-ran")); /* by a git that knows these, just now */
	make_well("hooked", "HEAD", "hooked-out");
	assert_file(at("hooked-out/f"), "three\n");
	assert_int_equal(worktree_detach(opened, at("hooked-out"), &fault), 0);
	assert_false(file_exists(at("home/hook-ran")));
}

static void a_filter_that_fails_leaves_nothing(void **state)
{
	(void)state;
	make_repo("filter");
	put(at("filter/.gitattributes"), "f filter=broken\n");
	run("filter", "git", "add", ".gitattributes");
	run("filter", "git", "commit", "-qm", "attributes");
	run("filter", "git", "config", "filter.broken.smudge", "exit 3");
	run("filter", "git", "config", "filter.broken.required", "true");
	assert_int_equal(make_at("filter", "HEAD", "filter-out", false), -1);
	assert_int_equal(fault.code, ERR_GIT);
	assert_non_null(strstr(fault.text, "broken"));
	assert_false(file_exists(at("filter-out")));
	assert_alone("filter");
}

static void the_users_work_tree_index_and_refs_stay_as_they_are(void **state)
{
	struct buf before = BUF_INIT, after = BUF_INIT;
	char *refs, *now;

	(void)state;
	make_repo("kept");
	put(at("kept/f"), "staged\n");
	run("kept", "git", "add", "f");
	put(at("kept/f"), "not staged\n");
	refs = git_says("kept", "for-each-ref", NULL);
	assert_int_equal(file_read_whole(at("kept/.git/index"), 1 << 20, &before, NULL), 0);
	make_well("kept", "HEAD~1", "kept-out");
	assert_int_equal(worktree_detach(opened, at("kept-out"), &fault), 0);
	assert_int_equal(file_read_whole(at("kept/.git/index"), 1 << 20, &after, NULL), 0);
	now = git_says("kept", "for-each-ref", NULL);
	assert_string_equal(refs, now);
	assert_int_equal(before.len, after.len);
	assert_memory_equal(before.data, after.data, before.len);
	assert_file(at("kept/f"), "not staged\n");
	free(refs);
	free(now);
	buf_release(&before);
	buf_release(&after);
}

static void a_sparse_checkout_of_the_user_does_not_thin_the_sources(void **state)
{
	(void)state;
	make_sparse();
	assert_false(file_exists(at("sparse/out/b")));
	make_well("sparse", "HEAD", "sparse-out");
	assert_file(at("sparse-out/out/b"), "b\n");
	assert_int_equal(worktree_detach(opened, at("sparse-out"), &fault), 0);
}

static void only_the_work_trees_of_killed_pawls_are_pruned(void **state)
{
	char *list;

	(void)state;
	make_repo("prune");
	run(".", "mkdir", "below");
	run("prune", "git", "worktree", "add", "-q", "--detach", at("below/users"));
	run("prune", "git", "worktree", "add", "-q", "--detach", "--lock", "--reason",
	    "pawl is great", at("below/locked"));
	run("prune", "git", "worktree", "add", "-q", "--detach", "--lock", "--reason",
	    "pawl no-such-boot 1 1 pid:[1]", at("below/killed"));
	run("prune", "git", "worktree", "add", "-q", "--detach", "--lock", "--reason",
	    "pawl no-such-boot 1 1 pid:[1]", at("elsewhere"));
	run("prune", "git", "worktree", "add", "-q", "--detach", at("below/vanished"));
	run(".", "rm", "-r", "below/vanished");
	make_well("prune", "HEAD", "below/living");
	assert_int_equal(worktree_prune(opened, at("below"), &fault), 0);
	assert_false(file_exists(at("below/killed")));
	list = git_says("prune", "worktree", "list", NULL);
	assert_non_null(strstr(list, "below/users"));
	assert_non_null(strstr(list, "below/locked"));
	assert_non_null(strstr(list, "below/living"));
	assert_non_null(strstr(list, "below/vanished"));
	assert_non_null(strstr(list, "elsewhere"));
	assert_null(strstr(list, "below/killed"));
	free(list);
	assert_file(at("elsewhere/f"), "3\n");
	assert_int_equal(worktree_detach(opened, at("below/living"), &fault), 0);
}

static void a_work_tree_of_a_killed_process_is_pruned(void **state)
{
	pid_t pid;
	int status;

	(void)state;
	make_repo("killed");
	open_at("killed");
	pid = fork();
	if (!pid) {
		worktree_make(opened, id_of("killed", "HEAD"), NULL, at("killed-out"), false, NULL,
			      NULL, NULL);
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_file(at("killed-out/f"), "3\n");
	assert_int_equal(worktree_prune(opened, fixture_root, &fault), 0);
	assert_false(file_exists(at("killed-out")));
	assert_alone("killed");
}

/* Of which no file says any more whose it was. */
static void what_a_killed_process_was_unregistering_is_removed(void **state)
{
	(void)state;
	make_repo("half");
	open_at("half");
	run("half", "mkdir", "-p", ".git/worktrees/pawl-gone.5/logs");
	put(at("half/.git/worktrees/pawl-gone.5/HEAD"), "0\n");
	assert_int_equal(worktree_prune(opened, at("nowhere"), &fault), 0);
	assert_false(file_exists(at("half/.git/worktrees")));
	assert_alone("half");
}

static void names_of_makers_tell_who_lives(void **state)
{
	struct buf name = BUF_INIT;
	char *zero;

	(void)state;
	assert_int_equal(maker_name(&name, &fault), 0);
	assert_false(maker_is_gone(buf_str(&name)));
	zero = strstr(buf_str(&name), " pid:[");
	assert_non_null(zero);
	zero[-1] = zero[-1] == '1' ? '2' : '1'; /* another start time: the id came back */
	assert_true(maker_is_gone(buf_str(&name)));
	zero[6] = zero[6] == '1' ? '2' : '1'; /* of another namespace: nobody knows */
	assert_false(maker_is_gone(buf_str(&name)));
	assert_false(maker_is_gone("pawl"));
	assert_false(maker_is_gone("pawl a b c d"));
	assert_false(maker_is_gone("my disk: do not touch this"));
	buf_release(&name);
}

static void paths_may_hold_anything(void **state)
{
	static const char *const names[] = { "-lead", "two words", "new\nline", "quo'te\"s",
					     "b\xff\xfe" };
	size_t i;

	(void)state;
	make_repo("odd -\nname");
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		make_well("odd -\nname", "HEAD~1", names[i]);
		assert_file(at("%s/f", names[i]), "2\n");
		assert_int_equal(worktree_detach(opened, at("%s", names[i]), &fault), 0);
		assert_false(file_exists(at("%s/.git", names[i])));
		assert_alone("odd -\nname");
	}
}

static void only_whole_ids_reach_git(void **state)
{
	static const char *const revs[] = { "HEAD", "--help", "-q", "", "HEAD..", "abcdef" };
	size_t i;

	(void)state;
	make_repo("revs");
	open_at("revs");
	for (i = 0; i < sizeof(revs) / sizeof(revs[0]); i++) {
		assert_int_equal(worktree_make(opened, revs[i], NULL, at("revs-out"), false, NULL,
					       NULL, &fault),
				 -1);
		assert_int_equal(fault.code, ERR_GIT);
		assert_false(file_exists(at("revs-out")));
	}
}

static void what_stands_at_the_path_is_not_touched(void **state)
{
	(void)state;
	make_repo("stands");
	run(".", "mkdir", "there");
	put(at("there/mine"), "mine\n");
	assert_int_equal(make_at("stands", "HEAD", "there", false), -1);
	assert_int_equal(fault.code, ERR_IO);
	assert_file(at("there/mine"), "mine\n");
	assert_alone("stands");
}

static void a_stop_signal_ends_it_and_leaves_nothing(void **state)
{
	(void)state;
	make_repo("stop");
	stop_signal = SIGINT;
	assert_int_equal(make_at("stop", "HEAD", "stop-out", false), -1);
	stop_signal = 0;
	assert_int_equal(fault.code, ERR_STOPPED);
	assert_false(file_exists(at("stop-out")));
	assert_alone("stop");
}

static void sha256_repositories_work_too(void **state)
{
	(void)state;
	run(".", "git", "init", "-q", "--object-format=sha256", "sha256");
	commit("sha256", "1\n", "one");
	make_well("sha256", "HEAD", "sha256-out");
	assert_file(at("sha256-out/f"), "1\n");
	assert_int_equal(worktree_detach(opened, at("sha256-out"), &fault), 0);
	assert_alone("sha256");
}

static void reftable_repositories_work_too(void **state)
{
	(void)state;
	if (try_run(".", "git", "init", "-q", "--ref-format=reftable", "reftable", NULL)) {
		print_message("# skipped: this git knows no reftable\n");
		skip();
	}
	commit("reftable", "1\n", "one");
	make_well("reftable", "HEAD", "reftable-out");
	assert_file(at("reftable-out/f"), "1\n");
	assert_int_equal(worktree_detach(opened, at("reftable-out"), &fault), 0);
	assert_alone("reftable");
}

static void bare_repositories_and_linked_work_trees_work_too(void **state)
{
	(void)state;
	make_repo("source");
	run(".", "git", "clone", "-q", "--bare", "source", "bare.git");
	make_well("bare.git", "HEAD", "bare-out");
	assert_file(at("bare-out/f"), "3\n");
	assert_int_equal(worktree_detach(opened, at("bare-out"), &fault), 0);
	run("source", "git", "worktree", "add", "-q", "--detach", at("linked"));
	make_well("linked", "HEAD~1", "linked-out");
	assert_file(at("linked-out/f"), "2\n");
	assert_int_equal(worktree_detach(opened, at("linked-out"), &fault), 0);
	assert_file(at("linked/f"), "3\n");
	run("linked", "git", "status");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_files_are_those_of_the_commit),
		cmocka_unit_test(another_tree_may_stand_in_for_the_commits_own),
		cmocka_unit_test(filters_run_and_hooks_do_not),
		cmocka_unit_test(a_filter_that_fails_leaves_nothing),
		cmocka_unit_test(the_users_work_tree_index_and_refs_stay_as_they_are),
		cmocka_unit_test(a_sparse_checkout_of_the_user_does_not_thin_the_sources),
		cmocka_unit_test(only_the_work_trees_of_killed_pawls_are_pruned),
		cmocka_unit_test(a_work_tree_of_a_killed_process_is_pruned),
		cmocka_unit_test(what_a_killed_process_was_unregistering_is_removed),
		cmocka_unit_test(names_of_makers_tell_who_lives),
		cmocka_unit_test(paths_may_hold_anything),
		cmocka_unit_test(only_whole_ids_reach_git),
		cmocka_unit_test(what_stands_at_the_path_is_not_touched),
		cmocka_unit_test(a_stop_signal_ends_it_and_leaves_nothing),
		cmocka_unit_test(sha256_repositories_work_too),
		cmocka_unit_test(reftable_repositories_work_too),
		cmocka_unit_test(bare_repositories_and_linked_work_trees_work_too),
	};

	return cmocka_run_group_tests(tests, fixture_begin, worktree_end);
}
