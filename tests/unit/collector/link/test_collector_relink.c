/* Which linker it is: asked of the file itself, as often as that may have changed. */
#include "tests/unit/collector/layout/layout_fixture.h"

#include <sys/stat.h>

#include "collector/link/relink.h"

#include "lib/base/banned.h"

/* A linker that says that it is that one, and notes every start. */
static void write_linker(const char *says)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "#!/bin/sh\necho x >>started\necho '%s'\n", says);
	assert_int_equal(buf_check(&text, NULL), 0);
	assert_int_equal(file_write_whole(in_workshop("linker"), text.data, text.len, 0700, NULL),
			 0);
	buf_release(&text);
}

static enum linker ask(const char *environment)
{
	struct link l = LINK_INIT;
	enum linker found = LINKER_OTHER;
	struct err err = ERR_INIT;

	l.linker = str_dup(in_workshop("linker"), NULL);
	l.folder = str_dup(workshop, NULL);
	l.env = words_of(environment);
	if (relink_linker(&l, &found, &err))
		fail_msg("%s", err.text);
	link_release(&l);
	return found;
}

static size_t n_starts(void)
{
	struct stat st;

	return stat(in_workshop("started"), &st) ? 0 : (size_t)st.st_size / 2;
}

static void a_linker_is_asked_again_where_it_may_be_another(void **state)
{
	(void)state;
	write_linker("GNU ld (GNU Binutils) 2.40");
	assert_int_equal(ask("PATH=/bin A=1"), LINKER_GNU);
	assert_int_equal(ask("PATH=/bin A=1"), LINKER_GNU);
	assert_int_equal(n_starts(), 1);
	assert_int_equal(ask("PATH=/bin A=2"), LINKER_GNU);
	assert_int_equal(ask("PATH=/bin A=1"), LINKER_GNU); /* both sides in turns */
	assert_int_equal(n_starts(), 2);
	write_linker("mold 2.0 (compatible with GNU ld)");
	assert_int_equal(ask("PATH=/bin A=2"), LINKER_MOLD);
	assert_int_equal(n_starts(), 3);
}

static void a_linker_that_fails_is_asked_again(void **state)
{
	struct link l = LINK_INIT;
	enum linker found;
	struct err err = ERR_INIT;

	(void)state;
	l.linker = str_dup(in_workshop("gone"), NULL);
	l.folder = str_dup(workshop, NULL);
	for (int i = 0; i < 2; i++)
		assert_int_equal(relink_linker(&l, &found, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	link_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_linker_is_asked_again_where_it_may_be_another),
		cmocka_unit_test(a_linker_that_fails_is_asked_again),
	};

	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
