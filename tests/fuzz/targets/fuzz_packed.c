/*
 * A packed result from a store that anything may have happened to: refused, or a result that can be
 * packed again.  The checksums would stop nearly every mutation, so the first byte chooses what
 * lies behind them as well.
 */
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#include "lib/digest/crc.h"
#include "lib/judge/points.h"
#include "lib/record/packed/column.h"
#include "lib/record/packed/fields.h"
#include "lib/record/packed/pack.h"

#include "lib/base/banned.h"

enum { WHOLE, HEAD, ROW, COLUMN, TEXTS, POINTS, N };

static void hold(const struct summary *a)
{
	struct buf packed = BUF_INIT, first = BUF_INIT, second = BUF_INIT;
	struct err err = ERR_INIT;
	struct summary b;

	must(!summary_pack(a, &packed, &err));
	must(!summary_unpack(packed.data, packed.len, &b, &err));
	must(!summary_encode(a, 0, &first, &err));
	must(!summary_encode(&b, 0, &second, &err));
	must(!strcmp(buf_str(&first), buf_str(&second)));
	summary_release(&b);
	buf_release(&packed);
	buf_release(&first);
	buf_release(&second);
}

static void whole(const uint8_t *data, size_t n)
{
	struct err err = ERR_INIT;
	struct summary s;

	if (summary_unpack(data, n, &s, &err)) {
		must(err.code != ERR_NONE && *err.text && fuzz_is_line(err.text));
		return;
	}
	fuzz_accept();
	hold(&s);
	summary_release(&s);
}

static void fields(const uint8_t *data, size_t n, bool row)
{
	struct buf bytes = BUF_INIT;
	struct texts texts = TEXTS_INIT;
	struct shared shared = SHARED_INIT;
	struct err err = ERR_INIT;
	struct codec c = {
		.p = data, .end = data + n, .texts = &texts, .shared = &shared, .err = &err
	};
	struct summary s;
	struct bench *b;

	buf_add(&bytes, "a\0cpu\0ns", 9);
	must(!texts_read(&bytes, 3, &texts, &err));
	shared.read = data;
	shared.end = data + n;
	summary_init(&s);
	b = row ? summary_add_bench(&s, "b", &err) : NULL;
	must(b || !row);
	if (row)
		fields_of_bench(&c, b);
	else
		fields_of_head(&c, &s);
	if (codec_end(&c)) {
		must(err.code == ERR_CORRUPT && fuzz_is_line(err.text));
	} else {
		fuzz_accept();
		hold(&s);
	}
	summary_release(&s);
	texts_release(&texts);
}

static void column(const uint8_t *data, size_t n)
{
	double x[100], y[100];
	struct buf out = BUF_INIT;
	size_t count;

	if (n < 2)
		return;
	count = data[0] % 100 + 1;
	if (!column_read(data + 2, data + n, x, count, data[1]))
		return;
	fuzz_accept();
	column_write(x, count, data[1], &out);
	must(column_read((unsigned char *)out.data, (unsigned char *)out.data + out.len, y, count,
			 data[1]) == (unsigned char *)out.data + out.len);
	must(!memcmp(x, y, count * sizeof(*x)));
	buf_release(&out);
}

static void text(const uint8_t *data, size_t n)
{
	struct texts texts = TEXTS_INIT;
	struct buf bytes = BUF_INIT;
	size_t i;

	if (!n)
		return;
	buf_add(&bytes, data + 1, n - 1);
	if (texts_read(&bytes, data[0], &texts, NULL))
		return;
	fuzz_accept();
	for (i = 0; i < texts.n; i++)
		must(strlen(texts_get(&texts, i)) < n);
	texts_release(&texts);
}

/* The bytes behind a checksum and a rule that fit. */
static void points(const uint8_t *data, size_t n)
{
	struct points p = POINTS_INIT;
	struct buf bytes = BUF_INIT;
	struct err err = ERR_INIT;
	struct summary none;
	struct point point;
	uint64_t crc;
	size_t i;
	int there;

	summary_init(&none);
	must(!points_pack(&none, &bytes, &err));
	buf_truncate(&bytes, 16);
	buf_add(&bytes, data, n);
	crc = crc64(0, bytes.data + 8, bytes.len - 8);
	for (i = 0; i < 8; i++)
		bytes.data[i] = (char)(crc >> 8 * i & 255);
	if (!points_open(bytes.data, bytes.len, &p, &err)) {
		while ((there = points_next(&p, &point, &err)) > 0)
			must(point.benchmark && strlen(point.benchmark) <= n);
		if (!there)
			fuzz_accept();
	}
	must(!err.code || (err.code == ERR_CORRUPT && fuzz_is_line(err.text)));
	points_release(&p);
	buf_release(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (!n)
		return 0;
	switch (data[0] % N) {
	case WHOLE:
		whole(data + 1, n - 1);
		break;
	case COLUMN:
		column(data + 1, n - 1);
		break;
	case POINTS:
		points(data + 1, n - 1);
		break;
	case TEXTS:
		text(data + 1, n - 1);
		break;
	default:
		fields(data + 1, n - 1, data[0] % N == ROW);
	}
	return 0;
}
