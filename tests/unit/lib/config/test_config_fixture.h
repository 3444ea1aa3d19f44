/*
 * test_config_fixture - a repository whose configuration is loaded, and the warnings of it.
 */
#ifndef PAWL_TESTS_UNIT_CONFIG_TEST_CONFIG_FIXTURE_H
#define PAWL_TESTS_UNIT_CONFIG_TEST_CONFIG_FIXTURE_H

#include "tests/unit/test_git_fixture.h"

#include "lib/config/config.h"

static struct repo *repo;
static struct config c;
static struct buf warnings;

static void note_warning(void *ctx, const char *text, const char *cure)
{
	(void)ctx;
	buf_addf(&warnings, "%s (%s)\n", text, cure);
}

static const struct talk talk = { .warn = note_warning };

static int begin(void **state)
{
	if (fixture_begin(state))
		return -1;
	run(".", "git", "init", "-q", "r");
	config_init(&c);
	return repo_open(at("r"), &repo, NULL);
}

static int end(void **state)
{
	static const char *const names[] = { "RUNS",   "THRESHOLD", "MIN_TIME",
					     "SERVER", "TOKEN",	    "PROJECT",
					     "BUILD",  "SEED",	    "CONFIDENCE" };
	char name[64];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(name, sizeof(name), "PAWL_%s", names[i]);
		unsetenv(name);
	}
	config_release(&c);
	buf_release(&warnings);
	repo_close(repo);
	repo = NULL;
	return fixture_end(state);
}

static void load(void)
{
	struct err err = ERR_INIT;

	config_release(&c);
	if (config_load(repo, &talk, &c, &err))
		fail_msg("%s (%s)", err.text, err.hint);
}

__attribute__((unused)) static void loads(const char *text)
{
	put(at("r/.pawlconfig"), text);
	load();
}

__attribute__((unused)) static void load_fails(const char *text, const char *hint)
{
	struct err err = ERR_INIT;

	config_release(&c);
	assert_int_equal(config_load(repo, &talk, &c, &err), -1);
	assert_int_equal(err.code, ERR_CONFIG);
	assert_string_equal(err.text, text);
	assert_string_equal(err.hint, hint);
	assert_null(c.benchmarks);
}

/* The committed file fails with "'.pawlconfig' line LINE: TEXT" and that hint. */
__attribute__((unused)) static void refuses(const char *file, int line, const char *text,
					    const char *hint)
{
	char want[1024];

	put(at("r/.pawlconfig"), file);
	snprintf(want, sizeof(want), "'.pawlconfig' line %d: %s", line, text);
	load_fails(want, hint);
}

#endif
