/*
 * bench - what zlib does most, on text made up here; linked to whichever zlib it is built with.
 */
#include <stdlib.h>
#include <zlib.h>

#include "pawl.h"

enum { PLAIN = 128 << 10, PACKED = PLAIN + (PLAIN >> 4), WORDS = 512 };

struct job {
	int level;
	unsigned char *plain, *packed, *again;
	uLong packed_n;
};

static void tear_down(void *ctx)
{
	struct job *job = ctx;

	free(job->plain);
	free(job->packed);
	free(job->again);
}

static uint32_t next(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* Words of a small vocabulary, frequent ones more often: deflate makes about a third of it. */
static void write_text(unsigned char *out)
{
	unsigned char words[WORDS][12];
	uint32_t state = 1;
	size_t at = 0;

	for (size_t i = 0; i < WORDS; i++) {
		size_t n = 2 + next(&state) % 9;

		for (size_t k = 0; k < n; k++)
			words[i][k] = (unsigned char)('a' + next(&state) % 26);
		words[i][n] = ' ';
		words[i][n + 1] = '\0';
	}
	while (at < PLAIN) {
		const unsigned char *word = words[next(&state) % (1 + next(&state) % WORDS)];

		while (*word && at < PLAIN)
			out[at++] = *word++;
	}
}

static int set_up(void *ctx)
{
	struct job *job = ctx;

	job->plain = malloc(PLAIN);
	job->packed = malloc(PACKED);
	job->again = malloc(PLAIN);
	job->packed_n = PACKED;
	if (!job->plain || !job->packed || !job->again)
		return tear_down(ctx), 1;
	write_text(job->plain);
	if (compress2(job->packed, &job->packed_n, job->plain, PLAIN, job->level) != Z_OK)
		return tear_down(ctx), 2;
	return 0;
}

static void run_crc32(void *ctx, uint64_t n, struct pawl_run *r)
{
	const struct job *job = ctx;

	(void)r;
	while (n--)
		pawl_keep(crc32(0, pawl_hide(job->plain), PLAIN));
}

static void run_adler32(void *ctx, uint64_t n, struct pawl_run *r)
{
	const struct job *job = ctx;

	(void)r;
	while (n--)
		pawl_keep(adler32(1, pawl_hide(job->plain), PLAIN));
}

static void run_combine(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	(void)r;
	while (n--)
		pawl_keep(crc32_combine(pawl_hide(0x12345678ul), 0x9abcdef0ul, 1000003));
}

static void run_deflate(void *ctx, uint64_t n, struct pawl_run *r)
{
	const struct job *job = ctx;

	while (n--) {
		uLong packed_n = PACKED;

		if (compress2(job->packed, &packed_n, job->plain, PLAIN, job->level) != Z_OK)
			pawl_fail(r);
	}
}

static void run_inflate(void *ctx, uint64_t n, struct pawl_run *r)
{
	const struct job *job = ctx;

	while (n--) {
		uLong plain_n = PLAIN;

		if (uncompress(job->again, &plain_n, job->packed, job->packed_n) != Z_OK)
			pawl_fail(r);
	}
}

int main(int argc, char **argv)
{
	static struct job sums = { .level = 1 }, stored = { .level = 0 }, middle = { .level = 6 };
	const struct pawl_bench list[] = {
		{ .name = "crc32",
		  .setup = set_up,
		  .run = run_crc32,
		  .teardown = tear_down,
		  .ctx = &sums,
		  .bytes = PLAIN },
		PAWL_BENCH("crc32-combine", run_combine),
		{ .name = "adler32",
		  .setup = set_up,
		  .run = run_adler32,
		  .teardown = tear_down,
		  .ctx = &sums,
		  .bytes = PLAIN },
		{ .name = "deflate-0",
		  .setup = set_up,
		  .run = run_deflate,
		  .teardown = tear_down,
		  .ctx = &stored,
		  .bytes = PLAIN },
		{ .name = "deflate-6",
		  .setup = set_up,
		  .run = run_deflate,
		  .teardown = tear_down,
		  .ctx = &middle,
		  .bytes = PLAIN },
		{ .name = "inflate",
		  .setup = set_up,
		  .run = run_inflate,
		  .teardown = tear_down,
		  .ctx = &middle,
		  .bytes = PLAIN },
	};

	return pawl_main(argc, argv, list, sizeof(list) / sizeof(list[0]));
}
