#include "collector/schedule/anchor.h"

#include <stdlib.h>
#include <unistd.h>

#include "include/pawl.h"
#include "lib/base/buf.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

static void alu_chain(void *ctx, uint64_t n, struct pawl_run *run)
{
	uint64_t x = 1, i;

	(void)ctx;
	(void)run;
	for (i = 0; i < n; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		pawl_keep(x);
	}
}

#define BLOCKS 64

/* Sizes from 16 to about 1,000 bytes, freed in another order than they were taken. */
static void malloc_mix(void *ctx, uint64_t n, struct pawl_run *run)
{
	void *block[BLOCKS] = { NULL };
	uint64_t x = 1, i;
	size_t at;

	(void)ctx;
	for (i = 0; i < n; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		at = x >> 33 & (BLOCKS - 1);
		free(block[at]);
		block[at] = malloc(16 + (x >> 50 & 1023));
		if (!block[at])
			pawl_fail(run);
		pawl_keep(block[at]);
	}
	for (at = 0; at < BLOCKS; at++)
		free(block[at]);
}

int anchor_main(int argc, char **argv)
{
	static const struct pawl_bench list[] = {
		{ .name = ANCHOR_ALU, .run = alu_chain },
		{ .name = ANCHOR_MALLOC, .run = malloc_mix },
	};

	return pawl_main(argc, argv, list, sizeof(list) / sizeof(list[0]));
}

int anchor_install(const char *dir, char **out_path, struct err *err)
{
	struct buf path = BUF_INIT;
	int result = -1;

	buf_addf(&path, "%s/" ANCHOR_PROGRAM, dir);
	if (buf_check(&path, err))
		goto out;
	if (access(buf_str(&path), X_OK) &&
	    (file_make_dirs(dir, 0700, err) ||
	     file_copy("/proc/self/exe", buf_str(&path), 0755, err)))
		goto out;
	*out_path = buf_detach(&path);
	result = *out_path ? 0 : err_nomem(err);
out:
	buf_release(&path);
	return result;
}
