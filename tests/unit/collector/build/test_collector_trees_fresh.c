/* Built commits: a kept tree is what its build left, whatever ran in it since. */
#include "tests/unit/collector/build/trees_fixture.h"

#include "lib/base/banned.h"

/* Opens HEAD in a pawl of its own.  Whether it was kept; what it told is added to $HOME/told. */
static bool is_kept_for_another(const char *dir, const char *rev)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		struct tree t = TREE_INIT;
		int failed = open_rev(dir, rev, &t);

		put(at("home/told"), failed ? fault.text : buf_str(&told));
		_exit(failed ? 9 : t.kept);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_in_range(WEXITSTATUS(status), 0, 1);
	return WEXITSTATUS(status);
}

static bool was_told(const char *words)
{
	struct buf text = BUF_INIT;
	bool was;

	assert_int_equal(file_read_whole(at("home/told"), 1 << 16, &text, &fault), 0);
	was = strstr(buf_str(&text), words);
	buf_release(&text);
	return was;
}

/* A shell command in the tree. */
#define IN(tree, command) run((tree)->path + strlen(fixture_root) + 1, "sh", "-ec", command)

static const char build[] = COUNT "mkdir -p empty sub/deep; cp f made; ln -s made link";

static void what_a_benchmark_added_is_gone(void **state)
{
	struct tree t;

	(void)state;
	start("added", build);
	t = open_well("added", "HEAD");
	IN(&t, "echo x >data; echo x >sub/deep/data; mkdir -p new/er; echo x >new/er/data;"
	       "mkfifo pipe; echo x >.hidden; echo x >'new\nline'; echo x >../beside;"
	       "ln -s \"$HOME\" home; ln -s .. new/up; mkdir shut; echo x >shut/data;"
	       "chmod 500 shut; echo x >empty/data; echo x >sub-; mkdir sub.d");
	put(at("home/precious"), "precious\n");
	tree_close(&t);
	t = open_well("added", "HEAD");
	assert_true(t.kept);
	assert_int_equal(n_builds(), 1);
	IN(&t, "test \"$(find . ! -name . | LC_ALL=C sort | tr '\\n' ' ')\" = "
	       "'./empty ./f ./link ./made ./sub ./sub/deep '; ! test -e ../beside");
	assert_file(at("home/precious"), "precious\n");
	tree_close(&t);
}

static void what_a_benchmark_changed_is_built_again(void **state)
{
	static const char *const changes[] = {
		"echo x >>made",
		"rm made",
		"rmdir empty",
		"rmdir empty; echo x >empty",
		"rm made; mkdir made",
		"rm link; ln -s f link",
		"chmod 700 sub",
		"chmod 755 f",
		"rm -r sub; ln -s empty sub",
		"touch made; echo x >data",
		"touch ../files",
		"rm ../files",
	};
	struct tree t;
	size_t i;

	(void)state;
	start("altered", build);
	for (i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		t = open_well("altered", "HEAD");
		n_builds();
		IN(&t, changes[i]);
		tree_close(&t);
		t = open_well("altered", "HEAD");
		if (t.kept != !strcmp(changes[i], "touch ../files"))
			fail_msg("%s: %s", changes[i], t.kept ? "kept" : "built");
		IN(&t, "! test -e data; test -d empty; test -d sub/deep; cmp f made");
		tree_close(&t);
	}
}

static void a_tree_in_use_is_not_cleared(void **state)
{
	struct tree t;
	int status, i;
	pid_t pid;

	(void)state;
	start("used", build);
	t = open_well("used", "HEAD");
	assert_true(is_kept_for_another("used", "HEAD")); /* as it is: both at once */
	IN(&t, "echo x >data");
	pid = fork();
	if (!pid) {
		struct tree other = TREE_INIT;

		close(t.lock_fd);
		_exit(open_rev("used", "HEAD", &other) || !other.kept ||
		      faccessat(AT_FDCWD, at("%s/data", t.path + strlen(fixture_root) + 1), F_OK,
				0) == 0);
	}
	for (i = 0; i < 10; i++) {
		usleep(50000);
		assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
		assert_file(at("%s/data", t.path + strlen(fixture_root) + 1), "x\n");
	}
	tree_close(&t);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(n_builds(), 1);
}

