#include "tests/unit/harness/test_harness_kernel.h"

#include "harness/counter/child.h"

#include "lib/base/banned.h"

static struct counter_children children;
static struct counter_child child;
static struct counter got[COUNTER_CHILD_MAX];

static struct counter *counted(const char *name)
{
	int i = 0;
	while (i < COUNTER_CHILD_MAX - 1 && strcmp(got[i].name, name))
		i++;
	assert_string_equal(got[i].name, name);
	return &got[i];
}

static void count_made_up(uint64_t n)
{
	pawl_counter_children_probe(&calls, &children);
	pawl_counter_child_open(&children, &child);
	work(n);
	pawl_counter_child_close(&child, got);
}

static void a_program_is_counted_from_its_exec_with_all_it_starts(void **state)
{
	(void)state;
	pawl_counter_children_probe(&calls, &children);
	assert_int_equal(children.n_open, COUNTER_CHILD_MAX);
	assert_int_equal(k.open, 0);
	start_anew(NULL);
	pawl_counter_child_open(&children, &child);
	assert_int_equal(k.open, COUNTER_CHILD_MAX);
	for (int i = 0; i < k.n; i++) {
		const struct perf_event_attr *attr = &k.event[i].attr;
		bool leads = k.event[i].leader == i;
		assert_int_equal(attr->inherit, 1);
		/* The leader switches its group on; by itself it counts nothing of ours. */
		assert_int_equal(attr->disabled, leads);
		assert_int_equal(attr->enable_on_exec, leads);
		assert_false(attr->read_format & PERF_FORMAT_GROUP);
	}
	assert_in_range(k.most_in_group, 4, 4);
	work(100);
	pawl_counter_child_close(&child, got);
	for (int i = 0; i < COUNTER_CHILD_MAX; i++) {
		assert_string_equal(got[i].name, pawl_counter_child_name((size_t)i));
		assert_int_equal(got[i].state, COUNTER_OK);
		assert_true(got[i].value == 700); /* of the program, not per iteration */
		assert_string_equal(got[i].reason, "");
	}
	assert_int_equal(k.open, 0);
	assert_null(pawl_counter_child_name(COUNTER_CHILD_MAX));
}

