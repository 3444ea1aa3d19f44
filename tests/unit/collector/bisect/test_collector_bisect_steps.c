/* Every commit that moved it: also what comes and goes between GOOD and BAD. */
#include "tests/unit/collector/bisect/bisect_fixture.h"

#include "collector/bisect/steps.h"

#include "lib/base/banned.h"

static struct bisect_log past;
static struct bisect_steps found;

static int release(void **state)
{
	(void)state;
	bisect_steps_release(&found);
	bisect_log_release(&past);
	return 0;
}

static void find(struct line *line)
{
	struct bisect_request rq = line_request(line);
	struct err err = ERR_INIT;

	bisect_steps_release(&found);
	if (bisect_steps(&rq, &past, &found, &err))
		fail_msg("%s", err.text);
}

/* +19 % in 5, -16 % in 12, and nothing from end to end. */
static void init(struct line *line)
{
	int i;

	line_init(line, 16, 5, log(1.19));
	for (i = 12; i <= 16; i++)
		line->level[i] = log(1.19 * 0.84);
}

static void steps_that_cancel_out_are_all_found(void **state)
{
	struct line line;

	(void)state;
	init(&line);
	find(&line);
	assert_int_equal(2, found.n);
	assert_int_equal(5, line_at(found.v[0].commit));
	assert_int_equal(4, line_at(found.v[0].base));
	assert_float_equal(log(1.19), found.v[0].evidence->theta, 1e-12);
	assert_int_equal(12, line_at(found.v[1].commit));
	assert_float_equal(log(0.84), found.v[1].evidence->theta, 1e-12);
	assert_int_equal(16, found.n_commits);
	assert_int_equal(16, line.n_measured);
	assert_int_equal(BISECT_STEP, line.last.kind);
	/* asked again, nothing is measured */
	find(&line);
	assert_int_equal(2, found.n);
	assert_int_equal(16, line.n_measured);
	assert_int_equal(16, found.n_before);
}

static void what_cannot_be_measured_is_part_of_the_next_step(void **state)
{
	struct line line;

	(void)state;
	init(&line);
	line.broken[4] = line.broken[5] = true;
	find(&line);
	assert_int_equal(2, found.n);
	assert_int_equal(6, line_at(found.v[0].commit));
	assert_int_equal(3, line_at(found.v[0].base));
	assert_int_equal(2, found.v[0].n_between);
	assert_int_equal(2, found.n_skipped);
}

/* Where nothing stands against GOOD, the next commit that can be measured is what others stand
 * against. */
static void steps_above_a_good_that_cannot_be_measured_are_found(void **state)
{
	struct line line;

	(void)state;
	init(&line);
	line.broken[0] = line.broken[16] = true;
	find(&line);
	assert_int_equal(2, found.n);
	assert_int_equal(5, line_at(found.v[0].commit));
	assert_int_equal(4, line_at(found.v[0].base));
	assert_int_equal(0, found.v[0].n_between);
	assert_int_equal(12, line_at(found.v[1].commit));
	assert_int_equal(2, found.n_skipped);
	bisect_log_release(&past);
	line.broken[1] = line.broken[2] = line.broken[3] = true;
	find(&line);
	assert_int_equal(2, found.n);
	assert_int_equal(5, line_at(found.v[0].commit));
	assert_int_equal(4, line_at(found.v[0].base));
	assert_int_equal(5, found.n_skipped);
	/* a GOOD that can be measured is not left */
	bisect_log_release(&past);
	line_init(&line, 16, 2, log(1.19));
	line.broken[1] = line.broken[2] = line.broken[3] = true;
	find(&line);
	assert_int_equal(1, found.n);
	assert_int_equal(4, line_at(found.v[0].commit));
	assert_int_equal(0, line_at(found.v[0].base));
	assert_int_equal(3, found.v[0].n_between);
}

static void what_is_not_told_is_measured_with_more_pairs(void **state)
{
	struct line line;

	(void)state;
	init(&line);
	line.arm[BISECT_LOOKS] = 0.5;
	find(&line);
	assert_int_equal(2, found.n);
	assert_int_equal(32, line.n_measured);
	bisect_log_release(&past);
	line.arm[BISECT_LOOKS + 1] = line.arm[BISECT_LOOKS + 2] = 0.5;
	find(&line);
	assert_int_equal(0, found.n);
	assert_int_equal(16, found.n_unclear);
}

static void it_goes_on_where_the_time_was_over(void **state)
{
	struct line line;

	(void)state;
	init(&line);
	line.no_time_at = 7;
	find(&line);
	assert_true(found.timed);
	assert_int_equal(1, found.n);
	line.no_time_at = -1;
	find(&line);
	assert_false(found.timed);
	assert_int_equal(2, found.n);
	assert_int_equal(16, line.n_measured);
	assert_int_equal(7, found.n_before);
}

static int no_parent(void *ctx, const char *commit, char out[OID_TEXT], struct err *err)
{
	(void)ctx;
	(void)out;
	return err_set(err, ERR_ABSENT, "commit %.12s has no parent: it is the first one", commit);
}

static void a_good_beside_the_main_line_is_refused(void **state)
{
	struct bisect_request rq;
	struct err err = ERR_INIT;
	struct line line;

	(void)state;
	init(&line);
	rq = line_request(&line);
	rq.parent = no_parent;
	assert_int_equal(-1, bisect_steps(&rq, &past, &found, &err));
	assert_int_equal(ERR_USAGE, err.code);
	assert_non_null(strstr(err.text, "is not on the main line of BAD"));
}

#define ONE(test) cmocka_unit_test_teardown(test, release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(steps_that_cancel_out_are_all_found),
		ONE(what_cannot_be_measured_is_part_of_the_next_step),
		ONE(steps_above_a_good_that_cannot_be_measured_are_found),
		ONE(what_is_not_told_is_measured_with_more_pairs),
		ONE(it_goes_on_where_the_time_was_over),
		ONE(a_good_beside_the_main_line_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
