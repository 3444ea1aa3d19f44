/* Layouts apart: each pair of two other layouts of the same code, which is how a calibration runs.
 */
#include "tests/unit/collector/pool/pool_fixture.h"

#include "lib/base/banned.h"

/* The same code on both sides: the base has the odd layouts, the head the even ones. */
static void apart_both_sides_have_other_layouts(void **state)
{
	static const unsigned even_then_odd[] = { 2, 1, 4, 3, 6, 5, 8, 7 };
	int i;

	(void)state;
	assert_int_equal(str_set(&base.binary_id, ID_A, NULL), 0);
	open_with(
		(struct pool_terms){ .first = 8, .most = 32, .allowed_ns = 50 * S, .apart = true });
	for (i = 0; i < 48; i++)
		assert_in_range(draw(0), 1, 16);
	assert_memory_equal(fake.made, even_then_odd, sizeof(even_then_odd));
	assert_int_equal(fake.n_made, 32);
	assert_int_equal(n_used(), 16);
	for (i = 1; i <= 16; i++)
		assert_int_equal(uses[i], 3);
}

static void apart_is_of_the_same_code(void **state)
{
	(void)state;
	open_with(
		(struct pool_terms){ .first = 8, .most = 32, .allowed_ns = 50 * S, .apart = true });
	assert_int_equal(draw(0), 0);
	assert_string_equal(pool_why(pool, &head, &base), "both sides are not the same code");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(apart_both_sides_have_other_layouts),
		TEST(apart_is_of_the_same_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
