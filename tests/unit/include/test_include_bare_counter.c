#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tests/unit/include/bare_fixture.h"

#include "lib/base/banned.h"

static struct {
	uintptr_t address;
	uint32_t value;
} words[8];
static size_t n_words;
static uint32_t low_steps; /* the lower half goes on by so much with every load */

static uint32_t *word(uintptr_t address)
{
	for (size_t i = 0; i < n_words; i++)
		if (words[i].address == address)
			return &words[i].value;
	assert_true(n_words < 8);
	words[n_words].address = address;
	words[n_words].value = 0;
	return &words[n_words++].value;
}

static uint32_t fake_load(uintptr_t address)
{
	uint32_t value = *word(address);
	if (low_steps) { /* a 64-bit counter at 0x100 */
		*word(0x100) += low_steps;
		*word(0x104) += *word(0x100) < low_steps;
	}
	return value;
}

static void fake_store(uintptr_t address, uint32_t value)
{
	*word(address) = value;
}

static int clear_bus(void **state)
{
	(void)state;
	n_words = 0;
	low_steps = 0;
	return 0;
}

/* The counter that ticks from..to, up and down. */
static void elapses(unsigned bits, uint64_t from, uint64_t to, uint64_t ticks)
{
	struct pawl_bare_counter c;
	pawl_bare_mapped(&c, 0x100, bits, 0, 0);
	assert_true(pawl_bare_elapsed(&c, from, to) == ticks);
	c.down = 1;
	assert_true(pawl_bare_elapsed(&c, to, from) == ticks);
}

static void a_difference_survives_one_wrap_of_every_width(void **state)
{
	(void)state;
	elapses(24, 5, 12, 7);
	elapses(24, 0xfffffe, 3, 5);
	elapses(24, 0xffffff, 0, 1);
	elapses(24, 7, 6, 0xffffff);
	elapses(32, 0xfffffffe, 3, 5);
	elapses(64, UINT64_MAX - 1, 3, 5);
	elapses(64, UINT64_MAX, 0, 1);
	elapses(64, 3, 3, 0);
}

static void a_reload_value_is_the_period(void **state)
{
	struct pawl_bare_counter c;
	(void)state;
	pawl_bare_mapped(&c, 0x100, 24, 1, 0);
	c.last = 24999; /* down: 3, 2, 1, 0, 24999, 24998 are five ticks */
	assert_true(pawl_bare_elapsed(&c, 3, 24998) == 5);
	*word(0x100) = 24998;
	assert_true(c.read(&c) == 24998);
}

static void a_narrow_counter_has_no_bits_beyond_its_width(void **state)
{
	struct pawl_bare_counter c;
	(void)state;
	*word(0x100) = 0xab123456;
	pawl_bare_mapped(&c, 0x100, 24, 0, 0);
	assert_true(c.read(&c) == 0x123456);
	pawl_bare_mapped(&c, 0x100, 32, 0, 0);
	assert_true(c.read(&c) == 0xab123456);
}

static void halves_are_never_of_two_different_times(void **state)
{
	struct pawl_bare_counter c;
	(void)state;
	pawl_bare_mapped(&c, 0x100, 64, 0, 0);
	*word(0x100) = 0xfffffffe;
	*word(0x104) = 7;
	low_steps = 1;
	/* High 7, low ffffffff, high 8: a torn 7:ffffffff or 8:ffffffff would be next. */
	uint64_t first = c.read(&c), second = c.read(&c);
	assert_true(first == 0x800000001 && second > first && second < 0x800000010);
	pawl_bare_mapped(&c, 0x100, 40, 0, 0);
	*word(0x104) = 0xabcd;
	low_steps = 0;
	assert_true(c.read(&c) >> 32 == 0xcd);
}

static void opening_finds_step_and_overhead(void **state)
{
	struct pawl_bare_counter c;
	(void)state;
	for (int down = 0; down < 2; down++) {
		fake_reset(3, 0);
		pawl_bare_by(&c, fake_read, 24, down, 1000);
		assert_int_equal(c.state, PAWL_BARE_CLOSED);
		assert_int_equal(pawl_bare_open(&c), PAWL_BARE_OK);
		assert_true(c.step == 3 && c.overhead_q8 == 3 * 256);
	}
}

