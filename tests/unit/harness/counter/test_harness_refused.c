#include "tests/unit/harness/test_harness_kernel.h"

#include "lib/base/banned.h"

static void events_that_the_machine_lacks_are_absent_and_the_rest_counts(void **state)
{
	(void)state;
	k.refuse_user = -ENOENT;
	k.refuse_kernel = -ENOENT;
	pawl_count_bench(&calls, &plain, &bench, 10, out);
	for (int i = 0; i < COUNTER_MAX; i++) {
		if (strcmp(out[i].name, "page-faults") == 0) {
			assert_int_equal(out[i].state, COUNTER_OK);
			assert_true(out[i].value == 7);
			continue;
		}
		assert_int_equal(out[i].state, COUNTER_ABSENT);
		assert_true(out[i].value != out[i].value);
		assert_string_equal(out[i].reason, "this processor or VM does not offer the event");
	}
	/* No pass is run for nothing. */
	assert_int_equal(operations, 10);
}

static void the_sibling_of_a_failed_leader_leads(void **state)
{
	(void)state;
	k.refused_config = PERF_COUNT_HW_CPU_CYCLES;
	k.refused_error = -ENOENT;
	pawl_count_bench(&calls, &plain, &bench, 10, out);
	assert_int_equal(find("cycles")->state, COUNTER_ABSENT);
	assert_true(find("instructions")->value == 7);
	assert_true(find("branch-misses")->value == 7);
	assert_int_equal(k.disabled_siblings, 0);
}

static void a_refused_sibling_is_counted_in_a_pass_of_its_own(void **state)
{
	(void)state;
	k.refuse_siblings_from = 2;
	pawl_count_bench(&calls, &plain, &bench, 10, out);
	all_are(COUNTER_OK, 7);
	assert_int_equal(k.most_in_group, 2);
	assert_int_equal(operations, 10 * 10); /* and branches and their misses alone */
	assert_int_equal(k.open, 0);
}

static void a_refusal_of_the_kernel_is_believed_only_where_the_event_is(void **state)
{
	(void)state;
	k.refuse_kernel = -EACCES;
	pawl_count_bench(&calls, &plain, &bench, 10, out);
	assert_int_equal(find("kernel-instructions")->state, COUNTER_FORBIDDEN);
	assert_non_null(strstr(find("kernel-instructions")->reason, "perf_event_paranoid is 3"));
	assert_int_equal(find("instructions")->state, COUNTER_OK);
	assert_int_equal(k.open, 0);

	start_anew(NULL);
	k.refuse_kernel = -EACCES;
	k.refuse_user = -ENOENT;
	pawl_count_bench(&calls, &plain, &bench, 10, out);
	assert_int_equal(find("kernel-instructions")->state, COUNTER_ABSENT);
}

static void counters_that_cannot_tell_user_from_kernel_count_both_and_say_so(void **state)
{
	(void)state;
	k.refuse_user = -EINVAL;
	k.refuse_kernel = -EINVAL;
	pawl_count_bench(&calls, &plain, &bench, 10, out);
	assert_int_equal(find("instructions")->state, COUNTER_OK);
	assert_string_equal(find("instructions")->reason, "counts user and kernel");
	/* The kernel's part alone cannot be had from such a counter. */
	assert_int_equal(find("kernel-instructions")->state, COUNTER_ABSENT);

	start_anew(NULL);
	k.refuse_user = -EINVAL;
	k.refuse_both = -EACCES;
	pawl_count_bench(&calls, &plain, &bench, 10, out);
	assert_int_equal(find("instructions")->state, COUNTER_FORBIDDEN);
}

static void an_older_kernels_size_is_taken(void **state)
{
	(void)state;
	k.size_known = 72;
	pawl_count_bench(&calls, &plain, &bench, 10, out);
	all_are(COUNTER_OK, 7);
	assert_int_equal(k.event[0].attr.size, 72);
}

