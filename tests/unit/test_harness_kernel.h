/*
 * test_harness_kernel - perf_event_open as a made-up kernel answers it.
 */
#ifndef TEST_HARNESS_KERNEL_H
#define TEST_HARNESS_KERNEL_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/counter.h"

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

static inline int fake_open(struct perf_event_attr *attr, int group_fd)
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

static inline ssize_t fake_read(int fd, void *out, size_t size)
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

static inline int fake_control(int fd, unsigned long request, unsigned long flags)
{
	(void)flags;
	assert_true(k.event[fd].leader == fd);
	assert_true(request != PERF_EVENT_IOC_RESET);
	return 0;
}

static inline int fake_close(int fd)
{
	assert_true(fd >= 0 && fd < k.n && k.event[fd].leader >= 0);
	k.event[fd].leader = -1;
	k.open--;
	return 0;
}

static inline int fake_paranoid(void)
{
	return 3;
}

static const struct counter_calls calls = { fake_open, fake_read, fake_control, fake_close,
					    fake_paranoid };

static struct counter out[COUNTER_MAX];
static uint64_t operations;
static uint64_t fail_each;

static inline void work(uint64_t n)
{
	operations += n;
	k.time += 8000 * n;
	for (int i = 0; i < k.n; i++)
		k.event[i].count += k.per_op * n;
}

static inline void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	work(n);
	for (uint64_t i = 0; fail_each && i < n / fail_each; i++)
		pawl_fail(r);
}

static inline void run_by_hand(void *ctx, uint64_t n, struct pawl_run *r)
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

static inline int start_anew(void **state)
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

static inline struct counter *find(const char *name)
{
	int i = 0;
	while (i < COUNTER_MAX - 1 && strcmp(out[i].name, name))
		i++;
	assert_string_equal(out[i].name, name);
	return &out[i];
}

static inline void all_are(enum counter_state state, double value)
{
	for (int i = 0; i < COUNTER_MAX; i++) {
		assert_int_equal(out[i].state, state);
		if (value == value)
			assert_true(out[i].value == value);
		else
			assert_true(out[i].value != out[i].value);
	}
}

#endif
