/* How a child ends, how much is kept of what it prints, and what it gets from us. */
#include "tests/unit/collector/child_fixture.h"

#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>

#include "lib/process/stop.h"
#include "tests/helpers/fixture.h"

#include "lib/base/banned.h"

static void its_exit_status_comes_back(void **state)
{
	(void)state;
	run_fixture("exit", "0", NULL);
	assert_int_equal(0, rig.result.exit_status);
	assert_int_equal(0, rig.result.signal);
	assert_false(rig.result.timed_out);
	child_release(&rig.child);
	run_fixture("exit", "255", NULL);
	assert_int_equal(255, rig.result.exit_status);
	assert_string_equal("exited with status 255", explained());
}

static void its_signal_comes_back_by_name(void **state)
{
	(void)state;
	run_fixture("signal", "11", NULL);
	assert_int_equal(SIGSEGV, rig.result.signal);
	assert_string_equal("was killed by SIGSEGV", explained());
}

static void usage_is_that_of_the_child(void **state)
{
	(void)state;
	run_fixture("burn", "50", NULL);
	assert_true(rig.result.cpu_ns >= 50 * MS);
	assert_true(rig.result.wall_ns >= 50 * MS);
	assert_true(rig.result.max_rss_bytes > 0);
	assert_true(rig.result.minor_faults > 0);
	child_release(&rig.child);
	run_fixture("exit", "0", NULL);
	assert_true(rig.result.cpu_ns < 50 * MS); /* of this one alone */
}

/* What we waited for a processor before we slept is no lateness: it worked meanwhile. */
static void it_lasts_no_less_than_it_worked(void **state)
{
	double least;

	(void)state;
	rig_start("burn", "50", NULL);
	assert_int_equal(0, child_start(&rig.spec, &rig.child, &rig.err));
	assert_int_equal(CHILD_DONE, child_poll(&rig.child, false));
	rig.child.late_ns = 1e9;
	child_finish(&rig.child, NULL, false, &rig.result);
	if (!isfinite(rig.result.main_delay_ns)) {
		print_message("# skipped: this kernel has no schedstat\n");
		skip();
	}
	least = rig.result.main_cpu_ns + rig.result.main_delay_ns;
	assert_true((double)rig.result.wall_ns >= least - 1);
	assert_true((double)rig.result.wall_ns >= 50 * MS - 1);
}

/* SIGTERM is ignored, once it has got that far: after the grace comes SIGKILL. */
static void a_hanging_child_is_killed_at_its_deadline(void **state)
{
	(void)state;
	rig.result.signal = 0;
	for (uint64_t ns = 50 * MS; ns < 60000 * MS && rig.result.signal != SIGKILL; ns *= 10) {
		child_release(&rig.child);
		rig_start("hang", NULL, NULL);
		rig.spec.timeout_ns = ns;
		assert_int_equal(0, rig_run());
		assert_true(rig.result.timed_out);
		assert_true(rig.result.wall_ns >= ns);
	}
	assert_int_equal(SIGKILL, rig.result.signal);
}

static void a_stopped_child_is_ended_at_its_deadline(void **state)
{
	(void)state;
	rig_start("stop", NULL, NULL);
	rig.spec.timeout_ns = 50 * MS;
	assert_int_equal(0, rig_run());
	assert_true(rig.result.timed_out);
	assert_int_equal(SIGTERM, rig.result.signal);
	assert_string_equal("ran longer than its timeout of 50.0 ms", explained());
}

static void endless_output_does_not_hide_the_deadline(void **state)
{
	uint64_t n_bytes = 0;

	(void)state;
	for (uint64_t ns = 100 * MS; ns < 60000 * MS && n_bytes <= 65536; ns *= 10) {
		child_release(&rig.child);
		rig_start("flood", NULL, NULL);
		rig.spec.timeout_ns = ns;
		assert_int_equal(0, rig_run());
		assert_true(rig.result.timed_out);
		n_bytes = rig.child.out.n_bytes;
	}
	assert_true(n_bytes > 65536);
}

static void a_stop_signal_ends_the_child(void **state)
{
	(void)state;
	rig_start("hang", NULL, NULL);
	stop_signal = SIGINT;
	assert_int_equal(-1, rig_run());
	stop_signal = 0;
	assert_int_equal(ERR_STOPPED, rig.err.code);
}

/* The first 32 KiB and the last 32 KiB of n bytes, exactly. */
static void check_stream(const struct stream *s, uint64_t n)
{
	uint64_t first = n < CHILD_OUTPUT_HEAD ? n : CHILD_OUTPUT_HEAD;
	uint64_t last = n - first < CHILD_OUTPUT_TAIL ? n - first : CHILD_OUTPUT_TAIL, i;

	assert_int_equal(n, s->n_bytes);
	assert_int_equal(first, s->head.len);
	assert_int_equal(last, s->tail.len);
	for (i = 0; i < first; i++)
		assert_int_equal(fixture_byte(i), s->head.data[i]);
	for (i = 0; i < last; i++)
		assert_int_equal(fixture_byte(n - last + i), s->tail.data[i]);
}