static void what_is_held_is_off_and_of_the_caller_alone(void **state)
{
	int fd;
	(void)state;
	fd = pawl_counter_hold(&calls);
	assert_int_equal(k.open, 1);
	assert_int_equal(k.event[fd].attr.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(k.event[fd].attr.config, PERF_COUNT_SW_PAGE_FAULTS);
	assert_true(k.event[fd].attr.disabled);
	assert_false(k.event[fd].attr.inherit || k.event[fd].attr.enable_on_exec);
	assert_int_equal(calls.close(fd), 0);
	k.refuse_software = -EACCES;
	assert_int_equal(pawl_counter_hold(&calls), -EACCES);
	assert_int_equal(k.open, 0);
}

static void where_nothing_opens_a_run_makes_no_system_call(void **state)
{
	(void)state;
	k.refuse_user = k.refuse_kernel = k.refuse_software = -ENOSYS;
	k.refuse_both = -ENOSYS;
	pawl_counter_children_probe(&calls, &children);
	assert_int_equal(children.n_open, 0);
	k.opens = 0;
	pawl_counter_child_open(&children, &child);
	pawl_counter_child_close(&child, got);
	assert_int_equal(k.opens, 0);
	assert_int_equal(k.reads, 0);
	for (int i = 0; i < COUNTER_CHILD_MAX; i++) {
		assert_int_equal(got[i].state, COUNTER_ABSENT);
		assert_true(got[i].value != got[i].value);
		assert_string_equal(got[i].reason, "this system has no perf_event_open");
	}
}

/* The events stay open: what one program counted is not in the next one's figures. */
static void each_program_has_its_own_part(void **state)
{
	(void)state;
	pawl_counter_children_probe(&calls, &children);
	pawl_counter_child_open(&children, &child);
	for (uint64_t n = 10; n <= 30; n += 10) {
		work(n);
		pawl_counter_child_take(&child, got);
		assert_true(counted("cycles")->value == 7 * (double)n);
		assert_int_equal(k.open, COUNTER_CHILD_MAX);
	}
	work(5);
	pawl_counter_child_close(&child, got);
	assert_true(counted("branch-misses")->value == 35);
	assert_int_equal(k.open, 0);
}

static void the_first_that_opens_leads_the_group(void **state)
{
	(void)state;
	k.refused_config = PERF_COUNT_HW_CPU_CYCLES;
	k.refused_error = -ENOENT;
	count_made_up(10);
	assert_int_equal(counted("cycles")->state, COUNTER_ABSENT);
	assert_true(counted("branches")->value == 70);
	assert_int_equal(k.disabled_siblings, 0);
}

static void a_part_of_the_time_is_extrapolated_and_no_time_is_no_value(void **state)
{
	(void)state;
	k.run_eighths = 4;
	count_made_up(10);
	assert_int_equal(counted("cycles")->state, COUNTER_SCALED);
	assert_true(counted("cycles")->value == 140);
	start_anew(NULL);
	k.run_eighths = 0;
	count_made_up(10);
	assert_int_equal(counted("cycles")->state, COUNTER_STARVED);
	assert_true(counted("cycles")->value != counted("cycles")->value);
	start_anew(NULL);
	k.read_error = 1;
	count_made_up(10);
	assert_int_equal(counted("cycles")->state, COUNTER_STARVED);
}

static void what_fails_later_than_the_probe_says_so(void **state)
{
	(void)state;
	pawl_counter_children_probe(&calls, &children);
	k.refuse_user = k.refuse_software = k.refuse_both = -EMFILE;
	pawl_counter_child_open(&children, &child);
	pawl_counter_child_close(&child, got);
	for (int i = 0; i < COUNTER_CHILD_MAX; i++)
		assert_non_null(strstr(got[i].reason, "ulimit -n"));
	start_anew(NULL);
	k.read_error = -EIO;
	count_made_up(1);
	assert_non_null(strstr(counted("cycles")->reason, "reading failed"));
	assert_int_equal(k.open, 0);
	start_anew(NULL);
	pawl_counter_children_probe(&calls, &children);
	pawl_counter_child_open(&children, &child);
	pawl_counter_child_close(&child, NULL); /* the program could not be started */
	assert_int_equal(k.open, 0);
}

static void counters_that_cannot_tell_user_from_kernel_say_so(void **state)
{
	(void)state;
	k.refuse_user = -EINVAL;
	count_made_up(10);
	assert_int_equal(counted("cycles")->state, COUNTER_OK);
	assert_string_equal(counted("cycles")->reason, "counts user and kernel");
}

/* ---- this machine ----------------------------------------------------------------------- */

static void a_program_that_was_not_started_counts_nothing(void **state)
{
	(void)state;
	pawl_counter_children_probe(&pawl_counter_system, &children);
	pawl_counter_child_open(&children, &child);
	pawl_counter_child_close(&child, got);
	for (int i = 0; i < COUNTER_CHILD_MAX; i++) {
		assert_true(got[i].value != got[i].value);
		assert_true(strlen(got[i].reason) > 0);
		if (children.opens[i])
			assert_string_equal(got[i].reason, "no program was started");
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, start_anew)
	const struct CMUnitTest tests[] = {
		TEST(a_program_is_counted_from_its_exec_with_all_it_starts),
		TEST(what_is_held_is_off_and_of_the_caller_alone),
		TEST(where_nothing_opens_a_run_makes_no_system_call),
		TEST(each_program_has_its_own_part),
		TEST(the_first_that_opens_leads_the_group),
		TEST(a_part_of_the_time_is_extrapolated_and_no_time_is_no_value),
		TEST(what_fails_later_than_the_probe_says_so),
		TEST(counters_that_cannot_tell_user_from_kernel_say_so),
		TEST(a_program_that_was_not_started_counts_nothing),
	};
	return cmocka_run_group_tests_name("harness/counter_child", tests, NULL, NULL);
}
