/* Documents in a frame: what went in comes out, and nothing makes more of it than is allowed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/squeeze/squeeze.h"

#include "lib/base/banned.h"

#define MOST (1u << 20)

static struct err err;

static void fill(struct buf *out, size_t n)
{
	unsigned x = 12345;

	while (out->len < n) {
		x = x * 1103515245u + 12345u;
		buf_addf(out, "{\"median\": %u},", x >> 16);
	}
}

/* By RFC 8878: n blocks of 128 KiB of blanks, four bytes each; size 0: how many is not said. */
static void bomb(struct buf *out, unsigned n, uint32_t size)
{
	unsigned i;

	buf_add(out, "\x28\xb5\x2f\xfd", 4);
	if (size) {
		buf_addc(out, (char)0xa0); /* one segment, its size in four bytes */
		for (i = 0; i < 4; i++)
			buf_addc(out, (char)(size >> 8 * i & 255));
	} else {
		buf_addc(out, 0);
		buf_addc(out, 0x38); /* a window of 128 KiB */
	}
	for (i = 0; i < n; i++) {
		uint32_t head = (131072u << 3) | 2 | (i + 1 == n); /* repeated byte, last */

		buf_addc(out, (char)(head & 255));
		buf_addc(out, (char)(head >> 8 & 255));
		buf_addc(out, (char)(head >> 16 & 255));
		buf_addc(out, ' ');
	}
}

static void a_document_comes_back_byte_for_byte(void **state)
{
	static const int levels[] = { 1, 3, 9 };
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		struct buf plain = BUF_INIT, frame = BUF_INIT, back = BUF_INIT;

		fill(&plain, 300000);
		assert_true(squeeze_document(plain.data, plain.len, levels[i], &frame));
		assert_true(frame.len < plain.len / 2);
		assert_int_equal(unsqueeze_document(frame.data, frame.len, MOST, &back, &err), 0);
		assert_int_equal(back.len, plain.len);
		assert_memory_equal(back.data, plain.data, plain.len + 1);
		buf_release(&back);
		/* As many as it may have, and one less. */
		assert_int_equal(unsqueeze_document(frame.data, frame.len, plain.len, &back, &err),
				 0);
		buf_release(&back);
		assert_int_equal(
			unsqueeze_document(frame.data, frame.len, plain.len - 1, &back, &err), -1);
		assert_int_equal(err.code, ERR_LIMIT);
		assert_null(back.data);
		buf_release(&plain);
		buf_release(&frame);
	}
}

static void what_gains_nothing_or_too_much_stays_plain(void **state)
{
	struct buf out = BUF_INIT, blanks = BUF_INIT;

	(void)state;
	assert_false(squeeze_document("{}", 2, 1, &out));
	buf_addn(&blanks, ' ', 500000);
	assert_false(squeeze_document(blanks.data, blanks.len, 1, &out));
	assert_int_equal(out.len, 0);
	buf_release(&out);
	buf_release(&blanks);
}

static void a_bomb_is_refused_whatever_it_says_of_its_size(void **state)
{
	static const struct {
		unsigned n;
		uint32_t size;
		enum err_code code;
	} rows[] = {
		{ 1, 131072, ERR_RANGE },      { 1, 0, ERR_RANGE },  { 8, 1 << 20, ERR_RANGE },
		{ 9, 9 << 17, ERR_LIMIT },     { 64, 0, ERR_RANGE }, { 4000, 0, ERR_LIMIT },
		{ 9, 131072, ERR_RANGE }, /* more than it says */
		{ 1, 4000000000u, ERR_LIMIT },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf frame = BUF_INIT, out = BUF_INIT;

		bomb(&frame, rows[i].n, rows[i].size);
		assert_int_equal(unsqueeze_document(frame.data, frame.len, MOST, &out, &err), -1);
		if (err.code != rows[i].code)
			fail_msg("row %zu: %s", i, err.text);
		assert_null(out.data);
		buf_release(&frame);
	}
}

static void broken_frames_are_no_documents(void **state)
{
	struct buf plain = BUF_INIT, frame = BUF_INIT, twice = BUF_INIT, out = BUF_INIT;
	size_t i;

	(void)state;
	fill(&plain, 2000);
	assert_true(squeeze_document(plain.data, plain.len, 1, &frame));
	for (i = 0; i < frame.len; i++) {
		assert_int_equal(unsqueeze_document(frame.data, i, MOST, &out, &err), -1);
		assert_null(out.data);
	}
	assert_int_equal(unsqueeze_document(plain.data, plain.len, MOST, &out, &err), -1);
	assert_int_equal(err.code, ERR_SYNTAX);
	buf_add(&twice, frame.data, frame.len);
	buf_add(&twice, frame.data, frame.len);
	assert_int_equal(unsqueeze_document(twice.data, twice.len, MOST, &out, &err), -1);
	assert_int_equal(err.code, ERR_SYNTAX);
	buf_release(&twice);
	buf_release(&plain);
	buf_release(&frame);
}

/* By RFC 8878: the text as it is, in one block; how long it is is not said. */
static void plain_frame(struct buf *out, const char *text)
{
	uint32_t head = (uint32_t)strlen(text) << 3 | 1; /* of bytes as they are, last */

	buf_add(out, "\x28\xb5\x2f\xfd\0\x38", 6);
	buf_addc(out, (char)(head & 255));
	buf_addc(out, (char)(head >> 8 & 255));
	buf_addc(out, (char)(head >> 16 & 255));
	buf_adds(out, text);
}

static void nothing_follows_the_first_frame(void **state)
{
	struct buf first[2] = { BUF_INIT, BUF_INIT },
		   more[4] = { BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT };
	struct buf plain = BUF_INIT, both = BUF_INIT, out = BUF_INIT;
	size_t i, k;

	(void)state;
	fill(&plain, 2000);
	plain_frame(&first[0], "{\"a\": 1");
	assert_true(squeeze_document(plain.data, plain.len, 1, &first[1]));
	plain_frame(&more[0], "}");
	plain_frame(&more[1], "");
	buf_add(&more[2], "\x50\x2a\x4d\x18\0\0\0", 8); /* to be skipped */
	buf_addc(&more[3], '\n');
	for (i = 0; i < 2; i++) {
		assert_int_equal(unsqueeze_document(first[i].data, first[i].len, MOST, &out, &err),
				 0);
		buf_release(&out);
		for (k = 0; k < 4; k++) {
			buf_reset(&both);
			buf_add(&both, first[i].data, first[i].len);
			buf_add(&both, more[k].data, more[k].len);
			assert_int_equal(unsqueeze_document(both.data, both.len, MOST, &out, &err),
					 -1);
			if (err.code != ERR_SYNTAX)
				fail_msg("rows %zu, %zu: %s", i, k, err.text);
			assert_null(out.data);
		}
	}
	for (i = 0; i < 2; i++)
		buf_release(&first[i]);
	for (k = 0; k < 4; k++)
		buf_release(&more[k]);
	buf_release(&plain);
	buf_release(&both);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_document_comes_back_byte_for_byte),
		cmocka_unit_test(what_gains_nothing_or_too_much_stays_plain),
		cmocka_unit_test(a_bomb_is_refused_whatever_it_says_of_its_size),
		cmocka_unit_test(broken_frames_are_no_documents),
		cmocka_unit_test(nothing_follows_the_first_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
