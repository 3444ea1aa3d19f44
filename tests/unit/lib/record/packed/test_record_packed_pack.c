/* A packed result gives back what was put in, one benchmark alone too, and finds every damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tests/unit/lib/record/packed/random_summary.h"

#include "lib/digest/crc.h"
#include "lib/record/packed/pack.h"

static void pack(const struct summary *s, struct buf *out)
{
	struct err err = ERR_INIT;

	if (summary_pack(s, out, &err))
		fail_msg("summary_pack: %s", err.text);
}

static void hold_same_json(const struct summary *a, const struct summary *b)
{
	struct buf first = BUF_INIT, second = BUF_INIT;

	assert_int_equal(summary_encode(a, 0, &first, NULL), 0);
	assert_int_equal(summary_encode(b, 0, &second, NULL), 0);
	assert_string_equal(buf_str(&first), buf_str(&second));
	buf_release(&first);
	buf_release(&second);
}

static void the_crc_is_that_of_xz(void **state)
{
	(void)state;
	/* ECMA-182's check value, as the xz tool prints it */
	assert_true(crc64(0, "123456789", 9) == 0x995dc9bbdf1939fau);
	assert_true(crc64(crc64(0, "1234567", 7), "89", 2) == 0x995dc9bbdf1939fau);
	assert_true(crc64_words((const uint64_t[]){ 0x3837363534333231u, 0x3132333435363738u },
				2) == crc64(0, "1234567887654321", 16));
}

static void what_is_unpacked_makes_the_very_same_json_and_bytes(void **state)
{
	struct buf packed = BUF_INIT, again = BUF_INIT;
	struct summary s, back;
	struct coin coin;
	struct err err = ERR_INIT;
	size_t i;

	(void)state;
	coin_init(&coin, 7);
	for (i = 0; i < 400; i++) {
		random_summary(&coin, i % 7, &s);
		buf_reset(&packed);
		buf_reset(&again);
		pack(&s, &packed);
		if (summary_unpack(packed.data, packed.len, &back, &err))
			fail_msg("summary %zu: %s", i, err.text);
		hold_same_json(&s, &back);
		/* Fields that JSON leaves out or shortens are in the bytes. */
		pack(&back, &again);
		assert_int_equal(packed.len, again.len);
		assert_memory_equal(packed.data, again.data, packed.len);
		summary_release(&s);
		summary_release(&back);
	}
	buf_release(&packed);
	buf_release(&again);
}

static void a_benchmark_is_read_without_the_others(void **state)
{
	struct packed opened = PACKED_INIT;
	struct buf packed = BUF_INIT;
	struct summary s, part;
	struct coin coin;

	(void)state;
	coin_init(&coin, 3);
	random_summary(&coin, 9, &s);
	pack(&s, &packed);
	packed.data[packed.len - 1] ^= 1; /* the last one is damaged */
	assert_int_equal(packed_open(packed.data, packed.len, &opened, NULL), 0);
	assert_int_equal(opened.n, 9);
	assert_int_equal(packed_find(&opened, "b/4"), 4);
	assert_int_equal(packed_find(&opened, "b/9"), 9);
	assert_int_equal(packed_head(&opened, &part, NULL), 0);
	assert_int_equal(part.n_benchmarks, 0);
	assert_int_equal(packed_bench(&opened, 4, &part, NULL), 0);
	assert_string_equal(part.benchmarks[0].name, "b/4");
	assert_int_equal(part.benchmarks[0].n_tracks, s.benchmarks[4].n_tracks);
	assert_int_equal(packed_bench(&opened, 8, &part, NULL), -1);
	summary_release(&part);
	summary_release(&s);
	packed_release(&opened);
	buf_release(&packed);
}

