/* Committed files: what they say, in which line, and what they may not do. */
#include "tests/unit/test_git_fixture.h"

#include <sys/stat.h>

#include "lib/git/config/gitconfig.h"

#include "lib/base/banned.h"

static struct err fault_of(const char *text, size_t n)
{
	struct gitconfig c = GITCONFIG_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(file_write_whole(at(".pawlconfig"), text, n, 0644, &err), 0);
	if (!gitconfig_read_file(at(".pawlconfig"), &c, &err))
		fail_msg("accepted: %s", text);
	assert_int_equal(c.n, 0);
	gitconfig_release(&c);
	return err;
}

static void refused(const char *text, const char *want)
{
	struct err err = fault_of(text, strlen(text));

	assert_int_equal(err.code, ERR_CONFIG);
	assert_string_equal(err.text, want);
	assert_string_not_equal(err.hint, "");
}

static void is_entry(const struct gitconfig *c, size_t i, const char *key, const char *value,
		     int line)
{
	assert_true(i < c->n);
	assert_string_equal(c->v[i].key, key);
	if (value)
		assert_string_equal(c->v[i].value, value);
	else
		assert_null(c->v[i].value);
	assert_string_equal(c->v[i].origin, at(".pawlconfig"));
	assert_int_equal(c->v[i].line, line);
}

static void values_come_in_order_with_their_lines(void **state)
{
	static const char text[] = "\xef\xbb\xbf# first\r\n"
				   "; [include] in a comment is none\r\n"
				   "[pawl] threshold = 2% ; why\r\n"
				   "\trequirePush\n"
				   "\tbuild = make \\\n\t\t\"-j2 # not a comment\" \\\n all\n"
				   "[Benchmark \"De \\\"fl\\\\ate].x\"]\n"
				   "\tCommand = \"a b\" c # x \\\n"
				   "\tinput = 1\n\n\tinput = 2\n"
				   "[benchmark.Foo]command=q\n"
				   "[pawl]\n\truns = 5";
	struct gitconfig c = GITCONFIG_INIT;
	struct err err = ERR_INIT;

	(void)state;
	put(at(".pawlconfig"), text);
	if (gitconfig_read_file(at(".pawlconfig"), &c, &err))
		fail_msg("%s", err.text);
	assert_int_equal(c.n, 8);
	is_entry(&c, 0, "pawl.threshold", "2%", 3);
	is_entry(&c, 1, "pawl.requirepush", NULL, 4);
	assert_int_equal(c.v[2].line, 5);
	assert_non_null(strstr(c.v[2].value, "-j2 # not a comment"));
	is_entry(&c, 3, "benchmark.De \"fl\\ate].x.command", "a b c", 9);
	is_entry(&c, 4, "benchmark.De \"fl\\ate].x.input", "1", 10);
	is_entry(&c, 5, "benchmark.De \"fl\\ate].x.input", "2", 12);
	is_entry(&c, 6, "benchmark.foo.command", "q", 13);
	is_entry(&c, 7, "pawl.runs", "5", 15);
	gitconfig_release(&c);
}

static void reading_adds_to_what_is_there(void **state)
{
	struct gitconfig c = GITCONFIG_INIT;
	struct err err = ERR_INIT;

	(void)state;
	put(at(".pawlconfig"), "[pawl]\nruns = 3\n");
	assert_int_equal(gitconfig_read_file(at(".pawlconfig"), &c, &err), 0);
	assert_int_equal(gitconfig_read_file(at(".pawlconfig"), &c, &err), 0);
	assert_int_equal(c.n, 2);
	assert_int_equal(c.v[1].line, 2);
	put(at(".pawlconfig"), "[pawl]\nseed = 3\nruns\xff\n");
	assert_int_equal(gitconfig_read_file(at(".pawlconfig"), &c, &err), -1);
	assert_int_equal(c.n, 2);
	put(at(".pawlconfig"), "");
	assert_int_equal(gitconfig_read_file(at(".pawlconfig"), &c, &err), 0);
	assert_int_equal(c.n, 2);
	gitconfig_release(&c);
}

static void faults_name_file_and_line(void **state)
{
	(void)state;
	refused("[pawl]\nruns = 3\n[benchmark \"x\"\n\tcommand = 1\n",
		"'.pawlconfig' line 3: missing ']' in section header");
	refused("[pawl]\n\nru ns = 3\n", "'.pawlconfig' line 3: invalid configuration key");
	refused("[pawl]\nbuild = a\\\nb\nru_ns = 3\n",
		"'.pawlconfig' line 4: invalid configuration key");
	refused("# x\n[pawl]\nbuild = a\\qb\n",
		"'.pawlconfig' line 3: a backslash that quotes nothing");
	refused("[pawl]\nbuild = \"make\n\truns = 3\n",
		"'.pawlconfig' line 2: a double quote is not closed");
	refused("[ pawl]\nruns = 3\n",
		"'.pawlconfig' line 1: missing quotation marks in section header");
}

