/*
 * runner_fixture - units whose sides are small scripts around tests/helpers/fixture.
 */
#ifndef PAWL_TESTS_UNIT_COLLECTOR_RUN_RUNNER_FIXTURE_H
#define PAWL_TESTS_UNIT_COLLECTOR_RUN_RUNNER_FIXTURE_H

#include "tests/unit/collector/child_fixture.h"

#include "collector/run/runner.h"

static struct bed {
	char dir[40];
	char *fixture;
	struct process_runner runner;
	struct bench_config config;
	struct unit unit;
	struct pair pair;
	struct err err;
} bed;

/* A path in the folder of this test; valid until the next call. */
static inline const char *in_bed(const char *name)
{
	static char path[200];

	snprintf(path, sizeof(path), "%s/%s", bed.dir, name);
	return path;
}

/* Writes a shell script that becomes the fixture with these words (quoted for the shell). */
static inline void write_script(const char *name, const char *words)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "#!/bin/sh\nexec '%s' %s\n", bed.fixture, words);
	assert_int_equal(0, file_write_whole(in_bed(name), text.data, text.len, 0755, NULL));
	buf_release(&text);
}

static inline void set_side(struct side *side, const char *name)
{
	assert_int_equal(0, str_set(&side->exe, in_bed(name), NULL));
}

/* The two sides of the unit: scripts of these words; base NULL: there is none. */
static inline void set_sides(enum bench_format format, const char *head, const char *base)
{
	bed.unit.format = format;
	write_script("head", head);
	set_side(&bed.unit.head, "head");
	bed.unit.has_base = base != NULL;
	if (!base)
		return;
	write_script("base", base);
	set_side(&bed.unit.base, "base");
}

static inline void release_pair(void)
{
	run_release(&bed.pair.head);
	run_release(&bed.pair.base);
	memset(&bed.pair, 0, sizeof(bed.pair));
}

/* One pair in that order; fails the test when the call fails. */
static inline void run_pair_in(int order)
{
	struct runner r = process_runner_of(&bed.runner);

	release_pair();
	bed.pair.order = order;
	if (r.pair(r.ctx, &bed.unit, &bed.pair, &bed.err))
		fail_msg("pair: %s", bed.err.text);
}

static inline void calibrate_on(const struct side *side)
{
	struct runner r = process_runner_of(&bed.runner);

	if (r.calibrate(r.ctx, &bed.unit, side, &bed.err))
		fail_msg("calibrate: %s", bed.err.text);
}

/* A fresh unit "b" of 20 iterations in 2 slices. */
static inline int bed_begin(void **state)
{
	(void)state;
	memset(&bed.config, 0, sizeof(bed.config));
	memset(&bed.unit, 0, sizeof(bed.unit));
	err_clear(&bed.err);
	bed.config.threshold = 0.01;
	bed.unit.config = &bed.config;
	bed.unit.iterations = 20;
	bed.unit.slices = 2;
	return strv_add(&bed.config.command, "bench", NULL) || str_set(&bed.unit.name, "b", NULL) ||
			       str_set(&bed.unit.inner, "b", NULL)
		       ? -1
		       : 0;
}

static inline int bed_end(void **state)
{
	(void)state;
	release_pair();
	unit_release(&bed.unit);
	strv_release(&bed.config.command);
	return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD ? 0 : -1;
}

static inline int bed_make(void **state)
{
	(void)state;
	child_adopt_orphans();
	bed.fixture = build_path("helpers/fixture");
	memcpy(bed.dir, "/tmp/pawl-bed.XXXXXX", sizeof("/tmp/pawl-bed.XXXXXX"));
	bed.runner = (struct process_runner){ .cpu = -1, .min_time_ns = 1000000 };
	return mkdtemp(bed.dir) ? 0 : -1;
}

static inline int bed_remove(void **state)
{
	(void)state;
	free(bed.fixture);
	return file_remove_tree(bed.dir, NULL);
}

#endif
