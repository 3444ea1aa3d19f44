#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/counter.h"

#include "lib/base/banned.h"

#define FDS 64

/* A kernel that is made up: what each event answers, and which groups are open. */
static struct kernel {
	/* Answers */
	int refuse_user, refuse_kernel; /* -errno of every event of that kind; 0: opens */
	int refuse_software;
	int refuse_both;	  /* ... of one that asks for both */
	int refuse_siblings_from; /* a group holds fewer than this; 0: no limit */
	uint64_t refused_config;  /* one hardware event that is not there */
	int refused_error;
	int storm;	      /* EINTR so many times, of open and of read */
	int size_known;	      /* E2BIG for any other size; 0: any will do */
	int read_error;	      /* -errno of each read; 1: reads 0 bytes */
	unsigned run_eighths; /* of the time that a group is scheduled */
	/* What is counted per operation, and by each read */
	uint64_t per_op, per_read;
	/* State */
	struct {
		int leader; /* fd of its group's leader; -1: closed */
		struct perf_event_attr attr;
		uint64_t count;
	} event[FDS];
	uint64_t time;
	int n, open, most_in_group, disabled_siblings, opens;
} k;

static int fake_open(struct perf_event_attr *attr, int group_fd)
{
	bool hardware = attr->type != PERF_TYPE_SOFTWARE;
	int members = 0, error;
	k.opens++;
	if (k.storm-- > 0)
		return -EINTR;
	if (k.size_known && (int)attr->size != k.size_known) {
		attr->size = (uint32_t)k.size_known;
		return -E2BIG;
	}
	if (!attr->exclude_kernel && !attr->exclude_user)
		error = k.refuse_both;
	else
		error = attr->exclude_kernel ? k.refuse_user : k.refuse_kernel;
	if (!hardware)
		error = k.refuse_software;
	if (k.refused_error && attr->type == PERF_TYPE_HARDWARE && attr->config == k.refused_config)
		error = k.refused_error;
	if (error)
		return error;
	for (int i = 0; i < k.n; i++)
		members += group_fd >= 0 && k.event[i].leader == group_fd;
	if (k.refuse_siblings_from && members >= k.refuse_siblings_from)
		return -EINVAL;
	assert_true(k.n < FDS);
	k.event[k.n].leader = group_fd >= 0 ? group_fd : k.n;
	k.event[k.n].attr = *attr;
	k.event[k.n].count = 1000; /* deltas, not values, are what counts */
	k.disabled_siblings += group_fd >= 0 && attr->disabled;
	if (members + 1 > k.most_in_group)
		k.most_in_group = members + 1;
	k.open++;
	return k.n++;
}

static ssize_t fake_read(int fd, void *out, size_t size)
{
	uint64_t values[16], n = 0;
	if (k.storm-- > 0)
		return -EINTR;
	if (k.read_error)
		return k.read_error < 0 ? k.read_error : 0;
	assert_true(fd >= 0 && fd < k.n && k.event[fd].leader == fd);
	k.time += 800;
	for (int i = 0; i < k.n; i++) {
		if (k.event[i].leader != fd)
			continue;
		k.event[i].count += k.per_read;
		values[3 + n++] = k.event[i].count;
	}
	values[0] = n;
	values[1] = k.time;
	values[2] = k.time / 8 * k.run_eighths;
	assert_true(size == (3 + n) * sizeof(uint64_t));
	memcpy(out, values, size);
	return (ssize_t)size;
}

static int fake_control(int fd, unsigned long request, unsigned long flags)
{
	(void)flags;
	assert_true(k.event[fd].leader == fd);
	assert_true(request != PERF_EVENT_IOC_RESET);
	return 0;
}

static int fake_close(int fd)
{
	assert_true(fd >= 0 && fd < k.n && k.event[fd].leader >= 0);
	k.event[fd].leader = -1;
	k.open--;
	return 0;
}

static int fake_paranoid(void)
{
	return 3;
}

static const struct counter_calls calls = { fake_open, fake_read, fake_control, fake_close,
					    fake_paranoid };

static struct counter out[COUNTER_MAX];
static uint64_t operations;
static uint64_t fail_each;

static void work(uint64_t n)
{
	operations += n;
	k.time += 8000 * n;
	for (int i = 0; i < k.n; i++)
		k.event[i].count += k.per_op * n;
}

static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	work(n);
	for (uint64_t i = 0; fail_each && i < n / fail_each; i++)
		pawl_fail(r);
}

static void run_by_hand(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	for (uint64_t i = 0; i < n; i++) {
		work(3); /* preparing */
		pawl_start(r);
		work(1);
		if (fail_each && i % fail_each == 0)
			pawl_fail(r);
		pawl_stop(r);
	}
}

static const struct pawl_bench bench = { "made up", NULL, run, NULL, NULL, 0, 0 };
static const struct pawl_bench by_hand = { "by hand", NULL, run_by_hand, NULL, NULL, 0, 0 };

