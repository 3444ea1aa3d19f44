#include "lib/store/ledger/cursor.h"

#include <string.h>

#include "lib/digest/crc.h"

#include "lib/base/banned.h"

/* The numbers, 8 bytes each, and half a CRC behind them; then each byte as two digits. */
#define SUM_BYTES 4
#define MOST_BYTES (8 * CURSOR_PARTS + SUM_BYTES)

_Static_assert(2 * MOST_BYTES < LEDGER_CURSOR, "a cursor fits its text");

static const char digits[] = "0123456789abcdef";

uint64_t cursor_scope(const char *const *words, size_t n)
{
	uint64_t crc = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		/* "" and none are not the same. */
		crc = crc64(crc, words[i] ? "=" : "-", 1);
		if (words[i])
			crc = crc64(crc, words[i], strlen(words[i]) + 1);
	}
	return crc;
}

static void put_bytes(unsigned char *to, uint64_t value, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		to[i] = (unsigned char)(value >> 8 * i);
}

static uint64_t get_bytes(const unsigned char *from, size_t n)
{
	uint64_t value = 0;
	size_t i;

	for (i = 0; i < n; i++)
		value |= (uint64_t)from[i] << 8 * i;
	return value;
}

/* Returns how many bytes there are. */
static size_t pack(uint64_t scope, const int64_t *parts, size_t n, unsigned char *bytes)
{
	size_t i;

	for (i = 0; i < n; i++)
		put_bytes(bytes + 8 * i, (uint64_t)parts[i], 8);
	put_bytes(bytes + 8 * n, crc64(scope, bytes, 8 * n), SUM_BYTES);
	return 8 * n + SUM_BYTES;
}

void cursor_write(uint64_t scope, const int64_t *parts, size_t n, char out[LEDGER_CURSOR])
{
	unsigned char bytes[MOST_BYTES];
	size_t i, size = pack(scope, parts, n, bytes);

	for (i = 0; i < size; i++) {
		out[2 * i] = digits[bytes[i] >> 4];
		out[2 * i + 1] = digits[bytes[i] & 15];
	}
	out[2 * size] = '\0';
}

static int take_digits(const char *text, unsigned char *bytes, size_t size)
{
	size_t i;

	if (strlen(text) != 2 * size || strspn(text, digits) != 2 * size)
		return -1;
	for (i = 0; i < size; i++)
		bytes[i] = (unsigned char)((strchr(digits, text[2 * i]) - digits) << 4 |
					   (strchr(digits, text[2 * i + 1]) - digits));
	return 0;
}

int cursor_read(const char *text, uint64_t scope, int64_t *parts, size_t n, struct err *err)
{
	unsigned char bytes[MOST_BYTES];
	size_t i;

	if (take_digits(text, bytes, 8 * n + SUM_BYTES) ||
	    get_bytes(bytes + 8 * n, SUM_BYTES) != (crc64(scope, bytes, 8 * n) & UINT32_MAX))
		return err_set(
			err, ERR_RANGE,
			"parameter 'cursor' is not the 'next' of an answer to this question");
	for (i = 0; i < n; i++)
		parts[i] = (int64_t)get_bytes(bytes + 8 * i, 8);
	return 0;
}
