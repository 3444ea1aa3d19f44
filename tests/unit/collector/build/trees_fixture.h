/*
 * trees_fixture - commits of small real projects, built by tree_open().
 */
#ifndef PAWL_TESTS_UNIT_COLLECTOR_BUILD_TREES_FIXTURE_H
#define PAWL_TESTS_UNIT_COLLECTOR_BUILD_TREES_FIXTURE_H

#include "tests/unit/worktree_fixture.h"

#include "collector/build/trees.h"
#include "collector/child/child.h"
#include "collector/code/cache.h"

/* Its path and its line are in the program, through assert() and by itself. */
#define WORK_C \
	"#include <assert.h>\n#include <stdio.h>\n" \
	"int work(int n);\n" \
	"int work(int n)\n{\n\tassert(n < 1000);\n\treturn puts(__FILE__) + n;\n}\n"
#define MAIN_C \
	"int work(int n);\nint main(int c, char **v)\n{\n\t(void)v;\n\treturn work(c) < 0;\n}\n"

static struct config config;
static struct trees_request request;
static struct buf told;

static inline void tell(void *ctx, const char *text)
{
	(void)ctx;
	buf_addf(&told, "%s\n", text);
}

static inline void tell_warning(void *ctx, const char *text, const char *cure)
{
	(void)ctx;
	buf_addf(&told, "%s (%s)\n", text, cure ? cure : "");
}

static const struct talk trees_talk = { .warn = tell_warning, .note = tell };

static inline void write_at(const char *dir, const char *name, const char *text)
{
	put(at("%s/%s", dir, name), text);
}

static inline void commit_all(const char *dir, const char *message)
{
	run(dir, "git", "add", "-A");
	run(dir, "git", "commit", "-qm", message);
}

/* A repository with work.c and main.c; the caller adds what builds them. */
static inline void make_project(const char *dir)
{
	run(".", "git", "init", "-q", dir);
	write_at(dir, "work.c", WORK_C);
	write_at(dir, "main.c", MAIN_C);
}

/*
 * What another repository of this program was told of the compilers: they are asked and read once,
 * not for each.  Into a state folder, or out of one.
 */
static inline void share_memory(const char *state, bool in)
{
	static const char *const names[] = { "compilers", "compilers.sums" };
	char lent[FIXTURE_PATH], own[FIXTURE_PATH * 3];

	for (size_t i = 0; i < 2; i++) {
		struct buf text = BUF_INIT;

		snprintf(lent, sizeof(lent), "%s", at("%s", names[i]));
		snprintf(own, sizeof(own), "%s/%s", state, names[i]);
		if (!file_exists(in ? own : lent) &&
		    !file_read_whole(in ? lent : own, 1 << 20, &text, NULL) &&
		    !file_make_dirs(state, 0700, NULL))
			file_write_whole(in ? own : lent, text.data, text.len, 0600, NULL);
		buf_release(&text);
	}
}

/* Builds the commits of repository dir from now on, with this command (NULL: detected). */
static inline void use(const char *dir, const char *build)
{
	static char state[FIXTURE_PATH * 2];

	snprintf(state, sizeof(state), "%s", at("%s/.git/pawl", dir));
	config_release(&config);
	assert_int_equal(str_set(&config.build, build, NULL), 0);
	request = (struct trees_request){
		.repo = open_at(dir), .config = &config, .state_dir = state, .talk = &trees_talk
	};
	buf_reset(&told);
	share_memory(state, true);
}

static inline int open_rev(const char *dir, const char *rev, struct tree *out)
{
	int result;

	err_clear(&fault);
	result = tree_open(&request, id_of(dir, rev), NULL, out, &fault);
	share_memory(request.state_dir, false);
	return result;
}

static inline struct tree open_well(const char *dir, const char *rev)
{
	struct tree t = TREE_INIT;

	if (open_rev(dir, rev, &t))
		fail_msg("%s (%s)\n%s", fault.text, fault.hint, buf_str(&told));
	return t;
}

/* Whether a file of two trees is the same code, as bundle_of() sees it. */
static inline bool is_same_code(const struct tree *a, const struct tree *b, const char *exe)
{
	struct bundle x, y;
	char path[2][FIXTURE_PATH];
	bool same;

	snprintf(path[0], FIXTURE_PATH, "%s/%s", a->path, exe);
	snprintf(path[1], FIXTURE_PATH, "%s/%s", b->path, exe);
	if (bundle_of(path[0], NULL, &x, &fault) || bundle_of(path[1], NULL, &y, &fault))
		fail_msg("%s", fault.text);
	same = !strcmp(x.id, y.id);
	bundle_release(&x);
	bundle_release(&y);
	return same;
}

/* Each build adds a line to $HOME/builds. */
#define COUNT "echo x >>\"$HOME/builds\"; "

static inline size_t n_builds(void)
{
	struct buf text = BUF_INIT;
	size_t n;

	file_read_whole(at("home/builds"), 1 << 20, &text, NULL);
	n = text.len / 2;
	buf_release(&text);
	unlink(at("home/builds"));
	return n;
}

/* A repository of three commits and this build command. */
static inline void start(const char *dir, const char *build)
{
	make_repo(dir);
	use(dir, build);
	n_builds();
}

/* What is in the repository's folder of trees that is no lock and no wrapper. */
static inline size_t n_kept(const char *dir)
{
	struct buf out = BUF_INIT;
	char *argv[] = { (char[]){ "sh" }, (char[]){ "-c" },
			 (char[]){ "ls .git/pawl/trees | grep -vc '^cc-\\|lock$'" }, NULL };
	int status;
	size_t n;

	assert_int_equal(
		proc_capture(at("%s", dir), argv, 4096, UINT64_MAX, &out, NULL, &status, NULL), 0);
	n = strtoul(buf_str(&out), NULL, 10);
	buf_release(&out);
	return n;
}

static inline bool has_program(const char *name)
{
	if (!try_run(".", "sh", "-c", "command -v \"$1\" >/dev/null", "sh", name, NULL))
		return true;
	print_message("# skipped: there is no %s\n", name);
	return false;
}

#define NEEDS(program) \
	do { \
		if (!has_program(program)) \
			skip(); \
	} while (0)

static inline int trees_begin(void **state)
{
	static const char *const names[] = { "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS",
					     "MAKEFLAGS" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
	config_init(&config);
	child_adopt_orphans();
	return fixture_begin(state);
}

static inline int trees_end(void **state)
{
	config_release(&config);
	buf_release(&told);
	return worktree_end(state);
}

#endif
