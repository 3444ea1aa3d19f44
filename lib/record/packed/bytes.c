#include "lib/record/packed/bytes.h"

#include "lib/base/banned.h"

void bytes_add(struct buf *out, uint64_t value)
{
	unsigned char text[BYTES_MOST];

	buf_add(out, text, (size_t)(bytes_put(text, value) - text));
}

void bytes_add_signed(struct buf *out, int64_t value)
{
	bytes_add(out, bytes_of_signed(value));
}

/* One store where the processor has them so. */
static void put_eight(unsigned char *at, uint64_t value)
{
	at[0] = (unsigned char)value;
	at[1] = (unsigned char)(value >> 8);
	at[2] = (unsigned char)(value >> 16);
	at[3] = (unsigned char)(value >> 24);
	at[4] = (unsigned char)(value >> 32);
	at[5] = (unsigned char)(value >> 40);
	at[6] = (unsigned char)(value >> 48);
	at[7] = (unsigned char)(value >> 56);
}

void bytes_add_fixed(struct buf *out, uint64_t value)
{
	char *at = buf_room(out, 8);

	if (!at)
		return;
	put_eight((unsigned char *)at, value);
	buf_wrote(out, at + 8);
}

const unsigned char *bytes_get_long(const unsigned char *p, const unsigned char *end, uint64_t *out)
{
	uint64_t value = 0;
	unsigned shift;

	for (shift = 0; p && p < end && shift < 70; shift += 7, p++) {
		uint64_t bits = *p & 127;

		if (shift == 63 && bits > 1)
			return NULL;
		value |= bits << shift;
		if (*p < 128) {
			*out = value;
			return p + 1;
		}
	}
	return NULL;
}

const unsigned char *bytes_get_fixed(const unsigned char *p, const unsigned char *end,
				     uint64_t *out)
{
	if (!p || (size_t)(end - p) < 8)
		return NULL;
	*out = bytes_eight(p);
	return p + 8;
}
