#include "lib/record/packed/column.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "lib/record/packed/bytes.h"

#include "lib/base/banned.h"

#define KIND_BITS 255		 /* the first byte; else which scale of whole numbers, and */
#define CONSTANT 128		 /* whether they are all the same */
#define BY_ITERATIONS 1		 /* scale 0 is 1, those behind are powers of ten */
#define WHOLE 9007199254740992.0 /* up to there every whole number is a double */

static const double powers[] = { 0, 0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };

/* Where doubles are not rounded at once a quotient may be another one elsewhere. */
#define N_SCALES (FLT_EVAL_METHOD ? 1 : (int)(sizeof(powers) / sizeof(powers[0])))

/* 0: there is no such scale. */
static double divisor_of(int scale, uint64_t iterations)
{
	if (scale == BY_ITERATIONS)
		return iterations <= (uint64_t)WHOLE ? (double)iterations : 0;
	return scale ? powers[scale] : 1;
}

/* x = whole / divisor, to the bit. */
static bool to_whole(double x, double divisor, int64_t *out)
{
	double scaled = x * divisor;

	if (!(fabs(scaled) < WHOLE))
		return false;
	*out = (int64_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
	return bytes_of_double((double)*out / divisor) == bytes_of_double(x);
}

static uint64_t common(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Doubles in their order as numbers in the same order. */
static uint64_t to_ordered(double x)
{
	uint64_t bits = bytes_of_double(x);

	return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static double from_ordered(uint64_t key)
{
	return bytes_to_double(key >> 63 ? key & ~((uint64_t)1 << 63) : ~key);
}

static unsigned width_of(uint64_t most)
{
	unsigned width = 0;

	for (; most; most >>= 1)
		width++;
	return width;
}

/* Numbers of some bits each, one behind the other. */
struct bits {
	uint64_t waiting;
	unsigned n;
};

static void bits_add(struct bits *b, uint64_t value, unsigned width, struct buf *out)
{
	b->waiting |= value << b->n;
	if (b->n + width < 64) {
		b->n += width;
		return;
	}
	bytes_add_fixed(out, b->waiting);
	b->waiting = b->n ? value >> (64 - b->n) : 0;
	b->n = b->n + width - 64;
}

static void bits_end(struct bits *b, struct buf *out)
{
	for (; b->n; b->n = b->n > 8 ? b->n - 8 : 0, b->waiting >>= 8)
		buf_addc(out, (char)(b->waiting & 255));
}

static uint64_t bits_get(const unsigned char *p, size_t n, size_t at, unsigned width)
{
	size_t byte = at / 8, i;
	unsigned shift = at % 8;
	uint64_t value = 0;

	for (i = 0; i < 8 && byte + i < n; i++)
		value |= (uint64_t)p[byte + i] << 8 * i;
	value >>= shift;
	if (shift + width > 64 && byte + 8 < n)
		value |= (uint64_t)p[byte + 8] << (64 - shift);
	return width < 64 ? value & (((uint64_t)1 << width) - 1) : value;
}

/* False when x are not all such quotients; *out_step is 1 or what all differ by a multiple of. */
static bool find_frame(const double *x, size_t n, double divisor, int64_t *out_least,
		       int64_t *out_most, uint64_t *out_step)
{
	int64_t least = 0, most = 0, first = 0, k;
	uint64_t step = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!to_whole(x[i], divisor, &k))
			return false;
		if (!i)
			least = most = first = k;
		least = k < least ? k : least;
		most = k > most ? k : most;
		if (step != 1)
			step = common(k > first ? (uint64_t)(k - first) : (uint64_t)(first - k),
				      step);
	}
	*out_least = least;
	*out_most = most;
	*out_step = step ? step : 1;
	return true;
}

static bool write_whole(const double *x, size_t n, int scale, uint64_t iterations, struct buf *out)
{
	double divisor = divisor_of(scale, iterations);
	struct bits bits = { 0, 0 };
	int64_t least, most, k = 0;
	uint64_t step;
	unsigned width;
	size_t i;

	if (divisor < 1 || !find_frame(x, n, divisor, &least, &most, &step))
		return false;
	width = width_of((uint64_t)(most - least) / step);
	buf_addc(out, (char)(width ? scale : scale | CONSTANT));
	bytes_add_signed(out, least);
	if (!width)
		return true;
	bytes_add(out, step);
	buf_addc(out, (char)width);
	for (i = 0; i < n; i++)
		if (to_whole(x[i], divisor, &k))
			bits_add(&bits, (uint64_t)(k - least) / step, width, out);
	bits_end(&bits, out);
	return true;
}

static void write_bits(const double *x, size_t n, struct buf *out)
{
	uint64_t least = UINT64_MAX, most = 0;
	struct bits bits = { 0, 0 };
	unsigned width;
	size_t i;

	for (i = 0; i < n; i++) {
		uint64_t key = to_ordered(x[i]);

		least = key < least ? key : least;
		most = key > most ? key : most;
	}
	width = width_of(most - least);
	buf_addc(out, (char)KIND_BITS);
	bytes_add_fixed(out, least);
	buf_addc(out, (char)width);
	for (i = 0; width && i < n; i++)
		bits_add(&bits, to_ordered(x[i]) - least, width, out);
	bits_end(&bits, out);
}

void column_write(const double *x, size_t n, uint64_t iterations, struct buf *out)
{
	int scale;

	if (!n)
		return;
	for (scale = 0; scale < N_SCALES; scale++)
		if (write_whole(x, n, scale, iterations, out))
			return;
	write_bits(x, n, out);
}

/* The bits of n numbers behind p: where they end, or NULL. */
static const unsigned char *end_of_bits(const unsigned char *p, const unsigned char *end, size_t n,
					unsigned width)
{
	size_t size;

	if (width > 64 || n > SIZE_MAX / 64 - 8)
		return NULL;
	size = (n * width + 7) / 8;
	return size <= (size_t)(end - p) ? p + size : NULL;
}

static const unsigned char *read_constant(const unsigned char *p, const unsigned char *end,
					  double *x, size_t n, double divisor)
{
	int64_t value = 0;
	size_t i;

	p = bytes_get_signed(p, end, &value);
	for (i = 0; p && i < n; i++)
		x[i] = (double)value / divisor;
	return p;
}

static const unsigned char *read_whole(const unsigned char *p, const unsigned char *end, double *x,
				       size_t n, double divisor)
{
	const unsigned char *stop;
	uint64_t step = 0;
	int64_t least = 0;
	unsigned width;
	size_t i;

	p = bytes_get_signed(p, end, &least);
	p = bytes_get(p, end, &step);
	if (!p || p == end)
		return NULL;
	width = *p++;
	stop = end_of_bits(p, end, n, width);
	for (i = 0; stop && i < n; i++) {
		uint64_t k = bits_get(p, (size_t)(stop - p), i * width, width);

		x[i] = (double)(int64_t)((uint64_t)least + step * k) / divisor;
	}
	return stop;
}

static const unsigned char *read_bits(const unsigned char *p, const unsigned char *end, double *x,
				      size_t n)
{
	const unsigned char *stop;
	uint64_t least = 0;
	unsigned width;
	size_t i;

	p = bytes_get_fixed(p, end, &least);
	if (!p || p == end)
		return NULL;
	width = *p++;
	stop = end_of_bits(p, end, n, width);
	for (i = 0; stop && i < n; i++)
		x[i] = from_ordered(least + bits_get(p, (size_t)(stop - p), i * width, width));
	return stop;
}

const unsigned char *column_read(const unsigned char *bytes, const unsigned char *end, double *x,
				 size_t n, uint64_t iterations)
{
	double divisor;
	bool constant;
	int scale;

	if (!n)
		return bytes;
	if (bytes == end)
		return NULL;
	scale = *bytes++;
	if (scale == KIND_BITS)
		return read_bits(bytes, end, x, n);
	constant = scale & CONSTANT;
	scale &= ~CONSTANT;
	if (scale >= (int)(sizeof(powers) / sizeof(powers[0])))
		return NULL;
	divisor = divisor_of(scale, iterations);
	if (divisor < 1)
		return NULL;
	return constant ? read_constant(bytes, end, x, n, divisor)
			: read_whole(bytes, end, x, n, divisor);
}
