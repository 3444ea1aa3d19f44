/* Git's own configuration: its layers, their order, and what moves them. */
#include "tests/unit/test_git_fixture.h"

#include "lib/git/backend.h"
#include "lib/git/config/gitconfig.h"

#include "lib/base/banned.h"

/* All values as "origin key=value" lines. */
static char *listed(const struct git_backend *backend, const char *dir)
{
	struct gitconfig c = GITCONFIG_INIT;
	struct buf out = BUF_INIT;
	struct repo *repo = NULL;
	struct err err = ERR_INIT;
	size_t i;

	if (backend && repo_open_with(backend, at("%s", dir), &repo, &err))
		fail_msg("%s", err.text);
	if (gitconfig_read_git(repo, &c, &err))
		fail_msg("%s", err.text);
	for (i = 0; i < c.n; i++)
		buf_addf(&out, "%s %s=%s\n", c.v[i].origin, c.v[i].key,
			 c.v[i].value ? c.v[i].value : "(none)");
	gitconfig_release(&c);
	repo_close(repo);
	buf_addc(&out, '\0');
	return buf_detach(&out);
}

/* Both readers must list exactly this. */
static void lists(const char *dir, const char *want)
{
	char *one = listed(&backend_libgit2, dir), *two = listed(&backend_cli, dir);

	assert_string_equal(one, want);
	assert_string_equal(two, want);
	free(one);
	free(two);
}

static int begin(void **state)
{
	if (fixture_begin(state))
		return -1;
	make_repo("r");
	return 0;
}

static int end(void **state)
{
	unsetenv("GIT_CONFIG_KEY_0");
	unsetenv("GIT_CONFIG_VALUE_0");
	return fixture_end(state);
}

static void layers_come_lowest_first(void **state)
{
	(void)state;
	unsetenv("GIT_CONFIG_NOSYSTEM");
	put(at("system"), "[pawl]\n\truns = 2\n[other]\n\tx = y\n");
	setenv("GIT_CONFIG_SYSTEM", at("system"), 1);
	run(".", "mkdir", "-p", "home/.config/git");
	put(at("home/.config/git/config"), "[pawl]\n\truns = 3\n");
	run("r", "git", "config", "--file", at("home/.gitconfig"), "pawl.runs", "4");
	run("r", "git", "config", "pawl.Runs", "5");
	run("r", "git", "config", "core.repositoryformatversion", "1");
	run("r", "git", "config", "extensions.worktreeConfig", "true");
	run("r", "git", "worktree", "add", "-q", "--detach", "../linked");
	run("linked", "git", "config", "--worktree", "pawl.runs", "6");
	setenv("GIT_CONFIG_COUNT", "1", 1);
	setenv("GIT_CONFIG_KEY_0", "PAWL.runs", 1);
	setenv("GIT_CONFIG_VALUE_0", "7", 1);
	lists("linked", "system pawl.runs=2\nglobal pawl.runs=3\nglobal pawl.runs=4\n"
			"local pawl.runs=5\nworktree pawl.runs=6\ncommand pawl.runs=7\n");
	lists("r", "system pawl.runs=2\nglobal pawl.runs=3\nglobal pawl.runs=4\n"
		   "local pawl.runs=5\ncommand pawl.runs=7\n");
}

static void environment_moves_and_removes_files(void **state)
{
	(void)state;
	put(at("system"), "[pawl]\n\truns = 2\n");
	put(at("moved"), "[pawl]\n\truns = 8\n");
	setenv("GIT_CONFIG_SYSTEM", at("system"), 1);
	setenv("GIT_CONFIG_GLOBAL", at("moved"), 1);
	lists("r", "global pawl.runs=8\n");
	unsetenv("GIT_CONFIG_NOSYSTEM");
	lists("r", "system pawl.runs=2\nglobal pawl.runs=8\n");
	setenv("GIT_CONFIG_SYSTEM", at("missing"), 1);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	lists("r", "");
	unsetenv("GIT_CONFIG_GLOBAL");
	setenv("XDG_CONFIG_HOME", at("xdg"), 1);
	run(".", "mkdir", "-p", "xdg/git");
	put(at("xdg/git/config"), "[benchmark \"A b\"]\n\tcommand = x = y\n\tcache\n");
	lists("r", "global benchmark.A b.command=x = y\nglobal benchmark.A b.cache=(none)\n");
}

static void includes_of_the_user_are_followed(void **state)
{
	(void)state;
	put(at("home/more"), "[pawl]\n\truns = 9\n");
	make_repo("q");
	put(at("home/.gitconfig"), "[include]\n\tpath = more\n\tpath = missing\n"
				   "[includeIf \"gitdir:**/r/\"]\n\tpath = r-only\n");
	put(at("home/r-only"), "[pawl]\n\tseed = 1\n");
	lists("r", "global pawl.runs=9\nglobal pawl.seed=1\n");
	lists("q", "global pawl.runs=9\n");
}

static void values_with_line_ends_stay_whole(void **state)
{
	(void)state;
	run("r", "git", "config", "pawl.build", "make\nmake \"check\"\n");
	run("r", "git", "config", "benchmark.a.b=c.command", "x");
	lists("r", "local pawl.build=make\nmake \"check\"\n\nlocal benchmark.a.b=c.command=x\n");
}