/* As git does (2.39): what it cannot read must not mean something to pawl. */
static void a_comment_after_a_bare_key_is_refused(void **state)
{
	(void)state;
	refused("[benchmark \"x\"]\n\tcache # c\n",
		"'.pawlconfig' line 2: a comment after a key without a value");
	refused("[benchmark \"x\"]\n\tcache;c\n",
		"'.pawlconfig' line 2: a comment after a key without a value");
}

static void what_git_takes_for_no_blank_is_none(void **state)
{
	struct gitconfig c = GITCONFIG_INIT;

	(void)state;
	refused("[pawl]\n\f\n", "'.pawlconfig' line 2: invalid configuration key");
	refused("[pawl]\n\vruns = 3\n", "'.pawlconfig' line 2: invalid configuration key");
	refused("[pawl]\n[]\n", "'.pawlconfig' line 2: a section without a name");
	put(at(".pawlconfig"), "[pawl]\n\tbuild = make\f \n");
	assert_int_equal(gitconfig_read_file(at(".pawlconfig"), &c, NULL), 0);
	is_entry(&c, 0, "pawl.build", "make\f", 2);
	gitconfig_release(&c);
}

static void nul_byte_is_refused_with_its_line(void **state)
{
	static const char text[] = "[pawl]\nruns = 3\0x\n";
	struct err err;

	(void)state;
	err = fault_of(text, sizeof(text) - 1);
	assert_int_equal(err.code, ERR_CONFIG);
	assert_string_equal(err.text, "'.pawlconfig' line 2: a NUL byte");
}

/* libgit2 follows each of these (tried with 1.5.1), so none may reach it. */
static void includes_are_refused_before_they_are_followed(void **state)
{
	static const struct {
		const char *text;
		int line;
	} cases[] = {
		{ "[include]\n\tpath = secret\n", 1 },
		{ "[INCLUDE]path=secret\n", 1 },
		{ "\xef\xbb\xbf[include]\npath=secret\n", 1 },
		{ "[pawl][include]\npath=secret\n", 1 },
		{ "[pawl] ; x\n  [iNclude]\npath=secret\n", 2 },
		{ "# \\\n[include]\npath=secret\n", 2 },
		{ "[pawl]\nruns = 3\n[includeIf \"gitdir:/\"]\npath=secret\n", 3 },
	};
	char want[128];
	size_t i;

	(void)state;
	put(at("secret"), "[pawl\n");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(want, sizeof(want),
			 "'.pawlconfig' line %d: a committed file may not include others",
			 cases[i].line);
		refused(cases[i].text, want);
	}
}

