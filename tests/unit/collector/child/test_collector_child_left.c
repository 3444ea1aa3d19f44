/* What cannot be started, and what a child leaves behind. */
#include "tests/unit/collector/child_fixture.h"

#include <elf.h>
#include <signal.h>
#include <sys/stat.h>

#include "lib/base/banned.h"

static char dir[] = "/tmp/pawl-left.XXXXXX";

static int make_dir(void **state)
{
	return rig_setup(state) || !mkdtemp(dir) ? -1 : 0;
}

static int remove_dir(void **state)
{
	return rig_teardown(state) || file_remove_tree(dir, NULL) ? -1 : 0;
}

#define in_dir(name) file_in(dir, name)

static void make_file(const char *name, const char *text, mode_t mode)
{
	assert_int_equal(0, file_write_whole(in_dir(name), text, strlen(text), mode, NULL));
}

/* Nothing was started, and the text says what and why. */
static void assert_refused(const char *name, enum err_code code, const char *reason)
{
	size_t before = count_descriptors();

	rig_start("exit", "0", NULL);
	rig.spec.exe = in_dir(name);
	assert_int_equal(-1, rig_run());
	assert_int_equal(code, rig.err.code);
	assert_non_null(strstr(rig.err.text, name));
	if (!strstr(rig.err.text, reason))
		fail_msg("'%s' does not say '%s'", rig.err.text, reason);
	assert_int_equal(before, count_descriptors());
	assert_no_children();
}

static void a_missing_program_is_named(void **state)
{
	(void)state;
	assert_refused("missing", ERR_CHILD, "No such file");
}

static void a_file_that_is_no_program_is_named(void **state)
{
	(void)state;
	make_file("plain", "text", 0644);
	assert_refused("plain", ERR_CHILD, "Permission denied");
	make_file("garbage", "\001\002\003\004 not a program", 0755);
	assert_refused("garbage", ERR_CHILD, "Exec format error");
	make_file("empty", "", 0755);
	assert_refused("empty", ERR_CHILD, "Exec format error");
	assert_int_equal(0, mkdir(in_dir("folder"), 0755));
	assert_refused("folder", ERR_CHILD, "Permission denied");
}

static void a_script_without_its_interpreter_is_named(void **state)
{
	(void)state;
	make_file("script", "#!/nonexistent/interpreter\necho hello\n", 0755);
	assert_refused("script", ERR_CHILD, "No such file");
}

static void a_program_of_another_processor_is_named(void **state)
{
	struct buf text = BUF_INIT;
	Elf64_Half other = EM_S390;

	(void)state;
	assert_int_equal(0, file_read_whole(rig.exe, 256u << 20, &text, NULL));
	memcpy(text.data + offsetof(Elf64_Ehdr, e_machine), &other, sizeof(other));
	assert_int_equal(0, file_write_whole(in_dir("s390"), text.data, text.len, 0755, NULL));
	buf_release(&text);
	assert_refused("s390", ERR_CHILD, "Exec format error");
}

static void a_setuid_program_is_refused(void **state)
{
	(void)state;
	assert_int_equal(0, file_copy(rig.exe, in_dir("setuid"), 0755, NULL));
	assert_int_equal(0, chmod(in_dir("setuid"), 04755));
	assert_refused("setuid", ERR_REFUSED, "setuid");
	assert_int_equal(0, chmod(in_dir("setuid"), 02755));
	assert_refused("setuid", ERR_REFUSED, "setgid");
	assert_string_not_equal("", rig.err.hint);
	assert_int_equal(0, chmod(in_dir("setuid"), 0755));
	rig_start("exit", "0", NULL);
	rig.spec.exe = in_dir("setuid");
	assert_int_equal(0, rig_run());
}

static void a_missing_folder_is_no_start(void **state)
{
	(void)state;
	rig_start("exit", "0", NULL);
	rig.spec.dir = in_dir("nowhere");
	assert_int_equal(-1, rig_run());
	assert_int_equal(ERR_CHILD, rig.err.code);
}

