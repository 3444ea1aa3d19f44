/*
 * stage_fixture - a stage in a folder of its own, and a unit whose two sides are one executable.
 */
#ifndef PAWL_TESTS_UNIT_COLLECTOR_CODE_STAGE_FIXTURE_H
#define PAWL_TESTS_UNIT_COLLECTOR_CODE_STAGE_FIXTURE_H

#include "tests/unit/collector/child_fixture.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "collector/code/stage.h"
#include "collector/code/stage_copy.h"
#include "collector/unit/unit.h"
#include "lib/digest/digest.h"

static char dir[] = "/tmp/pawl-stage.XXXXXX";
static struct stage stage;
static struct unit unit;
static struct stage_pair at;
static struct err err;

#define in_dir(name) file_in(dir, name)

static inline void put(const char *name, const char *bytes, mode_t mode)
{
	assert_int_equal(0, file_write_whole(in_dir(name), bytes, strlen(bytes), mode, NULL));
}

static inline void set_side(struct side *side, const char *exe, const char *library_path)
{
	assert_int_equal(0, str_set(&side->exe, exe, NULL));
	assert_int_equal(0, str_set(&side->binary_id, "00", NULL));
	assert_int_equal(0, str_set(&side->library_path, library_path, NULL));
}

/* Both sides are the fixture, as a cached executable without shared objects. */
static inline int begin(void **state)
{
	char *fixture;

	(void)state;
	memcpy(dir + sizeof(dir) - 7, "XXXXXX", 6);
	memset(&unit, 0, sizeof(unit));
	err_clear(&err);
	stage = (struct stage)STAGE_INIT;
	if (!mkdtemp(dir) || stage_open(in_dir("state"), 7, &stage, &err))
		return -1;
	fixture = build_path("helpers/fixture");
	unit.has_base = true;
	set_side(&unit.head, fixture, NULL);
	set_side(&unit.base, fixture, NULL);
	free(fixture);
	return str_set(&unit.name, "b", NULL);
}

static inline int end(void **state)
{
	(void)state;
	stage_close(&stage);
	unit_release(&unit);
	return file_remove_tree(dir, NULL);
}

static inline struct stage_job job(size_t pair)
{
	return (struct stage_job){ .name = unit.name,
				   .pair = pair,
				   .head = &unit.head,
				   .base = unit.has_base ? &unit.base : NULL };
}

static inline void place(size_t pair)
{
	const struct stage_job wanted = job(pair);

	if (stage_place(&stage, &wanted, &at, &err))
		fail_msg("stage_place: %s", err.text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

#endif