static void a_counter_that_stands_still_is_dead(void **state)
{
	struct pawl_bare_counter c;
	(void)state;
	fake_reset(0, 0);
	pawl_bare_by(&c, fake_read, 32, 0, 1000);
	assert_int_equal(pawl_bare_open(&c), PAWL_BARE_DEAD);
	assert_string_equal(pawl_bare_reason(c.state), "the counter does not advance");
	fake_reset(1, 0);
	fake.stops_at = 2; /* one step, then nothing more */
	assert_int_equal(pawl_bare_open(&c), PAWL_BARE_DEAD);
	assert_int_equal(c.state, PAWL_BARE_DEAD);
}

static void a_counter_described_wrongly_is_a_misfit(void **state)
{
	struct pawl_bare_counter c;
	(void)state;
	fake_reset(3, 0);
	pawl_bare_by(&c, fake_read, 24, 0, 0);
	c.mask = UINT64_MAX; /* it has more bits than it was said to have */
	fake.now = 0x1000000;
	assert_int_equal(pawl_bare_open(&c), PAWL_BARE_MISFIT);
	*word(0x100) = 0;
	low_steps = 2; /* counts up, said to count down */
	pawl_bare_mapped(&c, 0x100, 32, 1, 0);
	assert_int_equal(pawl_bare_open(&c), PAWL_BARE_MISFIT);
}

static void frequency_comes_from_another_counter(void **state)
{
	struct pawl_bare_counter c, slow;
	(void)state;
	fake_reset(1, 0);
	pawl_bare_by(&c, fake_read, 8, 1, 0); /* goes round every 256 ticks */
	pawl_bare_by(&slow, fake_read, 64, 0, 10000000);
	assert_int_equal(pawl_bare_calibrate(&c, &slow, 100000), PAWL_BARE_CLOSED);
	pawl_bare_open(&c);
	pawl_bare_open(&slow);
	assert_int_equal(pawl_bare_calibrate(&c, &slow, 100000), PAWL_BARE_OK);
	assert_true(c.hz == 10000000);
	fake.stops_at = fake.now + 500;
	assert_int_equal(pawl_bare_calibrate(&c, &slow, 100000), PAWL_BARE_DEAD);
	slow.hz = 0;
	assert_int_equal(pawl_bare_calibrate(&c, &slow, 1), PAWL_BARE_CLOSED);
}

static void systick_is_set_up_and_counts_down(void **state)
{
	struct pawl_bare_counter c;
	(void)state;
	pawl_bare_systick(&c, 25000000);
	/* ARMv7-M ARM, B3.3.3: CTRL = CLKSOURCE | ENABLE, no TICKINT; RELOAD all ones. */
	assert_true(*word(0xe000e010) == 5 && *word(0xe000e014) == 0xffffff);
	assert_true(c.down == 1 && c.last == 0xffffff && c.address == 0xe000e018);
	assert_int_equal(c.state, PAWL_BARE_CLOSED);
}

static void dwt_is_enabled_or_absent(void **state)
{
	struct pawl_bare_counter c;
	(void)state;
	*word(0xe000edfc) = 1;
	pawl_bare_dwt(&c, 0);
	/* C1.6.5: TRCENA is bit 24 of DEMCR; C1.8.7: CYCCNTENA is bit 0, NOCYCCNT bit 25. */
	assert_true(*word(0xe000edfc) == (1 << 24 | 1) && *word(0xe0001000) == 1);
	assert_true(*word(0xe0001fb0) == 0xc5acce55);
	assert_int_equal(c.state, PAWL_BARE_CLOSED);
	assert_int_equal(pawl_bare_open(&c), PAWL_BARE_DEAD);
	*word(0xe0001000) = 1 << 25;
	pawl_bare_dwt(&c, 0);
	assert_int_equal(pawl_bare_open(&c), PAWL_BARE_ABSENT);
	assert_string_equal(pawl_bare_reason(c.state), "this processor has no such counter");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_difference_survives_one_wrap_of_every_width, clear_bus),
		cmocka_unit_test_setup(a_reload_value_is_the_period, clear_bus),
		cmocka_unit_test_setup(a_narrow_counter_has_no_bits_beyond_its_width, clear_bus),
		cmocka_unit_test_setup(halves_are_never_of_two_different_times, clear_bus),
		cmocka_unit_test_setup(opening_finds_step_and_overhead, clear_bus),
		cmocka_unit_test_setup(a_counter_that_stands_still_is_dead, clear_bus),
		cmocka_unit_test_setup(a_counter_described_wrongly_is_a_misfit, clear_bus),
		cmocka_unit_test_setup(frequency_comes_from_another_counter, clear_bus),
		cmocka_unit_test_setup(systick_is_set_up_and_counts_down, clear_bus),
		cmocka_unit_test_setup(dwt_is_enabled_or_absent, clear_bus),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