/* The pids that the fixture printed are all gone. */
static void assert_all_gone(size_t n)
{
	const char *text = buf_str(&rig.child.out.head);
	size_t seen = 0;
	char *end;

	for (; *text; text = end + 1, seen++) {
		long pid = strtol(text, &end, 10);

		assert_int_equal('\n', *end);
		assert_int_equal(-1, kill((pid_t)pid, 0));
		assert_int_equal(ESRCH, errno);
	}
	assert_int_equal(n, seen);
	assert_no_children();
}

static void daemons_in_sessions_of_their_own_are_killed(void **state)
{
	(void)state;
	run_fixture("daemons", "3", NULL);
	assert_int_equal(0, rig.result.exit_status);
	assert_int_equal(3, rig.result.n_left);
	assert_all_gone(3);
}

static void children_in_its_group_are_killed(void **state)
{
	(void)state;
	run_fixture("children", "5", NULL);
	assert_int_equal(0, rig.result.exit_status);
	assert_int_equal(5, rig.result.n_left);
	assert_all_gone(5);
}

/* More of them than one page of /proc/self/task/N/children can name. */
static void a_thousand_leftovers_are_all_killed(void **state)
{
	(void)state;
	run_fixture("daemons", "1000", NULL);
	assert_int_equal(0, rig.result.exit_status);
	assert_int_equal(1000, rig.result.n_left);
	assert_all_gone(1000);
}

static void what_ended_by_itself_is_not_counted(void **state)
{
	(void)state;
	run_fixture("zombie", NULL, NULL);
	assert_int_equal(0, rig.result.exit_status);
	assert_int_equal(0, rig.result.n_left);
	assert_no_children();
}

/* The leftovers hold its stdout: the end of the program is the end, not that of the stream. */
static void an_open_stdout_of_a_leftover_does_not_hang(void **state)
{
	(void)state;
	rig_start("daemons", "1", NULL);
	rig.spec.timeout_ns = 60000u * (uint64_t)MS;
	assert_int_equal(0, rig_run());
	assert_false(rig.result.timed_out);
	assert_int_equal(1, rig.result.n_left);
}

static void the_other_child_is_left_alone(void **state)
{
	struct child other = CHILD_INIT;
	struct child_result result;

	(void)state;
	rig_start("hang", NULL, NULL);
	assert_int_equal(0, child_start(&rig.spec, &other, &rig.err));
	rig_start("daemons", "2", NULL);
	assert_int_equal(0, child_start(&rig.spec, &rig.child, &rig.err));
	assert_int_equal(CHILD_DONE, child_poll(&rig.child, false));
	child_finish(&rig.child, &other, false, &rig.result);
	assert_int_equal(2, rig.result.n_left);
	assert_int_equal(0, kill(other.pid, 0));
	kill(other.pid, SIGKILL);
	child_finish(&other, NULL, false, &result);
	assert_int_equal(SIGKILL, result.signal);
	child_release(&other);
}

/* The one that runs is no orphan of the one that could not be started. */
static void a_failed_start_leaves_the_other_child_alone(void **state)
{
	struct child other = CHILD_INIT;
	struct child_result result;

	(void)state;
	rig_start("hang", NULL, NULL);
	assert_int_equal(0, child_start(&rig.spec, &other, &rig.err));
	rig_start("exit", "0", NULL);
	rig.spec.exe = in_dir("missing");
	assert_int_equal(-1, child_start(&rig.spec, &rig.child, &rig.err));
	assert_int_equal(0, waitpid(other.pid, NULL, WNOHANG));
	kill(other.pid, SIGKILL);
	child_finish(&other, NULL, false, &result);
	assert_int_equal(SIGKILL, result.signal);
	child_release(&other);
}

#define TEST(name) cmocka_unit_test_teardown(name, rig_release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_missing_program_is_named),
		TEST(a_file_that_is_no_program_is_named),
		TEST(a_script_without_its_interpreter_is_named),
		TEST(a_program_of_another_processor_is_named),
		TEST(a_setuid_program_is_refused),
		TEST(a_missing_folder_is_no_start),
		TEST(daemons_in_sessions_of_their_own_are_killed),
		TEST(children_in_its_group_are_killed),
		TEST(a_thousand_leftovers_are_all_killed),
		TEST(what_ended_by_itself_is_not_counted),
		TEST(an_open_stdout_of_a_leftover_does_not_hang),
		TEST(the_other_child_is_left_alone),
		TEST(a_failed_start_leaves_the_other_child_alone),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
