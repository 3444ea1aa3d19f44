/* Who runs from which copy where units do not take turns. */
#include "tests/unit/collector/code/stage_fixture.h"

#include "lib/base/banned.h"

/* As under a time budget, where one unit runs up to its next decision point before another does. */
static void a_unit_that_comes_later_has_copies_of_its_own_for_each_pair(void **state)
{
	char before[300] = "";
	size_t i;

	(void)state;
	for (i = 0; i < 12; i++)
		place(i);
	assert_int_equal(0, str_set(&unit.name, "later", NULL));
	for (i = 0; i < 12; i++) {
		place(i);
		assert_string_not_equal(before, at.head->exe);
		snprintf(before, sizeof(before), "%s", at.head->exe);
		place(i); /* a void pair is repeated from where it was */
		assert_string_equal(before, at.head->exe);
	}
	place(5); /* pairs that were tried and thrown away have been laid out, too */
	assert_string_not_equal(before, at.head->exe);
	assert_int_equal(12 + 11 + 1, stage.n_made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_unit_that_comes_later_has_copies_of_its_own_for_each_pair),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