static void every_flipped_bit_and_every_cut_is_found(void **state)
{
	struct buf packed = BUF_INIT;
	struct summary s, back;
	struct err err;
	struct coin coin;
	size_t i;

	(void)state;
	coin_init(&coin, 11);
	random_summary(&coin, 2, &s);
	pack(&s, &packed);
	for (i = 0; i < 8 * packed.len; i++) {
		packed.data[i / 8] ^= (char)(1 << i % 8);
		err_clear(&err);
		assert_int_equal(summary_unpack(packed.data, packed.len, &back, &err), -1);
		assert_int_equal(err.code, ERR_CORRUPT);
		packed.data[i / 8] ^= (char)(1 << i % 8);
	}
	for (i = 0; i < packed.len; i++) {
		err_clear(&err);
		assert_int_equal(summary_unpack(packed.data, i, &back, &err), -1);
		assert_int_equal(err.code, ERR_CORRUPT);
	}
	buf_addc(&packed, 0);
	assert_int_equal(summary_unpack(packed.data, packed.len, &back, &err), -1);
	summary_release(&s);
	buf_release(&packed);
}

static void a_newer_packed_form_is_named_as_such(void **state)
{
	struct buf packed = BUF_INIT;
	struct summary s, back;
	struct err err = ERR_INIT;

	(void)state;
	summary_init(&s);
	pack(&s, &packed);
	packed.data[4] = PACK_VERSION + 1;
	packed.data[5] = (char)~packed.data[4];
	assert_int_equal(summary_unpack(packed.data, packed.len, &back, &err), -1);
	assert_int_equal(err.code, ERR_NEWER);
	assert_non_null(strstr(err.text, "version 2"));
	buf_release(&packed);
}

static void more_than_a_result_may_have_is_refused(void **state)
{
	struct buf packed = BUF_INIT;
	struct summary s;
	struct err err = ERR_INIT;
	struct bench *b;
	char name[16];
	int i;

	(void)state;
	summary_init(&s);
	b = summary_add_bench(&s, "one", NULL);
	for (i = 0; i <= SUMMARY_MAX_METRICS; i++) {
		snprintf(name, sizeof(name), "m%d", i);
		assert_non_null(bench_add_metric(b, name, "1", BETTER_LOWER, NULL));
	}
	assert_int_equal(summary_pack(&s, &packed, &err), -1);
	assert_int_equal(err.code, ERR_LIMIT);
	summary_release(&s);
	buf_release(&packed);
}

/* 30 pairs of whole nanoseconds over the iterations, and anchors that all benchmarks have. */
static void add_measured(struct coin *coin, struct summary *s, const double *anchor, int number)
{
	struct metric *m;
	struct track *t;
	struct bench *b;
	char name[32];
	int i;

	snprintf(name, sizeof(name), "suite/%d", number);
	b = summary_add_bench(s, name, NULL);
	b->iterations = 16384;
	m = bench_add_metric(b, "cpu", "ns", BETTER_LOWER, NULL);
	t = bench_add_track(b, "anchor-alu", NULL);
	for (i = 0; i < 30; i++) {
		samples_add(&m->samples, &m->n, floor(1.8e6 + 1e5 * draw(coin)) / 16384, NULL);
		samples_add(&m->baseline_samples, &m->n_baseline,
			    floor(1.8e6 + 1e5 * draw(coin)) / 16384, NULL);
		samples_add(&t->head, &t->n_head, anchor[i], NULL);
	}
}

static void samples_take_little_more_than_what_is_random_in_them(void **state)
{
	struct buf packed = BUF_INIT;
	struct summary s;
	struct coin coin;
	double anchor[30];
	int i;

	(void)state;
	coin_init(&coin, 5);
	summary_init(&s);
	for (i = 0; i < 30; i++)
		anchor[i] = draw(&coin);
	for (i = 0; i < 100; i++)
		add_measured(&coin, &s, anchor, i);
	pack(&s, &packed);
	/* 60 values of log2(1e5) = 16.6 bits are 125 bytes; 240 of the anchor are there once. */
	assert_in_range(packed.len, 12500, 100 * 200);
	summary_release(&s);
	buf_release(&packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_crc_is_that_of_xz),
		cmocka_unit_test(what_is_unpacked_makes_the_very_same_json_and_bytes),
		cmocka_unit_test(a_benchmark_is_read_without_the_others),
		cmocka_unit_test(every_flipped_bit_and_every_cut_is_found),
		cmocka_unit_test(a_newer_packed_form_is_named_as_such),
		cmocka_unit_test(more_than_a_result_may_have_is_refused),
		cmocka_unit_test(samples_take_little_more_than_what_is_random_in_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
