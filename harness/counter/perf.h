/* SPDX-License-Identifier: MIT */
/*
 * counter_perf - events of perf_event_open(2): opened, grouped, read.
 *
 * What passes over a benchmark and counts of a child process have in common.  Processors with
 * two kinds of core have a PMU for each: there an event is opened once on every PMU, and its
 * counts and times are added up.
 */
#ifndef PAWL_HARNESS_COUNTER_PERF_H
#define PAWL_HARNESS_COUNTER_PERF_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "harness/counter/counter.h"

#define COUNTER_GROUP 4 /* events of one pass */

/* The system calls, so that tests put their own behind them.  Each returns -errno. */
struct counter_calls {
	int (*open)(struct perf_event_attr *attr, int group_fd);
	ssize_t (*read)(int fd, void *out, size_t size);
	int (*control)(int fd, unsigned long request, unsigned long flags);
	int (*close)(int fd);
	int (*paranoid)(void); /* kernel.perf_event_paranoid; -errno when unknown */
	void *(*map)(int fd);  /* the event's page; NULL when it cannot be had */
	void (*unmap)(void *page);
	/* The processor's counter `number`, as it is; false where it cannot be read. */
	bool (*pmc)(uint32_t number, uint64_t *out);
	const char *devices; /* the folder of the PMUs */
};

enum counter_mode { MODE_USER, MODE_KERNEL, MODE_BOTH };

struct counter_event {
	const char *name;
	uint32_t type;
	uint64_t config;
	enum counter_mode mode;
};

/* How an event is opened. */
struct counter_ask {
	int group_fd; /* of its leader; -1: it leads */
	uint32_t pmu; /* 0: whichever */
	bool grouped; /* read with its group */
	bool inherit; /* with what the thread starts from now on */
	bool on_exec; /* counts from the next exec on */
	bool self;    /* is to be read from user space */
};

/*
 * Opens one event.  Returns its descriptor or -errno.
 *
 * EINTR is tried again five times, E2BIG with the size that the kernel names.  EINVAL may mean
 * that the counters cannot tell user from kernel: they are asked for both, and *out_both says so.
 * A refusal of kernel counting may hide that there is no such event, so that it is looked for
 * without the kernel before the refusal is believed.
 */
int pawl_counter_open(const struct counter_calls *calls, const struct counter_event *event,
		      const struct counter_ask *ask, bool *out_both);

/*
 * Finds the PMUs of the cores below calls->devices: those with a file `cpus` that is not empty.
 * out->n is 0 where there is only one kind, or where the kernel cannot be asked for each.
 * Cost: one open for each PMU found; some reads of files.
 */
void pawl_counter_pmus(const struct counter_calls *calls, struct counter_pmus *out);

/* One group that is open.  Order of the values: as they were opened. */
struct counter_group {
	const struct counter_calls *calls;
	int fd[COUNTER_GROUP];
	int event[COUNTER_GROUP];  /* row of the table */
	void *page[COUNTER_GROUP]; /* NULL: not mapped */
	int n;
	bool self;			   /* is to be read from user space */
	uint64_t by_call;		   /* readings that took the system call all the same */
	uint64_t begun[3 + COUNTER_GROUP]; /* as read: n, enabled, running, values */
	uint64_t sum[3 + COUNTER_GROUP];   /* of the differences; [0] is unused */
	uint64_t empty[3 + COUNTER_GROUP]; /* what the reading itself counts */
	uint64_t regions;
	int error;		    /* of a read; 0 or -errno */
	struct counter_group *next; /* the same on another PMU, or NULL */
};

#define GROUP_ENABLED 1 /* places in a group's reading */
#define GROUP_RUNNING 2
#define GROUP_VALUES 3

/* Reads a group into out[GROUP_VALUES + g->n]; a fault is kept in g->error. */
void pawl_group_read(struct counter_group *g, uint64_t *out);

/* Starts counting and fills `empty`; all of this is for g and what is linked behind it. */
void pawl_group_start(struct counter_group *g);
void pawl_group_stop(struct counter_group *g);

/* Unmaps and closes. */
void pawl_group_close(struct counter_group *g);

#define COUNTER_PARTIAL "only some kinds of this processor's cores count it"

/* What was counted of one event, over all PMUs. */
struct counter_sum {
	double value, overhead;
	double share; /* of the time in which it was to count, it did */
	int n;	      /* of PMUs */
	bool enabled; /* it was to count at all */
	bool partial; /* only some kinds of cores offer it */
	int error;    /* 0 or -errno */
};

/* Adds what one PMU counted. */
void pawl_counter_sum(struct counter_sum *sum, double value, double overhead, uint64_t enabled,
		      uint64_t running);

/*
 * State, value and, where there is none, reason; value is the sum's divided by n.  A reason that
 * stands there already is kept beside a value.
 */
void pawl_counter_conclude(const struct counter_sum *sum, uint64_t n, struct counter *out);

/* Sets a state without a value. */
void pawl_counter_set(struct counter *c, enum counter_state state, const char *reason);

#endif
