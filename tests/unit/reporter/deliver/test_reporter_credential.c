/* Unit tests of reporter/deliver/credential.c, with credential helpers made for the occasion. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/file.h"
#include "reporter/deliver/credential.h"

#include "lib/base/banned.h"

#define SERVER "https://results.example:8443/team/pawl"

static char folder[64];
static char *token;
static struct err err;

static const char *at(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

/* Makes a program that git may call; the folder's path is its $1. */
static void write_script(const char *name, const char *body)
{
	char text[1024];

	snprintf(text, sizeof(text), "#!/bin/sh\nset -- %s \"$@\"\n%s\n", folder, body);
	assert_int_equal(file_write_whole(at(name), text, strlen(text), 0755, NULL), 0);
}

static void write_config(const char *extra)
{
	char text[512];

	snprintf(text, sizeof(text), "[credential]\n\thelper = %s/helper\n%s\n", folder, extra);
	assert_int_equal(file_write_whole(at("config"), text, strlen(text), 0600, NULL), 0);
}

/* git sees nothing of this machine's set-up, and every way to ask a person leaves a mark. */
static int isolate(void **state)
{
	(void)state;
	err_clear(&err);
	token = NULL;
	snprintf(folder, sizeof(folder), "/tmp/pawl-credential.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	write_script("ask", "touch $1/asked; echo typed");
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CONFIG_GLOBAL", at("config"), 1);
	setenv("GIT_CEILING_DIRECTORIES", "/tmp", 1);
	setenv("GIT_ASKPASS", at("ask"), 1);
	setenv("SSH_ASKPASS", at("ask"), 1);
	return 0;
}

static int clean(void **state)
{
	(void)state;
	credential_free(token);
	return file_remove_tree(folder, NULL);
}

static int ask(const char *given)
{
	int result = credential_token(given, SERVER, folder, &token, &err);

	assert_false(file_exists(at("asked")));
	return result;
}

static void a_given_token_is_taken_without_asking_git(void **state)
{
	(void)state;
	write_script("helper", "touch $1/called");
	write_config("");
	assert_int_equal(ask("t0ken"), 0);
	assert_string_equal(token, "t0ken");
	assert_false(file_exists(at("called")));
}

static void a_helper_is_asked_about_this_server(void **state)
{
	struct buf heard = BUF_INIT;

	(void)state;
	write_script("helper",
		     "[ \"$2\" = get ] && cat >$1/heard && printf 'username=u\\npassword=h3lp\\n'");
	write_config("\tuseHttpPath = true");
	assert_int_equal(ask(NULL), 0);
	assert_string_equal(token, "h3lp");
	assert_int_equal(file_read_whole(at("heard"), 4096, &heard, NULL), 0);
	assert_non_null(strstr(heard.data, "protocol=https\n"));
	assert_non_null(strstr(heard.data, "host=results.example:8443\n"));
	assert_non_null(strstr(heard.data, "path=team/pawl\n"));
	buf_release(&heard);
}

static void an_empty_given_token_counts_as_none(void **state)
{
	(void)state;
	write_script("helper", "printf 'username=u\\npassword=h3lp\\n'");
	write_config("");
	assert_int_equal(ask(""), 0);
	assert_string_equal(token, "h3lp");
}

static void no_helper_means_no_token_and_no_question(void **state)
{
	char askpass[256];

	(void)state;
	snprintf(askpass, sizeof(askpass), "[core]\n\taskPass = %s\n", at("ask"));
	assert_int_equal(file_write_whole(at("config"), askpass, strlen(askpass), 0600, NULL), 0);
	assert_int_equal(ask(NULL), 0);
	assert_null(token);
}

static void a_helper_that_fails_or_knows_half_means_no_token(void **state)
{
	static const char *const bodies[] = { "exit 1",
					      "printf 'username=u\\n'",
					      "kill -9 $$",
					      "printf 'username=u\\npassword=\\n'",
					      "printf 'quit=1\\n'",
					      "yes | head -c 100000" };
	size_t i;

	(void)state;
	write_config("");
	for (i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		write_script("helper", bodies[i]);
		assert_int_equal(ask(NULL), 0);
		if (token)
			fail_msg("'%s' gave '%s'", bodies[i], token);
	}
}

static void a_token_of_two_words_is_refused_and_not_repeated(void **state)
{
	(void)state;
	assert_int_equal(ask("s3cret word"), -1);
	assert_int_equal(err.code, ERR_CONFIG);
	assert_null(strstr(err.text, "s3cret"));
	assert_non_null(strstr(err.text, "PAWL_TOKEN"));
	assert_int_equal(ask("s3cret\r\nX-Evil: 1"), -1);
	write_script("helper", "printf 'username=u\\npassword=s3cret w\\n'");
	write_config("");
	assert_int_equal(ask(NULL), -1);
	assert_null(strstr(err.text, "s3cret"));
	assert_null(token);
}

static void an_address_that_cannot_be_read_is_an_error(void **state)
{
	(void)state;
	assert_int_equal(credential_token(NULL, "ftp://h", folder, &token, &err), -1);
	assert_int_equal(err.code, ERR_CONFIG);
	assert_int_equal(credential_token(NULL, "https://h\nhost=evil", folder, &token, &err), -1);
	assert_null(token);
}

static void without_git_there_is_no_token(void **state)
{
	char *path = strdup(getenv("PATH"));

	(void)state;
	assert_non_null(path);
	setenv("PATH", folder, 1);
	assert_int_equal(ask(NULL), 0);
	setenv("PATH", path, 1);
	free(path);
	assert_null(token);
}

/* An answer that is too long ends it, as does one that does not come. */
static void of_a_helper_that_is_ended_the_daemon_lives_on(void **state)
{
	struct buf number = BUF_INIT;
	pid_t daemon;

	(void)state;
	write_script("helper", "setsid sh -c \"echo >$1/runs; exec sleep 1000\" >$1/said 2>&1 &\n"
			       "echo $! >$1/number\n"
			       "until [ -s $1/runs ]; do sleep 0.01; done\n"
			       "printf 'username=u\\npassword=%070000d\\n' 0");
	write_config("");
	assert_int_equal(ask(NULL), 0);
	assert_null(token);
	assert_int_equal(file_read_whole(at("number"), 64, &number, NULL), 0);
	daemon = (pid_t)strtol(number.data, NULL, 10);
	buf_release(&number);
	assert_true(daemon > 0);
	assert_int_equal(kill(daemon, SIGKILL), 0);
}

#define ALONE(f) cmocka_unit_test_setup_teardown(f, isolate, clean)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ALONE(a_given_token_is_taken_without_asking_git),
		ALONE(a_helper_is_asked_about_this_server),
		ALONE(an_empty_given_token_counts_as_none),
		ALONE(no_helper_means_no_token_and_no_question),
		ALONE(a_helper_that_fails_or_knows_half_means_no_token),
		ALONE(a_token_of_two_words_is_refused_and_not_repeated),
		ALONE(an_address_that_cannot_be_read_is_an_error),
		ALONE(without_git_there_is_no_token),
		ALONE(of_a_helper_that_is_ended_the_daemon_lives_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