static void start_and_end_of_the_output_are_kept_exactly(void **state)
{
	static const uint64_t sizes[] = { 0,	 1,	32767, 32768, 32769,   65535,	65536,
					  65537, 98304, 98305, 98317, 1000003, 16777259 };
	char text[32];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		snprintf(text, sizeof(text), "%llu", (unsigned long long)sizes[i]);
		run_fixture("print", text, text);
		assert_int_equal(0, rig.result.exit_status);
		check_stream(&rig.child.out, sizes[i]);
		check_stream(&rig.child.errors, sizes[i]);
		child_release(&rig.child);
	}
}

static void a_gigabyte_of_output_takes_bounded_memory(void **state)
{
	(void)state;
	/* A sixteenth of it is as far above what may be kept. */
	bool is_long = getenv("PAWL_TEST_SLOW");

	run_fixture("print", is_long ? "1073741824" : "67108864", NULL);
	assert_int_equal(0, rig.result.exit_status);
	check_stream(&rig.child.out, is_long ? 1073741824 : 67108864);
	assert_true(rig.child.out.tail.cap <= 4 * CHILD_OUTPUT_TAIL);
	assert_true(rig.child.out.head.cap <= 4 * CHILD_OUTPUT_HEAD);
}

static void output_can_go_to_a_file(void **state)
{
	char path[] = "/tmp/pawl-child.XXXXXX";
	int fd = mkstemp(path);
	struct buf text = BUF_INIT;

	(void)state;
	assert_true(fd >= 0);
	rig_start("print", "70000", "5");
	rig.spec.output_fd = fd;
	assert_int_equal(0, rig_run());
	close(fd);
	assert_int_equal(0, file_read_whole(path, 1 << 20, &text, NULL));
	unlink(path);
	assert_int_equal(70005, text.len);
	assert_int_equal(0, rig.child.out.n_bytes + rig.child.errors.n_bytes);
	buf_release(&text);
}

static const char *shown(const char *line)
{
	const char *text = buf_str(&rig.child.out.head);
	char whole[300];

	snprintf(whole, sizeof(whole), "%s\n", line);
	return strstr(text, whole);
}

static int count_shown(const char *start)
{
	const char *text = buf_str(&rig.child.out.head);
	int n = 0;

	for (; text; text = strchr(text, '\n'), text = text ? text + 1 : NULL)
		n += !strncmp(text, start, strlen(start));
	return n;
}

static void it_gets_exactly_the_environment_it_was_given(void **state)
{
	static char one[] = "ONE=1", empty[] = "EMPTY=";

	(void)state;
	rig_start("show", NULL, NULL);
	rig.env[0] = one;
	rig.env[1] = empty;
	assert_int_equal(0, rig_run());
	rig.env[0] = rig.env[1] = NULL;
	assert_int_equal(0, rig.result.exit_status);
	assert_int_equal(2, count_shown("env "));
	assert_non_null(shown("env ONE=1"));
	assert_non_null(shown("env EMPTY="));
}

static void it_runs_in_its_folder(void **state)
{
	(void)state;
	rig_start("show", NULL, NULL);
	rig.spec.dir = "/proc/self/../sys"; /* not ours, and not a plain path */
	assert_int_equal(0, rig_run());
	assert_non_null(shown("dir /proc/sys"));
}

/* Whatever we hold open, with or without close-on-exec, high or low. */
static void it_inherits_descriptors_0_to_2_and_no_other(void **state)
{
	int low = open("/dev/null", O_RDONLY), high = fcntl(low, F_DUPFD, 700);

	(void)state;
	assert_true(low >= 0 && high >= 700);
	run_fixture("show", NULL, NULL);
	close(low);
	close(high);
	assert_int_equal(3, count_shown("fd "));
	assert_non_null(shown("fd 0"));
	assert_non_null(shown("fd 1"));
	assert_non_null(shown("fd 2"));
}

/* Started from a hook or a service, we may lack them ourselves. */
static void it_gets_its_descriptors_when_ours_are_closed(void **state)
{
	int saved[3], i;

	(void)state;
	rig_start("show", NULL, NULL);
	for (i = 0; i < 3; i++) {
		saved[i] = fcntl(i, F_DUPFD_CLOEXEC, 100);
		close(i);
	}
	rig.spec.record = true;
	i = rig_run();
	for (int k = 0; k < 3; k++) {
		dup2(saved[k], k);
		close(saved[k]);
	}
	assert_int_equal(0, i);
	assert_int_equal(0, rig.result.exit_status);
	assert_int_equal(4, count_shown("fd "));
	assert_non_null(shown("fd 3"));
}

static void the_record_socket_is_descriptor_3(void **state)
{
	char text[16] = "";

	(void)state;
	rig_start("records", "hello", "@wait");
	rig.spec.record = true;
	assert_int_equal(0, child_start(&rig.spec, &rig.child, &rig.err));
	assert_int_equal(CHILD_RECORD, child_poll(&rig.child, true));
	assert_int_equal(6, read(rig.child.record_fd, text, sizeof(text) - 1));
	assert_string_equal("hello\n", text);
	assert_int_equal(1, write(rig.child.record_fd, "g", 1));
	assert_int_equal(CHILD_DONE, child_poll(&rig.child, false));
	child_finish(&rig.child, NULL, false, &rig.result);
	assert_int_equal(0, rig.result.exit_status);
}

