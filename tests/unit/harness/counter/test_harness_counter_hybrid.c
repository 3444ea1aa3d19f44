#include "tests/unit/harness/test_harness_kernel.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/counter/child.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

/* A tree such as /sys/bus/event_source/devices, made by each test. */
static char root[32];
static struct counter_calls with_tree;

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* A PMU; cpus NULL: it has no such file, as those outside of the cores. */
static void make_pmu(const char *name, const char *type, const char *cpus)
{
	char path[100];
	(void)snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_int_equal(mkdir(path, 0700), 0);
	(void)snprintf(path, sizeof(path), "%s/%s/type", root, name);
	write_text(path, type);
	(void)snprintf(path, sizeof(path), "%s/%s/cpus", root, name);
	if (cpus)
		write_text(path, cpus);
}

static int begin(void **state)
{
	(void)start_anew(state);
	k.per_op = 8;
	k.hybrid = true;
	k.eighths_of_8 = 5;
	memcpy(root, "/tmp/pawl-pmus.XXXXXX", sizeof("/tmp/pawl-pmus.XXXXXX"));
	with_tree = calls;
	with_tree.devices = root;
	return mkdtemp(root) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	return file_remove_tree(root, NULL);
}

static void make_two(void)
{
	make_pmu("cpu_atom", "10\n", "8-15\n");
	make_pmu("cpu_core", "8\n", "0-7\n");
	make_pmu("uncore_imc_0", "30\n", NULL);
	make_pmu("software", "1\n", NULL);
}

static void two_kinds_of_core_are_found_by_their_cpus(void **state)
{
	struct counter_pmus p;
	(void)state;
	make_two();
	pawl_counter_pmus(&with_tree, &p);
	assert_int_equal(p.n, 2);
	assert_int_equal(p.type[0], 8);
	assert_int_equal(p.type[1], 10);
	assert_int_equal(k.open, 0);
}

static void one_kind_is_nothing_to_tell_apart(void **state)
{
	struct counter_pmus p;
	(void)state;
	pawl_counter_pmus(&calls, &p); /* no such folder */
	assert_int_equal(p.n, 0);
	make_pmu("armv8_cortex_a57", "8\n", "0-3\n");
	make_pmu("cpu_atom", "10\n", "\n"); /* all of its cores are off */
	make_pmu("broken", "many\n", "0\n");
	pawl_counter_pmus(&with_tree, &p);
	assert_int_equal(p.n, 0);
	assert_int_equal(k.opens, 0);
}

static void more_kinds_than_there_is_room_for_are_left_out(void **state)
{
	struct counter_pmus p;
	char name[] = "a0", type[] = "20\n";
	(void)state;
	for (int i = 0; i < COUNTER_PMUS + 2; i++, name[1]++, type[1]++)
		make_pmu(name, type, "0\n");
	pawl_counter_pmus(&with_tree, &p);
	assert_int_equal(p.n, COUNTER_PMUS);
}

static void counts_of_both_kinds_are_added(void **state)
{
	(void)state;
	make_two();
	pawl_count_bench(&with_tree, &plain, &bench, 1000, out);
	/* 5 of 8 on the one, 3 of 8 on the other: nothing is missing, so nothing is scaled. */
	all_are(COUNTER_OK, 8);
	assert_int_equal(k.open, 0);
	/* Groups do not mix PMUs. */
	for (int i = 0; i < k.n; i++)
		for (int j = 0; j < i; j++)
			if (k.event[i].group == k.event[j].group)
				assert_int_equal(pmu_of(&k.event[i].attr),
						 pmu_of(&k.event[j].attr));
}

static void by_hand_both_kinds_are_read_around_the_region(void **state)
{
	(void)state;
	make_two();
	pawl_count_bench(&with_tree, &plain, &by_hand, 50, out);
	all_are(COUNTER_OK, 8);
}

static void an_event_that_one_kind_lacks_is_extrapolated_and_says_so(void **state)
{
	(void)state;
	make_two();
	k.per_read = 0;
	k.refused_config = PERF_COUNT_HW_BRANCH_MISSES | (uint64_t)10 << 32;
	k.refused_error = -ENOENT;
	pawl_count_bench(&with_tree, &plain, &bench, 1000, out);
	assert_int_equal(find("branch-misses")->state, COUNTER_SCALED);
	assert_true(find("branch-misses")->value > 7.99 && find("branch-misses")->value < 8.01);
	assert_non_null(strstr(find("branch-misses")->reason, "only some kinds"));
	assert_int_equal(find("branches")->state, COUNTER_OK);
}