/* A clone of a repository with submodule "sub" at deps/sub, which is not there yet. */
static void clone_without_submodule(const char *name)
{
	if (!file_exists(at("super"))) {
		make_repo("sub");
		make_repo("super");
		run("super", "git", "-c", "protocol.file.allow=always", "submodule", "--quiet",
		    "add", at("sub"), "deps/sub");
		commit_all("super", "submodule");
	}
	run(".", "git", "clone", "-q", "super", name);
}

static void a_submodule_that_came_later_is_built_in(void **state)
{
	(void)state;
	clone_without_submodule("later");
	use("later", COUNT "cat deps/sub/f >made || true");
	n_builds();
	assert_false(is_kept_for_another("later", "HEAD"));
	assert_true(is_kept_for_another("later", "HEAD")); /* nobody asked for it */
	request.submodules = true;
	assert_false(is_kept_for_another("later", "HEAD"));
	assert_true(was_told("submodule 'deps/sub' is not here"));
	assert_false(is_kept_for_another("later", "HEAD"));
	assert_true(was_told("submodule 'deps/sub' is not here"));
	run("later", "git", "-c", "protocol.file.allow=always", "submodule", "--quiet", "update",
	    "--init");
	assert_false(is_kept_for_another("later", "HEAD"));
	assert_false(was_told("not here"));
	assert_true(is_kept_for_another("later", "HEAD"));
	assert_int_equal(n_builds(), 4);
}

static void a_tree_that_lacks_parts_serves_the_one_who_built_it(void **state)
{
	struct tree a, b;

	(void)state;
	clone_without_submodule("lacks");
	use("lacks", COUNT "true");
	n_builds();
	request.submodules = true;
	a = open_well("lacks", "HEAD");
	b = open_well("lacks", "HEAD"); /* a commit with itself: may not wait for a */
	assert_string_equal(a.path, b.path);
	assert_int_equal(n_builds(), 1);
	tree_close(&a);
	tree_close(&b);
}

/* The pointer is the digest and the size of "content\n", by sha256sum(1). */
static void a_file_of_lfs_that_came_later_is_built_in(void **state)
{
#define OID "434728a410a78f56fc1b5899c3593436e61ab0c731e9072d95e96db290205e53"
	(void)state;
	make_repo("lfs");
	write_at("lfs", ".gitattributes", "*.bin filter=lfs -text\n");
	write_at("lfs", "a.bin",
		 "version https://git-lfs.github.com/spec/v1\noid sha256:" OID "\nsize 8\n");
	commit_all("lfs", "pointer");
	use("lfs", COUNT "cp a.bin made");
	n_builds();
	assert_false(is_kept_for_another("lfs", "HEAD"));
	assert_true(was_told("1 file of Git LFS is not here"));
	assert_false(is_kept_for_another("lfs", "HEAD"));
	run("lfs", "mkdir", "-p", ".git/lfs/objects/43/47");
	write_at("lfs", ".git/lfs/objects/43/47/" OID, "content\n");
	assert_false(is_kept_for_another("lfs", "HEAD"));
	assert_false(was_told("not here"));
	assert_true(is_kept_for_another("lfs", "HEAD"));
	assert_int_equal(n_builds(), 3);
}

/* Every so many bytes another one: none of them may stand for what it was. */
static void damaged_notes_of_a_tree_build_it_again(void **state)
{
	static const char *const names[] = { "built", "files", "outside" };
	size_t i, at;

	(void)state;
	start("notes", COUNT "cc -c main.c");
	write_at("notes", "main.c", "#include <stddef.h>\nsize_t one(void) { return 1; }\n");
	commit_all("notes", "one that reads headers");
	for (i = 0; i < 3; i++)
		for (at = 0;; at += i ? 97 : 31) {
			struct tree t = open_well("notes", "HEAD");
			struct buf text = BUF_INIT;
			char path[FIXTURE_PATH * 2];

			snprintf(path, sizeof(path), "%.*s%s",
				 (int)(strlen(t.path) - strlen("tree")), t.path, names[i]);
			tree_close(&t);
			assert_int_equal(file_read_whole(path, 1 << 20, &text, NULL), 0);
			if (at >= text.len) {
				buf_release(&text);
				break;
			}
			text.data[at] ^= 1;
			assert_int_equal(file_write_whole(path, text.data, text.len, 0600, NULL),
					 0);
			buf_release(&text);
			t = open_well("notes", "HEAD");
			if (t.kept)
				fail_msg("%s, byte %zu", names[i], at);
			tree_close(&t);
		}
}