static void it_is_pinned_to_its_processor(void **state)
{
	cpu_set_t set;
	char line[32];
	int cpu;

	(void)state;
	assert_int_equal(0, sched_getaffinity(0, sizeof(set), &set));
	for (cpu = CPU_SETSIZE - 1; !CPU_ISSET((size_t)cpu, &set); cpu--)
		;
	rig_start("show", NULL, NULL);
	rig.spec.cpu = cpu;
	assert_int_equal(0, rig_run());
	snprintf(line, sizeof(line), "cpu %d", cpu);
	assert_int_equal(1, count_shown("cpu "));
	assert_non_null(shown(line));
	child_release(&rig.child);
	run_fixture("show", NULL, NULL);
	assert_int_equal(CPU_COUNT(&set), count_shown("cpu "));
}

/* We are a batch job until its exec, where it works on several processors. */
static void it_has_our_scheduling_policy(void **state)
{
	static const int policies[] = { SCHED_BATCH, SCHED_OTHER };
	const struct sched_param none = { 0 };
	char line[32];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
		assert_int_equal(0, sched_setscheduler(0, policies[i], &none));
		rig_start("show", NULL, NULL);
		rig.spec.spreads = true;
		assert_int_equal(0, rig_run());
		snprintf(line, sizeof(line), "policy %d", policies[i]);
		assert_non_null(shown(line));
		assert_int_equal(policies[i], sched_getscheduler(0));
		child_release(&rig.child);
		rig_start("no-such-mode", NULL, NULL);
		rig.spec.spreads = true;
		rig.spec.exe = "/nonexistent/program";
		assert_int_equal(-1, rig_run());
		assert_int_equal(policies[i], sched_getscheduler(0));
	}
}

/*
 * It starts on our processor and goes to another one, for which it waits: that switch is none of
 * its own, and the one that ends it is all that a computation has.  The fixture's own start may
 * wait, for a file or for memory, but not each time.
 */
static void the_way_to_its_processor_is_no_waiting(void **state)
{
	/* A sanitizer that looks for leaks at the end waits for its own thread. */
	static char no_look[] = "ASAN_OPTIONS=detect_leaks=0";
	int i, cpu = 0, n_more = 0;
	cpu_set_t all, one;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	if (CPU_COUNT(&all) < 2) {
		print_message("# skipped: there is one processor\n");
		skip();
	}
	while (!CPU_ISSET(cpu, &all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	do
		cpu++;
	while (!CPU_ISSET(cpu, &all));
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	for (i = 0; i < 20; i++) {
		rig_start("burn", "1", NULL);
		rig.spec.env = (char *[]){ no_look, NULL };
		rig.spec.cpu = cpu;
		assert_int_equal(0, rig_run());
		n_more += rig.result.voluntary_switches > 1;
		child_release(&rig.child);
	}
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
	assert_in_range(n_more, 0, 9);
}

static void two_hundred_runs_leave_nothing_behind(void **state)
{
	size_t before;
	int i;

	(void)state;
	run_fixture("exit", "0", NULL); /* two empty files are kept for the next one */
	child_release(&rig.child);
	before = count_descriptors();
	for (i = 0; i < 200; i++) {
		rig_start("exit", "0", NULL);
		rig.spec.record = i % 2;
		if (i % 10 == 9)
			rig.spec.exe = "/nonexistent/program";
		assert_int_equal(i % 10 == 9 ? -1 : 0, rig_run());
		child_release(&rig.child);
	}
	assert_int_equal(before, count_descriptors());
	assert_no_children();
}

#define TEST(name) cmocka_unit_test_teardown(name, rig_release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(its_exit_status_comes_back),
		TEST(its_signal_comes_back_by_name),
		TEST(usage_is_that_of_the_child),
		TEST(it_lasts_no_less_than_it_worked),
		TEST(a_hanging_child_is_killed_at_its_deadline),
		TEST(a_stopped_child_is_ended_at_its_deadline),
		TEST(endless_output_does_not_hide_the_deadline),
		TEST(a_stop_signal_ends_the_child),
		TEST(start_and_end_of_the_output_are_kept_exactly),
		TEST(a_gigabyte_of_output_takes_bounded_memory),
		TEST(output_can_go_to_a_file),
		TEST(it_gets_exactly_the_environment_it_was_given),
		TEST(it_runs_in_its_folder),
		TEST(it_inherits_descriptors_0_to_2_and_no_other),
		TEST(it_gets_its_descriptors_when_ours_are_closed),
		TEST(the_record_socket_is_descriptor_3),
		TEST(it_is_pinned_to_its_processor),
		TEST(it_has_our_scheduling_policy),
		TEST(the_way_to_its_processor_is_no_waiting),
		TEST(two_hundred_runs_leave_nothing_behind),
	};

	return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