#define ON_NONE \
	"only some kinds of this processor's cores count it, and on those it never ran, or " \
	"others use them"

static void an_event_of_the_kind_that_nothing_ran_on_is_nobodys_fault(void **state)
{
	struct counter_children children;
	struct counter_child c;
	struct counter got[COUNTER_CHILD_MAX];
	(void)state;
	make_two();
	k.eighths_of_8 = 8;
	k.refused_config = PERF_COUNT_HW_BRANCH_MISSES | (uint64_t)8 << 32;
	k.refused_error = -ENOENT;
	pawl_count_bench(&with_tree, &plain, &bench, 1000, out);
	assert_int_equal(find("branch-misses")->state, COUNTER_STARVED);
	assert_string_equal(find("branch-misses")->reason, ON_NONE);
	assert_int_equal(find("branches")->state, COUNTER_OK);
	pawl_counter_children_probe(&with_tree, &children);
	pawl_counter_child_open(&children, &c);
	work(1000);
	pawl_counter_child_close(&c, got);
	assert_string_equal(got[3].name, "branch-misses");
	assert_int_equal(got[3].state, COUNTER_STARVED);
	assert_string_equal(got[3].reason, ON_NONE);
}

static void a_kernel_that_cannot_be_asked_for_each_is_asked_for_any(void **state)
{
	(void)state;
	make_two();
	k.hybrid = false;
	pawl_count_bench(&with_tree, &plain, &bench, 10, out);
	all_are(COUNTER_OK, 8);
	for (int i = 0; i < k.n; i++)
		assert_int_equal(pmu_of(&k.event[i].attr), 0);
}

static void a_program_is_counted_on_both_kinds(void **state)
{
	struct counter_children children;
	struct counter_child c;
	struct counter got[COUNTER_CHILD_MAX];
	(void)state;
	make_two();
	pawl_counter_children_probe(&with_tree, &children);
	pawl_counter_child_open(&children, &c);
	assert_int_equal(k.open, 4 * 2);
	work(100);
	pawl_counter_child_close(&c, got);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(got[i].state, COUNTER_OK);
		assert_true(got[i].value == 800);
	}
	assert_int_equal(k.open, 0);
}

static void of_a_program_too_what_one_kind_lacks_says_so(void **state)
{
	struct counter_children children;
	struct counter_child c;
	struct counter got[COUNTER_CHILD_MAX];
	(void)state;
	make_two();
	k.refused_config = PERF_COUNT_HW_BRANCH_MISSES | (uint64_t)10 << 32;
	k.refused_error = -ENOENT;
	pawl_counter_children_probe(&with_tree, &children);
	pawl_counter_child_open(&children, &c);
	work(1000);
	pawl_counter_child_close(&c, got);
	assert_string_equal(got[3].name, "branch-misses");
	assert_int_equal(got[3].state, COUNTER_SCALED);
	assert_non_null(strstr(got[3].reason, "only some kinds"));
	assert_int_equal(got[2].state, COUNTER_OK);
	assert_string_equal(got[2].reason, "");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(two_kinds_of_core_are_found_by_their_cpus),
		TEST(one_kind_is_nothing_to_tell_apart),
		TEST(more_kinds_than_there_is_room_for_are_left_out),
		TEST(counts_of_both_kinds_are_added),
		TEST(by_hand_both_kinds_are_read_around_the_region),
		TEST(an_event_that_one_kind_lacks_is_extrapolated_and_says_so),
		TEST(an_event_of_the_kind_that_nothing_ran_on_is_nobodys_fault),
		TEST(a_kernel_that_cannot_be_asked_for_each_is_asked_for_any),
		TEST(a_program_is_counted_on_both_kinds),
		TEST(of_a_program_too_what_one_kind_lacks_says_so),
	};
	return cmocka_run_group_tests_name("harness/counter hybrid", tests, NULL, NULL);
}