static void parameters_of_git_c_come_last(void **state)
{
	(void)state;
	setenv("GIT_CONFIG_PARAMETERS",
	       "'pawl.runs'='11' 'PAWL.Build'='make '\\''x'\\''' 'pawl.requirePush' 'core.x=y' "
	       "'benchmark.De Fl.Command=old style'",
	       1);
	lists("r", "command pawl.runs=11\ncommand pawl.build=make 'x'\n"
		   "command pawl.requirepush=(none)\n"
		   "command benchmark.De Fl.command=old style\n");
}

static void git_itself_hands_parameters_down(void **state)
{
	char *parameters = git_says(".", "-c", "pawl.runs=12", "-c", "pawl.project=a b", "-c",
				    "alias.handed=!printenv GIT_CONFIG_PARAMETERS", "handed", NULL);

	(void)state;
	setenv("GIT_CONFIG_PARAMETERS", parameters, 1);
	free(parameters);
	lists("r", "command pawl.runs=12\ncommand pawl.project=a b\n");
}

static void wrong_parameters_are_refused(void **state)
{
	struct gitconfig c = GITCONFIG_INIT;
	struct err err = ERR_INIT;

	(void)state;
	setenv("GIT_CONFIG_PARAMETERS", "'pawl.runs", 1);
	assert_int_equal(gitconfig_read_git(NULL, &c, &err), -1);
	assert_int_equal(err.code, ERR_CONFIG);
	unsetenv("GIT_CONFIG_PARAMETERS");
	setenv("GIT_CONFIG_COUNT", "1000000", 1);
	assert_int_equal(gitconfig_read_git(NULL, &c, &err), -1);
	assert_string_equal(err.text, "GIT_CONFIG_COUNT: bad value '1000000'");
	setenv("GIT_CONFIG_COUNT", "1", 1);
	assert_int_equal(gitconfig_read_git(NULL, &c, &err), -1);
	assert_string_equal(err.text, "GIT_CONFIG_KEY_0 is not set");
	gitconfig_release(&c);
}

static void without_a_repository_only_the_user_s_files_count(void **state)
{
	char *text;

	(void)state;
	put(at("home/.gitconfig"), "[pawl]\n\tserver = https://a\n[pawl \"hook\"]\n\tblock\n");
	run("r", "git", "config", "pawl.runs", "5");
	text = listed(NULL, NULL);
	assert_string_equal(text, "global pawl.server=https://a\nglobal pawl.hook.block=(none)\n");
	free(text);
}

static void damaged_file_of_the_user_is_named_with_its_line(void **state)
{
	struct gitconfig c = GITCONFIG_INIT;
	struct err err = ERR_INIT;

	(void)state;
	put(at("home/.gitconfig"), "[pawl]\n\nruns 3\n");
	assert_int_equal(gitconfig_read_git(NULL, &c, &err), -1);
	assert_int_equal(err.code, ERR_CONFIG);
	assert_non_null(strstr(err.text, "home/.gitconfig' line 3: invalid configuration key"));
	assert_int_equal(c.n, 0);
	gitconfig_release(&c);
}

/* git reads it where a remote has that address; libgit2 passes it over without a word. */
static void settings_behind_a_condition_that_is_not_known_are_not_lost(void **state)
{
	struct gitconfig c = GITCONFIG_INIT;
	struct err err = ERR_INIT;

	(void)state;
	put(at("home/.gitconfig"), "[includeIf \"hasconfig:remote.*.url:https://example.org/**\"]\n"
				   "\tpath = there\n");
	put(at("home/there"), "[user]\n\tname = x\n");
	lists("r", ""); /* what is none of ours may be there */
	put(at("home/there"), "[user]\n\tname = x\n[pawl \"hook\"]\n\tblock = true\n");
	assert_int_equal(gitconfig_read_git(NULL, &c, &err), -1);
	assert_int_equal(err.code, ERR_CONFIG);
	assert_non_null(strstr(err.text, "home/there' has settings of pawl"));
	assert_non_null(strstr(err.text, "home/.gitconfig' includes it by 'hasconfig:'"));
	gitconfig_release(&c);
}

static void sha256_repository_has_its_layers_too(void **state)
{
	struct gitconfig c = GITCONFIG_INIT;
	struct repo *repo = NULL;
	struct err err = ERR_INIT;

	(void)state;
	run(".", "git", "init", "-q", "--object-format=sha256", "wide");
	run("wide", "git", "config", "pawl.runs", "5");
	assert_int_equal(repo_open(at("wide"), &repo, &err), 0);
	assert_int_equal(gitconfig_read_git(repo, &c, &err), 0);
	assert_int_equal(c.n, 1);
	assert_string_equal(c.v[0].value, "5");
	gitconfig_release(&c);
	repo_close(repo);
}

#define LAYER_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LAYER_TEST(layers_come_lowest_first),
		LAYER_TEST(environment_moves_and_removes_files),
		LAYER_TEST(includes_of_the_user_are_followed),
		LAYER_TEST(values_with_line_ends_stay_whole),
		LAYER_TEST(parameters_of_git_c_come_last),
		LAYER_TEST(git_itself_hands_parameters_down),
		LAYER_TEST(wrong_parameters_are_refused),
		LAYER_TEST(without_a_repository_only_the_user_s_files_count),
		LAYER_TEST(damaged_file_of_the_user_is_named_with_its_line),
		LAYER_TEST(settings_behind_a_condition_that_is_not_known_are_not_lost),
		LAYER_TEST(sha256_repository_has_its_layers_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
