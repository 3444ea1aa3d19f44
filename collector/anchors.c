#include "collector/anchors.h"

#include <stdlib.h>
#include <unistd.h>

#include "collector/code/elf.h"
#include "collector/schedule/anchor.h"

#include "lib/base/banned.h"

#define ANCHOR_TIME_NS 5000000u

void anchors_release(struct anchors *a)
{
	size_t i;

	for (i = 0; i < ANCHORS_MOST; i++)
		unit_release(&a->v[i]);
	strv_release(&a->config.command);
}

void anchors_run_as(struct anchors *a, const struct process_runner *units)
{
	a->runner = *units;
	a->runner.fits = true;
	if (a->runner.min_time_ns > ANCHOR_TIME_NS)
		a->runner.min_time_ns = ANCHOR_TIME_NS;
}

int anchors_make(struct anchors *a, const char *cache_dir, struct err *err)
{
	static const char *const names[ANCHORS_MOST] = { ANCHOR_ALU, ANCHOR_MALLOC };
	struct err fault = ERR_INIT;
	char *path = NULL;
	int i, result = -1;

	if (!cache_dir || anchor_install(cache_dir, &path, &fault))
		return 0;
	if (strv_add(&a->config.command, ANCHOR_PROGRAM, err))
		goto out;
	a->config.threshold = 1;
	for (i = 0; i < ANCHORS_MOST; i++) {
		struct unit *u = &a->v[i];

		u->config = &a->config;
		u->format = FORMAT_PAWL;
		u->pinned = true;
		if (str_set(&u->name, names[i], err) || str_set(&u->inner, names[i], err) ||
		    str_set(&u->head.exe, path, err))
			goto out;
	}
	a->n = ANCHORS_MOST;
	result = 0;
out:
	free(path);
	return result;
}

int anchors_note(const struct anchors *a, struct machine *machine, struct err *err)
{
	char id[DIGEST_HEX];
	size_t i;

	for (i = 0; i < a->n; i++)
		if (a->v[i].failure) {
			unlink(a->v[i].head.exe);
			return 0;
		}
	if (!a->n || elf_sum(a->v[0].head.exe, id, NULL))
		return 0;
	id[16] = '\0';
	return facts_add(&machine->more, "anchors", id, err);
}

static struct runner runner_for(const struct both_runners *both, const struct unit *u)
{
	return u->config == &both->anchors->config ? process_runner_of(&both->anchors->runner)
						   : both->units;
}

static int both_calibrate(void *ctx, struct unit *u, const struct side *side, struct err *err)
{
	struct runner r = runner_for(ctx, u);

	return r.calibrate(r.ctx, u, side, err);
}

static int both_pair(void *ctx, const struct unit *u, struct pair *p, struct err *err)
{
	struct runner r = runner_for(ctx, u);

	return r.pair(r.ctx, u, p, err);
}

struct runner both_runner(struct both_runners *both)
{
	return (struct runner){ both_calibrate, both_pair, both };
}