static int start_anew(void **state)
{
	(void)state;
	memset(&k, 0, sizeof(k));
	k.run_eighths = 8;
	k.per_op = 7;
	k.per_read = 24;
	operations = 0;
	fail_each = 0;
	return 0;
}

static struct counter *find(const char *name)
{
	int i = 0;
	while (i < COUNTER_MAX - 1 && strcmp(out[i].name, name))
		i++;
	assert_string_equal(out[i].name, name);
	return &out[i];
}

static void all_are(enum counter_state state, double value)
{
	for (int i = 0; i < COUNTER_MAX; i++) {
		assert_int_equal(out[i].state, state);
		if (value == value)
			assert_true(out[i].value == value);
		else
			assert_true(out[i].value != out[i].value);
	}
}

static void values_are_differences_per_iteration_less_the_readings_own(void **state)
{
	(void)state;
	pawl_counters_measure(&calls, &bench, 100, out);
	all_are(COUNTER_OK, 7);
	for (int i = 0; i < COUNTER_MAX; i++)
		assert_string_equal(out[i].reason, "");
	assert_int_equal(k.open, 0);
}

static void a_pass_has_at_most_four_events_and_one_leader(void **state)
{
	(void)state;
	pawl_counters_measure(&calls, &bench, 10, out);
	assert_in_range(k.most_in_group, 1, COUNTER_GROUP);
	assert_int_equal(k.disabled_siblings, 0);
	assert_int_equal(operations, 5 * 10);
	for (int i = 0; i < k.n; i++)
		assert_int_equal(k.event[i].attr.exclude_hv, 1);
}

static void a_group_that_ran_half_the_time_is_scaled(void **state)
{
	(void)state;
	k.run_eighths = 4;
	k.per_read = 0;
	pawl_counters_measure(&calls, &bench, 1000, out);
	all_are(COUNTER_SCALED, 14);
}

static void a_group_that_never_ran_is_starved_and_not_0(void **state)
{
	(void)state;
	k.run_eighths = 0;
	pawl_counters_measure(&calls, &bench, 1000, out);
	all_are(COUNTER_STARVED, __builtin_nan(""));
	assert_true(strlen(out[0].reason) > 0);
}

static void a_reading_of_no_bytes_is_starved(void **state)
{
	(void)state;
	k.read_error = 1;
	pawl_counters_measure(&calls, &bench, 10, out);
	all_are(COUNTER_STARVED, __builtin_nan(""));
	assert_int_equal(k.open, 0);
}

static void a_reading_that_fails_says_so(void **state)
{
	(void)state;
	k.read_error = -EIO;
	pawl_counters_measure(&calls, &bench, 10, out);
	all_are(COUNTER_ABSENT, __builtin_nan(""));
	assert_non_null(strstr(out[0].reason, "reading failed"));
}

static void interrupted_calls_are_tried_again(void **state)
{
	(void)state;
	k.storm = 4;
	pawl_counters_measure(&calls, &bench, 10, out);
	all_are(COUNTER_OK, 7);
}

static void endless_interrupts_end(void **state)
{
	(void)state;
	k.storm = 1 << 30;
	pawl_counters_measure(&calls, &bench, 10, out);
	all_are(COUNTER_ABSENT, __builtin_nan(""));
	assert_true(k.opens <= 5 * COUNTER_MAX);
	assert_int_equal(operations, 0);
}

static void events_that_the_machine_lacks_are_absent_and_the_rest_counts(void **state)
{
	(void)state;
	k.refuse_user = -ENOENT;
	k.refuse_kernel = -ENOENT;
	pawl_counters_measure(&calls, &bench, 10, out);
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
	pawl_counters_measure(&calls, &bench, 10, out);
	assert_int_equal(find("cycles")->state, COUNTER_ABSENT);
	assert_true(find("instructions")->value == 7);
	assert_true(find("branch-misses")->value == 7);
	assert_int_equal(k.disabled_siblings, 0);
}

static void a_refused_sibling_is_counted_in_a_pass_of_its_own(void **state)
{
	(void)state;
	k.refuse_siblings_from = 2;
	pawl_counters_measure(&calls, &bench, 10, out);
	all_are(COUNTER_OK, 7);
	assert_int_equal(k.most_in_group, 2);
	assert_int_equal(operations, 7 * 10); /* five passes, and branches and their misses alone */
	assert_int_equal(k.open, 0);
}

static void a_refusal_of_the_kernel_is_believed_only_where_the_event_is(void **state)
{
	(void)state;
	k.refuse_kernel = -EACCES;
	pawl_counters_measure(&calls, &bench, 10, out);
	assert_int_equal(find("kernel-instructions")->state, COUNTER_FORBIDDEN);
	assert_non_null(strstr(find("kernel-instructions")->reason, "perf_event_paranoid is 3"));
	assert_int_equal(find("instructions")->state, COUNTER_OK);
	assert_int_equal(k.open, 0);

	start_anew(NULL);
	k.refuse_kernel = -EACCES;
	k.refuse_user = -ENOENT;
	pawl_counters_measure(&calls, &bench, 10, out);
	assert_int_equal(find("kernel-instructions")->state, COUNTER_ABSENT);
}

