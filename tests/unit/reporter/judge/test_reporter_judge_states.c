/* Whether a change is told to depend on the machine, which layouts and one side's own times are
 * not. */
#include "tests/unit/reporter/judge/judge_fixture.h"

#include "lib/base/banned.h"

#define N 72
#define LAYOUTS 6

/* Of each pair: whether the core works for nobody else (0), for others (2) or both (1); its layout.
 */
struct at {
	int state, layout;
};

static struct summary s;

static int begin(void **state)
{
	(void)state;
	judge_init(&s);
	return 0;
}

static int end(void **state)
{
	(void)state;
	summary_release(&s);
	return 0;
}

/*
 * base: what a run takes in that state; moved: the change there; by_layout: what the head takes
 * more in the layouts of the second half.  Half a percent of noise.  NULL: of no layouts.
 */
static void add(struct at (*at)(int), const double base[3], const double moved[3], double by_layout)
{
	double head_ns[N], base_ns[N];
	struct track *t;
	struct bench *b;
	int i;

	for (i = 0; i < N; i++) {
		struct at p = at(i);
		double change = moved[p.state] + (p.layout > LAYOUTS / 2 ? by_layout : 0);

		base_ns[i] = base[p.state] + 1e4 * (i % 7);
		head_ns[i] = base_ns[i] * (1 + change + 1e-3 * (i * 5 % 11 - 5));
	}
	b = add_pairs(&s, "x", head_ns, base_ns, N, 0.01);
	if (!at(0).layout)
		return;
	t = bench_add_track(b, SUMMARY_LAYOUTS, NULL);
	assert_non_null(t);
	for (i = 0; i < N; i++)
		assert_int_equal(0, samples_add(&t->head, &t->n_head, at(i).layout, NULL));
}

static const char *said(void)
{
	const char *note;

	judge_well(&s);
	note = delta_of(&s, "x")->note;
	note = note ? strstr(note, "the change depends on the state of the machine") : NULL;
	return note ? note : "";
}

static const double steady[3] = { 20e6, 20e6, 20e6 }, shared[3] = { 20e6, 26e6, 32e6 };
static const double none[3] = { 0, 0, 0 }, less[3] = { 0.02, 0.0125, 0.005 };

static struct at as_built(int i)
{
	return (struct at){ i % 3, 0 };
}

/* Each layout in each state. */
static struct at by_turns(int i)
{
	return (struct at){ i % 3, 1 + i / 3 % LAYOUTS };
}

/* The first half where it is quick, the second half where it is slow, one in eight the other way.
 */
static struct at mostly_apart(int i)
{
	int layout = 1 + i / 3 % (LAYOUTS / 2);
	bool other = i / 3 % 8 == 7;

	return (struct at){ i % 3, layout + ((i % 3 == 2) != other ? LAYOUTS / 2 : 0) };
}

static struct at apart(int i)
{
	return (struct at){ i % 3, 1 + i / 3 % (LAYOUTS / 2) + (i % 3 == 2 ? LAYOUTS / 2 : 0) };
}

static void change_that_is_another_one_on_a_slow_machine_is_noted(void **state)
{
	(void)state;
	add(as_built, shared, less, 0);
	assert_non_null(strstr(said(), "machine: +2 % where a run takes 20.2 ms, +0."));
	assert_non_null(strstr(said(), " % where it takes 32.1 ms"));
}

static void change_that_is_the_same_everywhere_is_not(void **state)
{
	static const double same[3] = { 0.02, 0.02, 0.02 };

	(void)state;
	add(as_built, shared, same, 0);
	assert_string_equal(said(), "");
}

static void change_that_differs_by_less_than_counts_is_not(void **state)
{
	static const double near[3] = { 0.02, 0.016, 0.012 };

	(void)state;
	add(as_built, shared, near, 0);
	assert_string_equal(said(), "");
}

static void layouts_of_5_percent_are_no_states(void **state)
{
	(void)state;
	add(by_turns, steady, none, 0.05);
	assert_string_equal(said(), "");
}

/* Half of its layouts are slow, and so are these pairs: the base knows nothing of it. */
static void layouts_of_the_head_that_make_its_times_are_no_states(void **state)
{
	(void)state;
	add(by_turns, steady, none, 0.4);
	assert_string_equal(said(), "");
}

static void program_of_two_times_is_no_machine_of_two_states(void **state)
{
	static const double own[3] = { 0, 0.2, 0.4 };

	(void)state;
	add(as_built, steady, own, 0);
	assert_string_equal(said(), "");
}

/* What differs is the layouts: each of them is the same in both states. */
static void layouts_that_mostly_met_one_state_are_no_states(void **state)
{
	(void)state;
	add(mostly_apart, shared, none, 0.05);
	assert_string_equal(said(), "");
}

static void states_are_seen_beside_layouts(void **state)
{
	(void)state;
	add(by_turns, shared, less, 0.004);
	assert_non_null(strstr(said(), "machine: +"));
}

static void states_are_seen_where_layouts_mostly_met_one(void **state)
{
	(void)state;
	add(mostly_apart, shared, less, 0);
	assert_non_null(strstr(said(), "machine: +2 %"));
}

static void layouts_that_each_met_one_state_leave_it_open(void **state)
{
	(void)state;
	add(apart, shared, none, 0.05);
	assert_non_null(strstr(said(), "the machine, or on the layout: "));
}

#define ONE(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(change_that_is_another_one_on_a_slow_machine_is_noted),
		ONE(change_that_is_the_same_everywhere_is_not),
		ONE(change_that_differs_by_less_than_counts_is_not),
		ONE(layouts_of_5_percent_are_no_states),
		ONE(layouts_of_the_head_that_make_its_times_are_no_states),
		ONE(program_of_two_times_is_no_machine_of_two_states),
		ONE(layouts_that_mostly_met_one_state_are_no_states),
		ONE(states_are_seen_beside_layouts),
		ONE(states_are_seen_where_layouts_mostly_met_one),
		ONE(layouts_that_each_met_one_state_leave_it_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