static void each_error_has_its_state_and_its_sentence(void **state)
{
	static const struct {
		int error, paranoid;
		enum counter_state state;
		const char *part;
	} cases[] = {
		{ ENOENT, 2, COUNTER_ABSENT, "does not offer" },
		{ EOPNOTSUPP, 2, COUNTER_ABSENT, "does not offer" },
		{ ENODEV, 2, COUNTER_ABSENT, "does not offer" },
		{ ENOSYS, 2, COUNTER_ABSENT, "no perf_event_open" },
		{ EACCES, 4, COUNTER_FORBIDDEN, "perf_event_paranoid is 4" },
		{ EACCES, -ENOENT, COUNTER_FORBIDDEN, "CAP_PERFMON" },
		{ EPERM, 2, COUNTER_FORBIDDEN, "seccomp" },
		{ EMFILE, 2, COUNTER_ABSENT, "ulimit -n" },
		{ EINVAL, 2, COUNTER_ABSENT, "refuse the event" },
		{ EBUSY, 2, COUNTER_ABSENT, "holds the counters" },
		{ ESRCH, 2, COUNTER_ABSENT, "has ended" },
		{ E2BIG, 2, COUNTER_ABSENT, "names no size" },
		{ EINTR, 2, COUNTER_ABSENT, "again and again" },
		{ EIO, 2, COUNTER_ABSENT, "Input/output error" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char reason[COUNTER_REASON] = "";
		assert_int_equal(pawl_counter_explain(-cases[i].error, cases[i].paranoid, reason,
						      sizeof(reason)),
				 cases[i].state);
		assert_non_null(strstr(reason, cases[i].part));
		assert_true(strlen(reason) < COUNTER_REASON - 1);
	}
}

/* A process that counts many benchmarks asks once what this machine lacks. */
static void what_is_refused_for_good_is_not_asked_again(void **state)
{
	static const int for_good[] = { ENOENT, EOPNOTSUPP, ENODEV, ENOSYS, EACCES, EPERM };
	(void)state;
	for (size_t i = 0; i < sizeof(for_good) / sizeof(for_good[0]); i++) {
		struct counter_memory memory = { false };
		const struct count_how how = { .memory = &memory };
		struct counter first[COUNTER_MAX];
		start_anew(NULL);
		k.refuse_user = -for_good[i];
		k.refuse_kernel = -for_good[i];
		pawl_count_bench(&calls, &how, &bench, 10, out);
		memcpy(first, out, sizeof(first));
		k.opens = 0;
		pawl_count_bench(&calls, &how, &bench, 10, out);
		assert_int_equal(k.opens, 1); /* of page-faults, which count */
		assert_int_equal(find("page-faults")->state, COUNTER_OK);
		for (int j = 0; j < COUNTER_MAX; j++) {
			assert_string_equal(out[j].name, first[j].name);
			assert_int_equal(out[j].state, first[j].state);
			assert_string_equal(out[j].reason, first[j].reason);
		}
	}
}

/* Too many files may be open now, and fewer later; a thread's counters are another question. */
static void what_may_be_had_later_is_asked_again(void **state)
{
	static const int for_now[] = { EMFILE, EBUSY, EINVAL };
	struct counter_memory memory = { false };
	const struct count_how how = { .memory = &memory };
	const struct count_how threads = { .inherit = true, .memory = &memory };
	(void)state;
	for (size_t i = 0; i < sizeof(for_now) / sizeof(for_now[0]); i++) {
		start_anew(NULL);
		k.refuse_user = k.refuse_kernel = k.refuse_both = -for_now[i];
		pawl_count_bench(&calls, &how, &bench, 10, out);
		assert_int_equal(find("cycles")->state, COUNTER_ABSENT);
		k.refuse_user = k.refuse_kernel = k.refuse_both = 0;
		pawl_count_bench(&calls, &how, &bench, 10, out);
		all_are(COUNTER_OK, 7);
	}
	k.refuse_user = k.refuse_kernel = -ENOENT;
	pawl_count_bench(&calls, &how, &bench, 10, out);
	assert_int_equal(find("cycles")->state, COUNTER_ABSENT);
	k.refuse_user = k.refuse_kernel = 0;
	pawl_count_bench(&calls, &threads, &bench, 10, out);
	all_are(COUNTER_OK, 7);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, start_anew)
	const struct CMUnitTest tests[] = {
		TEST(events_that_the_machine_lacks_are_absent_and_the_rest_counts),
		TEST(the_sibling_of_a_failed_leader_leads),
		TEST(a_refused_sibling_is_counted_in_a_pass_of_its_own),
		TEST(a_refusal_of_the_kernel_is_believed_only_where_the_event_is),
		TEST(counters_that_cannot_tell_user_from_kernel_count_both_and_say_so),
		TEST(an_older_kernels_size_is_taken),
		TEST(each_error_has_its_state_and_its_sentence),
		TEST(what_is_refused_for_good_is_not_asked_again),
		TEST(what_may_be_had_later_is_asked_again),
	};
	return cmocka_run_group_tests_name("harness/refused", tests, NULL, NULL);
}
