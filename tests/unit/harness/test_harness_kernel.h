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

#include "harness/counter/perf.h"
#include "harness/engine/count.h"

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
	bool software_runs;   /* ... but software events always are */
	bool pages;	      /* events have a page, and their counters can be read */
	int unreadable_fd;    /* ... but not that of this one; 0: all */
	/* A processor of two kinds of core, whose PMUs have types 8 and 10 */
	bool hybrid;
	unsigned eighths_of_8; /* of the time spent on a core of type 8; the rest on 10 */
	/* What is counted per operation, and by each read */
	uint64_t per_op, per_read;
	uint64_t (*rate)(const struct perf_event_attr *attr); /* NULL: per_op */
	/* State */
	struct {
		int leader; /* fd of its group's leader; -1: closed */
		int group;  /* the same, also when it is closed */
		struct perf_event_attr attr;
		uint64_t count;
		bool mapped;
	} event[FDS];
	struct perf_event_mmap_page page[FDS];
	uint64_t time;
	int n, open, most_in_group, disabled_siblings, opens, reads;
} k;

/* On which kind of core an event counts; 0: on any. */
static inline unsigned pmu_of(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE ? 0 : (unsigned)(attr->config >> 32);
}

/* The share of the time in which the event's kind of core is the one that runs. */
static inline unsigned eighths_of(const struct perf_event_attr *attr)
{
	unsigned pmu = pmu_of(attr);
	if (attr->type == PERF_TYPE_SOFTWARE && k.software_runs)
		return 8;
	if (!pmu)
		return k.run_eighths;
	return pmu == 8 ? k.eighths_of_8 : 8 - k.eighths_of_8;
}

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
	if (pmu_of(attr) && !k.hybrid)
		error = -ENOENT;
	if (error)
		return error;
	for (int i = 0; i < k.n; i++)
		members += group_fd >= 0 && k.event[i].leader == group_fd;
	if (k.refuse_siblings_from && members >= k.refuse_siblings_from)
		return -EINVAL;
	assert_true(k.n < FDS);
	k.event[k.n].leader = group_fd >= 0 ? group_fd : k.n;
	k.event[k.n].group = k.event[k.n].leader;
	k.event[k.n].attr = *attr;
	k.event[k.n].count = 1000; /* deltas, not values, are what counts */
	k.disabled_siblings += group_fd >= 0 && attr->disabled;
	if (members + 1 > k.most_in_group)
		k.most_in_group = members + 1;
	k.open++;
	return k.n++;
}

/* An event that is read without its group, as if it had begun to count with the test. */
static inline ssize_t fake_read_one(int fd, void *out, size_t size)
{
	uint64_t values[3] = { k.event[fd].count - 1000, k.time,
			       k.time / 8 * eighths_of(&k.event[fd].attr) };
	assert_int_equal(size, sizeof(values));
	assert_true(k.event[fd].leader >= 0);
	memcpy(out, values, size);
	return (ssize_t)size;
}

static inline ssize_t fake_read(int fd, void *out, size_t size)
{
	uint64_t values[16], n = 0;
	if (k.storm-- > 0)
		return -EINTR;
	if (k.read_error)
		return k.read_error < 0 ? k.read_error : 0;
	k.reads++;
	k.time += 800;
	assert_true(fd >= 0 && fd < k.n);
	if (!(k.event[fd].attr.read_format & PERF_FORMAT_GROUP))
		return fake_read_one(fd, out, size);
	assert_true(k.event[fd].leader == fd);
	for (int i = 0; i < k.n; i++) {
		if (k.event[i].leader != fd)
			continue;
		k.event[i].count += k.per_read;
		values[3 + n++] = k.event[i].count;
	}
	values[0] = n;
	values[1] = k.time;
	values[2] = k.time / 8 * eighths_of(&k.event[fd].attr);
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
	assert_false(k.event[fd].mapped);
	k.event[fd].leader = -1;
	k.open--;
	return 0;
}

static inline int fake_paranoid(void)
{
	return 3;
}

/* A counter of 48 bits that began below 0, as the kernel sets them. */
#define PMC_BITS 48
#define PMC_OFFSET 5000

static inline void *fake_map(int fd)
{
	struct perf_event_mmap_page *page = &k.page[fd];
	if (!k.pages)
		return NULL;
	assert_false(k.event[fd].mapped);
	k.event[fd].mapped = true;
	memset(page, 0, sizeof(*page));
	page->cap_user_rdpmc = 1;
	page->index = k.unreadable_fd && fd == k.unreadable_fd ? 0 : (uint32_t)fd + 1;
	page->offset = PMC_OFFSET;
	page->pmc_width = PMC_BITS;
	return page;
}

static inline void fake_unmap(void *page)
{
	ptrdiff_t fd = (struct perf_event_mmap_page *)page - k.page;
	assert_true(k.event[fd].mapped);
	k.event[fd].mapped = false;
}

static inline bool fake_pmc(uint32_t number, uint64_t *out)
{
	assert_true(number < FDS && k.event[number].leader >= 0);
	*out = (k.event[number].count - PMC_OFFSET) & (((uint64_t)1 << PMC_BITS) - 1);
	return true;
}

static const struct counter_calls calls = { fake_open,	fake_read,     fake_control,
					    fake_close, fake_paranoid, fake_map,
					    fake_unmap, fake_pmc,      "/nonexistent" };
static const struct count_how plain = { .self = false };

static struct counter out[COUNTER_MAX];
static uint64_t operations;
static uint64_t fail_each;

static inline void work(uint64_t n)
{
	operations += n;
	k.time += 8000 * n;
	for (int i = 0; i < k.n; i++) {
		const struct perf_event_attr *attr = &k.event[i].attr;
		if (k.event[i].leader < 0)
			continue;
		uint64_t per_op = k.rate ? k.rate(attr) : k.per_op;
		if (pmu_of(attr))
			per_op = per_op * eighths_of(attr) / 8;
		k.event[i].count += per_op * n;
	}
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

static const struct pawl_bench bench = PAWL_BENCH("made up", run);
static const struct pawl_bench by_hand = PAWL_BENCH("by hand", run_by_hand);

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
