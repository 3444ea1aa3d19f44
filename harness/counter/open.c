/* SPDX-License-Identifier: MIT */
#include "harness/counter/counter.h"

#ifdef __linux__ /* else: counter/none.c */

#include "harness/counter/perf.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/counter/self.h"

#define RETRIES 5
#define PMU_SHIFT 32 /* of a PMU's type in the config of a general event */
#define PMU_PATH 512

static int open_attr(const struct counter_calls *calls, struct perf_event_attr *attr, int group_fd)
{
	uint32_t asked = attr->size;
	int fd = -EINTR;
	for (int i = 0; i < RETRIES && (fd == -EINTR || fd == -E2BIG); i++) {
		fd = calls->open(attr, group_fd);
		/* An older kernel writes the size that it knows. */
		if (fd == -E2BIG && (attr->size == asked || attr->size == 0))
			break;
		asked = attr->size;
	}
	return fd;
}

static void fill_attr(const struct counter_event *event, const struct counter_ask *ask,
		      struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->type = event->type;
	attr->config = event->config;
	if (event->type != PERF_TYPE_SOFTWARE) {
		attr->config |= (uint64_t)ask->pmu << PMU_SHIFT;
		attr->config1 = ask->self ? pawl_self_config1() : 0;
	}
	attr->disabled = ask->group_fd < 0;
	attr->inherit = ask->inherit;
	attr->enable_on_exec = ask->on_exec && ask->group_fd < 0;
	attr->exclude_hv = 1;
	attr->exclude_kernel = event->mode == MODE_USER;
	attr->exclude_user = event->mode == MODE_KERNEL;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (ask->grouped)
		attr->read_format |= PERF_FORMAT_GROUP;
}

int pawl_counter_open(const struct counter_calls *calls, const struct counter_event *event,
		      const struct counter_ask *ask, bool *out_both)
{
	struct perf_event_attr attr;
	int fd, second;
	fill_attr(event, ask, &attr);
	*out_both = false;
	fd = open_attr(calls, &attr, ask->group_fd);
	if (fd == -EINVAL && attr.config1) {
		attr.config1 = 0;
		fd = open_attr(calls, &attr, ask->group_fd);
	}
	if (fd == -EINVAL && event->mode == MODE_USER) {
		attr.exclude_hv = 0;
		attr.exclude_kernel = 0;
		second = open_attr(calls, &attr, ask->group_fd);
		*out_both = second >= 0;
		return second >= 0 || second == -EACCES ? second : fd;
	}
	if ((fd == -EACCES || fd == -EPERM) && event->mode != MODE_USER) {
		attr.exclude_user = 0;
		attr.exclude_kernel = 1;
		second = open_attr(calls, &attr, ask->group_fd);
		if (second >= 0)
			(void)calls->close(second);
		else
			fd = second;
	}
	return fd;
}

/* A small file of a PMU; false when it is not there or empty. */
static bool read_file(const char *root, const char *pmu, const char *name, char *out, int size)
{
	char path[PMU_PATH];
	int n = snprintf(path, sizeof(path), "%s/%s/%s", root, pmu, name);
	FILE *file = n > 0 && n < PMU_PATH ? fopen(path, "re") : NULL;
	bool good;
	if (!file)
		return false;
	good = fgets(out, size, file) && out[0] && out[0] != '\n';
	(void)fclose(file);
	return good;
}

/* The type of a PMU that counts on cores; 0: it is none, or none of its cores is there. */
static uint32_t core_type(const char *root, const char *pmu)
{
	char text[64];
	unsigned type = 0;
	if (pmu[0] == '.' || !read_file(root, pmu, "cpus", text, sizeof(text)) ||
	    !read_file(root, pmu, "type", text, sizeof(text)) || sscanf(text, "%9u", &type) != 1)
		return 0;
	return type;
}

/* Adds in order of type, so that what folder entries come first does not matter. */
static void add_pmu(struct counter_pmus *p, uint32_t type)
{
	int at = p->n;
	if (p->n == COUNTER_PMUS)
		return;
	for (; at > 0 && p->type[at - 1] > type; at--)
		p->type[at] = p->type[at - 1];
	p->type[at] = type;
	p->n++;
}

/* Kernels before 5.13, and those of ARM before 6.6, cannot be asked for each PMU. */
static bool kernel_tells_apart(const struct counter_calls *calls, const struct counter_pmus *p)
{
	static const struct counter_event cycles = { "cycles", PERF_TYPE_HARDWARE,
						     PERF_COUNT_HW_CPU_CYCLES, MODE_USER };
	for (int i = 0; i < p->n; i++) {
		struct counter_ask ask = { .group_fd = -1, .pmu = p->type[i] };
		bool both;
		int fd = pawl_counter_open(calls, &cycles, &ask, &both);
		if (fd >= 0)
			(void)calls->close(fd);
		if (fd >= 0 || (fd != -ENOENT && fd != -EINVAL))
			return true;
	}
	return false;
}

void pawl_counter_pmus(const struct counter_calls *calls, struct counter_pmus *out)
{
	struct counter_pmus p = { { 0 }, 0 };
	DIR *dir = opendir(calls->devices);
	const struct dirent *entry;
	while (dir && (entry = readdir(dir))) {
		uint32_t type = core_type(calls->devices, entry->d_name);
		if (type)
			add_pmu(&p, type);
	}
	if (dir)
		(void)closedir(dir);
	if (p.n < 2 || !kernel_tells_apart(calls, &p))
		p.n = 0;
	*out = p;
}

#endif