static void only_ordinary_files_of_bearable_size_are_read(void **state)
{
	struct gitconfig c = GITCONFIG_INIT;
	struct err err = ERR_INIT;
	char *big = malloc((2 << 20) + 1);

	(void)state;
	assert_int_equal(gitconfig_read_file(at("missing"), &c, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(mkfifo(at("pipe"), 0600), 0);
	assert_int_equal(gitconfig_read_file(at("pipe"), &c, &err), -1);
	assert_int_equal(err.code, ERR_CONFIG);
	assert_int_equal(symlink("/dev/zero", at("endless")), 0);
	assert_int_equal(gitconfig_read_file(at("endless"), &c, &err), -1);
	assert_int_equal(err.code, ERR_CONFIG);
	assert_int_equal(gitconfig_read_file(fixture_root, &c, &err), -1);
	assert_int_equal(err.code, ERR_CONFIG);
	memset(big, '\n', 2 << 20);
	big[2 << 20] = '\0';
	err = fault_of(big, 2 << 20);
	assert_int_equal(err.code, ERR_CONFIG);
	free(big);
	gitconfig_release(&c);
}

/* As a commit has it; the fault's code, or 0 for a value of pawl.runs. */
static int committed(struct repo *repo, const char *path, const char *runs, struct err *err)
{
	struct gitconfig c = GITCONFIG_INIT;
	int code = 0;

	*err = (struct err)ERR_INIT;
	if (gitconfig_read_committed(repo, "HEAD", path, &c, err)) {
		code = (int)err->code;
		assert_int_equal(c.n, 0);
	} else {
		assert_int_equal(c.n, 1);
		assert_string_equal(c.v[0].value, runs);
		assert_string_equal(c.v[0].origin, path);
		assert_int_equal(c.v[0].line, 2);
	}
	gitconfig_release(&c);
	return code;
}

static void a_committed_link_leads_where_it_does_in_a_work_tree(void **state)
{
	static const char *const links[][2] = {
		{ "conf/pawl", "linked" },
		{ "linked", "twice" },
		{ "conf", "folder" },
		{ "folder/pawl", "through" },
		{ "../linked", "conf/back" },
		{ "../elsewhere", "out" },
		{ "/etc/passwd", "absolute" },
		{ "gone", "dangling" },
		{ "loop", "loop" },
		{ "f/x", "file" },
	};
	struct repo *repo = NULL;
	struct err err = ERR_INIT;
	size_t i;

	(void)state;
	make_repo("links");
	run("links", "mkdir", "conf");
	put(at("links/conf/pawl"), "[pawl]\n\truns = 7\n");
	put(at("links/plain"), "[pawl]\n\truns = 5\n");
	for (i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		assert_int_equal(symlink(links[i][0], at("links/%s", links[i][1])), 0);
	run("links", "git", "add", "-A");
	run("links", "git", "commit", "-qm", "links");
	assert_int_equal(repo_open(at("links"), &repo, &err), 0);
	assert_int_equal(committed(repo, "plain", "5", &err), 0);
	assert_int_equal(committed(repo, "linked", "7", &err), 0);
	assert_int_equal(committed(repo, "twice", "7", &err), 0);
	assert_int_equal(committed(repo, "through", "7", &err), 0);
	assert_int_equal(committed(repo, "conf/back", "7", &err), 0);
	assert_int_equal(committed(repo, "out", NULL, &err), ERR_CONFIG);
	assert_string_equal(err.text, "'out' of HEAD is a link out of the commit");
	assert_string_not_equal(err.hint, "");
	assert_int_equal(committed(repo, "absolute", NULL, &err), ERR_CONFIG);
	assert_int_equal(committed(repo, "dangling", NULL, &err), ERR_CONFIG);
	assert_string_equal(err.text,
			    "'dangling' of HEAD is a link to nothing that the commit has");
	assert_int_equal(committed(repo, "loop", NULL, &err), ERR_CONFIG);
	assert_int_equal(committed(repo, "file", NULL, &err), ERR_CONFIG);
	assert_int_equal(committed(repo, "folder", NULL, &err), ERR_CONFIG);
	assert_string_equal(err.text, "'folder' of HEAD is not an ordinary file");
	assert_int_equal(committed(repo, "missing", NULL, &err), ERR_ABSENT);
	assert_int_equal(committed(repo, "conf/missing", NULL, &err), ERR_ABSENT);
	repo_close(repo);
}

/* Whatever the bytes: no crash, and a file that is accepted has a line for each value. */
static void every_cut_and_every_changed_byte_is_read_or_refused(void **state)
{
	static const char text[] = "[pawl]\n\truns = 3..4 # c\n\tbuild = \"a \\\" b\" \\\n c\n"
				   "[benchmark \"d\\\"e\"]\n\tcommand = x y\n\tcache\n";
	static const char odd[] = "\n\\\"[]#=;\xff\1 ";
	char copy[sizeof(text)];
	size_t i, k;

	(void)state;
	for (i = 0; i + 1 < sizeof(text); i++) {
		for (k = 0; k < sizeof(odd); k++) {
			struct gitconfig c = GITCONFIG_INIT;
			struct err err = ERR_INIT;
			size_t j;

			memcpy(copy, text, sizeof(text));
			copy[i] = odd[k];
			put(at(".pawlconfig"), copy);
			if (gitconfig_read_file(at(".pawlconfig"), &c, &err))
				assert_int_equal(err.code, ERR_CONFIG);
			for (j = 0; j < c.n; j++)
				if (!c.v[j].line)
					fail_msg("no line for '%s' of:\n%s", c.v[j].key, copy);
			gitconfig_release(&c);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_come_in_order_with_their_lines),
		cmocka_unit_test(reading_adds_to_what_is_there),
		cmocka_unit_test(faults_name_file_and_line),
		cmocka_unit_test(a_comment_after_a_bare_key_is_refused),
		cmocka_unit_test(what_git_takes_for_no_blank_is_none),
		cmocka_unit_test(nul_byte_is_refused_with_its_line),
		cmocka_unit_test(includes_are_refused_before_they_are_followed),
		cmocka_unit_test(only_ordinary_files_of_bearable_size_are_read),
		cmocka_unit_test(a_committed_link_leads_where_it_does_in_a_work_tree),
		cmocka_unit_test(every_cut_and_every_changed_byte_is_read_or_refused),
	};

	return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