static void counters_that_cannot_tell_user_from_kernel_count_both_and_say_so(void **state)
{
	(void)state;
	k.refuse_user = -EINVAL;
	k.refuse_kernel = -EINVAL;
	pawl_counters_measure(&calls, &bench, 10, out);
	assert_int_equal(find("instructions")->state, COUNTER_OK);
	assert_string_equal(find("instructions")->reason, "counts user and kernel");
	/* The kernel's part alone cannot be had from such a counter. */
	assert_int_equal(find("kernel-instructions")->state, COUNTER_ABSENT);

	start_anew(NULL);
	k.refuse_user = -EINVAL;
	k.refuse_both = -EACCES;
	pawl_counters_measure(&calls, &bench, 10, out);
	assert_int_equal(find("instructions")->state, COUNTER_FORBIDDEN);
}

static void an_older_kernels_size_is_taken(void **state)
{
	(void)state;
	k.size_known = 72;
	pawl_counters_measure(&calls, &bench, 10, out);
	all_are(COUNTER_OK, 7);
	assert_int_equal(k.event[0].attr.size, 72);
}

static void by_hand_only_what_lies_between_start_and_stop_is_counted(void **state)
{
	(void)state;
	pawl_counters_measure(&calls, &by_hand, 50, out);
	all_are(COUNTER_OK, 7);
}

static void by_hand_a_failed_stretch_is_not_counted(void **state)
{
	(void)state;
	fail_each = 5;
	pawl_counters_measure(&calls, &by_hand, 50, out);
	all_are(COUNTER_OK, 7);
}

static void a_pass_in_which_operations_failed_has_no_value(void **state)
{
	(void)state;
	fail_each = 10;
	pawl_counters_measure(&calls, &bench, 50, out);
	all_are(COUNTER_ABSENT, __builtin_nan(""));
	assert_non_null(strstr(out[0].reason, "failed"));
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
		{ ESRCH, 2, COUNTER_ABSENT, "No such process" },
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

#define PAGES 64
#define PAGE 4096

static void touch_pages(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx, (void)r;
	for (; n; n--) {
		char *p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		assert_true(p != MAP_FAILED);
		(void)madvise(p, PAGES * PAGE, MADV_NOHUGEPAGE);
		for (int i = 0; i < PAGES; i++)
			((volatile char *)p)[i * PAGE] = 1;
		(void)munmap(p, PAGES * PAGE);
	}
}

static void this_machine_counts_its_page_faults_or_says_why_not(void **state)
{
	static const struct pawl_bench pages = { "pages", NULL, touch_pages, NULL, NULL, 0, 0 };
	struct counter *faults;
	(void)state;
	pawl_counters_measure(&pawl_counter_system, &pages, 10, out);
	faults = find("page-faults");
	for (int i = 0; i < COUNTER_MAX; i++) {
		if (out[i].state > COUNTER_SCALED) {
			assert_true(out[i].value != out[i].value);
			assert_true(strlen(out[i].reason) > 0);
		}
	}
	if (faults->state != COUNTER_OK) {
		print_message("page faults: %s\n", faults->reason);
		skip();
	}
	assert_true(faults->value >= PAGES && faults->value < PAGES + 8);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, start_anew)
	const struct CMUnitTest tests[] = {
		TEST(values_are_differences_per_iteration_less_the_readings_own),
		TEST(a_pass_has_at_most_four_events_and_one_leader),
		TEST(a_group_that_ran_half_the_time_is_scaled),
		TEST(a_group_that_never_ran_is_starved_and_not_0),
		TEST(a_reading_of_no_bytes_is_starved),
		TEST(a_reading_that_fails_says_so),
		TEST(interrupted_calls_are_tried_again),
		TEST(endless_interrupts_end),
		TEST(events_that_the_machine_lacks_are_absent_and_the_rest_counts),
		TEST(the_sibling_of_a_failed_leader_leads),
		TEST(a_refused_sibling_is_counted_in_a_pass_of_its_own),
		TEST(a_refusal_of_the_kernel_is_believed_only_where_the_event_is),
		TEST(counters_that_cannot_tell_user_from_kernel_count_both_and_say_so),
		TEST(an_older_kernels_size_is_taken),
		TEST(by_hand_only_what_lies_between_start_and_stop_is_counted),
		TEST(by_hand_a_failed_stretch_is_not_counted),
		TEST(a_pass_in_which_operations_failed_has_no_value),
		TEST(each_error_has_its_state_and_its_sentence),
		TEST(this_machine_counts_its_page_faults_or_says_why_not),
	};
	return cmocka_run_group_tests_name("harness/counter", tests, NULL, NULL);
}
