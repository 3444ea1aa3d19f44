#include "lib/record/ulid.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>

#include "lib/base/when.h"

#include "lib/base/banned.h"

static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

int random_bytes(void *out, unsigned n, struct err *err)
{
	unsigned char *p = out;

	while (n) {
		ssize_t got = getrandom(p, n, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return err_sys(err, ERR_IO, "cannot get random bytes");
		p += got;
		n -= (unsigned)got;
	}
	return 0;
}

/* Adds one to the 80 random bits; false when they wrap. */
static bool step(unsigned char bits[10])
{
	int i;

	for (i = 9; i >= 0; i--)
		if (++bits[i])
			return true;
	return false;
}

void ulid_of(uint64_t ms, const unsigned char bits[ULID_RANDOM], char out[ULID_TEXT])
{
	unsigned acc = 0, held = 2, used = 0; /* 128 bits in 26 x 5: two zero bits in front */
	unsigned char raw[16];
	int i;

	for (i = 0; i < 6; i++)
		raw[i] = (unsigned char)(ms >> (40 - 8 * i));
	memcpy(raw + 6, bits, ULID_RANDOM);
	for (i = 0; i < 16; i++) {
		acc = acc << 8 | raw[i];
		held += 8;
		while (held >= 5) {
			held -= 5;
			out[used++] = alphabet[acc >> held & 31];
		}
	}
	out[used] = '\0';
}

int ulid_new(char out[ULID_TEXT], struct err *err)
{
	static uint64_t last_ms;
	static unsigned char last[ULID_RANDOM];
	static bool started;
	int64_t now_us = when_now_us();
	uint64_t ms = now_us < 0 ? 0 : (uint64_t)now_us / 1000;

	if (!started || ms > last_ms) {
		if (random_bytes(last, sizeof(last), err))
			return -1;
		last_ms = ms;
		started = true;
	} else if (!step(last)) {
		last_ms++;
	}
	ulid_of(last_ms, last, out);
	return 0;
}

bool ulid_is_valid(const char *text)
{
	size_t i;

	if (strlen(text) != ULID_TEXT - 1 || text[0] > '7')
		return false;
	for (i = 0; i < ULID_TEXT - 1; i++)
		if (!strchr(alphabet, text[i]))
			return false;
	return true;
}