/* The same tree, with other bytes in its files. */
static void how_git_checks_out_builds_again(void **state)
{
	static const struct {
		const char *command, *made, *told;
	} steps[] = {
		{ "git config core.autocrlf true", "a\r\n", "core.autocrlf is 'true'" },
		{ "git config --global core.eol crlf; git config core.autocrlf false", "a\n",
		  "core.autocrlf was 'true', is 'false'" },
		{ "echo 'text.txt text' >.git/info/attributes", "a\r\n",
		  "/.git/info/attributes is used now" },
		{ "echo 'text.txt filter=x' >.git/info/attributes", "a\n",
		  "/.git/info/attributes changed" },
		{ "git config filter.x.smudge 'tr a b'", "b\n", "filter.x.smudge is 'tr a b'" },
		{ "rm .git/info/attributes; echo 'text.txt text' >~/attributes;"
		  "git config core.attributesFile '~/attributes'",
		  "a\r\n", "core.attributesfile is '~/attributes'" },
		{ "echo '# none' >~/attributes", "a\n", "/attributes changed" },
		{ "mkdir -p ~/.config/git; echo 'text.txt filter=x' >~/.config/git/attributes;"
		  "git config --unset core.attributesFile",
		  "b\n", "core.attributesfile was '~/attributes', is not set" },
	};
	struct tree t;
	size_t i;

	(void)state;
	make_repo("checkout");
	write_at("checkout", "text.txt", "a\n");
	commit_all("checkout", "a text");
	use("checkout", COUNT "cp text.txt made");
	t = open_well("checkout", "HEAD");
	assert_file(at("%s/made", t.path + strlen(fixture_root) + 1), "a\n");
	tree_close(&t);
	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		run("checkout", "sh", "-ec", steps[i].command);
		buf_reset(&told);
		t = open_well("checkout", "HEAD");
		assert_file(at("%s/made", t.path + strlen(fixture_root) + 1), steps[i].made);
		if (!strstr(buf_str(&told), steps[i].told))
			fail_msg("%s: %s", steps[i].command, buf_str(&told));
		tree_close(&t);
		t = open_well("checkout", "HEAD");
		assert_true(t.kept);
		tree_close(&t);
	}
	run("checkout", "sh", "-ec", "rm -r ~/.config; git config --global --unset core.eol");
}

static void what_a_killed_pawl_left_among_the_wrappers_goes(void **state)
{
	struct tree t;

	(void)state;
	start("wrappers", COUNT "true");
	t = open_well("wrappers", "HEAD");
	tree_close(&t);
	run("wrappers/.git/pawl", "sh", "-c",
	    "for d in trees/cc-*; do touch -d @1 $d/done.tmp.EfwmNm; : >$d/cc.tmp.EfwmNm; done");
	t = open_well("wrappers", "HEAD");
	tree_close(&t);
	run("wrappers/.git/pawl", "sh", "-c",
	    "! ls trees/cc-*/done.tmp.* 2>/dev/null && ls trees/cc-*/cc.tmp.EfwmNm && rm "
	    "trees/cc-*/cc.tmp.*");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* The first ones fork before this process is anybody. */
		cmocka_unit_test(a_submodule_that_came_later_is_built_in),
		cmocka_unit_test(a_file_of_lfs_that_came_later_is_built_in),
		cmocka_unit_test(a_tree_that_lacks_parts_serves_the_one_who_built_it),
		cmocka_unit_test(what_a_benchmark_added_is_gone),
		cmocka_unit_test(what_a_benchmark_changed_is_built_again),
		cmocka_unit_test(a_tree_in_use_is_not_cleared),
		cmocka_unit_test(damaged_notes_of_a_tree_build_it_again),
		cmocka_unit_test(how_git_checks_out_builds_again),
		cmocka_unit_test(what_a_killed_pawl_left_among_the_wrappers_goes),
	};

	return cmocka_run_group_tests(tests, trees_begin, trees_end);
}
