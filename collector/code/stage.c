#include "collector/code/stage.h"

#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>

#include "collector/code/stage_copy.h"
#include "collector/code/stage_folder.h"
#include "lib/base/file.h"
#include "lib/stats/coin.h"

#include "lib/base/banned.h"

/* Which copies a unit ran from last, and for which of its pairs. */
struct user {
	uint64_t name;
	unsigned copy; /* 0: none */
	size_t epoch;
};

/* What the units of one pair of executables share. */
struct staged {
	struct stage_copy copies[2]; /* base, head */
	unsigned number;
	bool in_place, large;
	bool stays;	    /* in place, but where a layout is drawn: that can be moved */
	size_t epoch;	    /* the latest that a unit came to */
	unsigned copy;	    /* the newest, from 1 on */
	unsigned layout;    /* of it */
	struct user *users; /* by name */
	size_t n_users;
};

static bool addresses_are_random(void)
{
	int persona = personality(0xffffffff);
	char line[16];

	if (persona != -1 && (persona & ADDR_NO_RANDOMIZE))
		return false;
	return !file_first_line("/proc/sys/kernel/randomize_va_space", line, sizeof(line)) ||
	       line[0] != '0';
}

int stage_open(const char *state_dir, uint64_t seed, struct stage *out, struct err *err)
{
	struct stage s = STAGE_INIT;

	*out = s;
	if (stage_folder_make(state_dir, &s.dir, &s.lock_fd, err))
		return -1;
	s.seed = seed;
	s.every = STAGE_EVERY;
	s.padding = !addresses_are_random();
	*out = s;
	return 0;
}

static void staged_release(struct staged *st)
{
	stage_copy_release(&st->copies[0]);
	stage_copy_release(&st->copies[1]);
	free(st->users);
}

void stage_close(struct stage *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		staged_release(&s->v[i]);
	free(s->v);
	if (s->dir)
		file_remove_tree(s->dir, NULL);
	file_close(&s->lock_fd);
	free(s->dir);
	free(s->failure);
	free(s->state_dir);
	if (s->disk)
		stage_close(s->disk);
	free(s->disk);
	*s = (struct stage)STAGE_INIT;
}

/* ---- what runs together -------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_side(const struct side *a, const struct side *b)
{
	size_t i;

	if (a->env.n != b->env.n)
		return false;
	for (i = 0; i < a->env.n; i++)
		if (strcmp(a->env.v[i], b->env.v[i]) != 0)
			return false;
	return same_text(a->exe, b->exe) && same_text(a->library_path, b->library_path) &&
	       same_text(a->dir, b->dir);
}

/* The entry of the unit's executables, made when it is new. */
static struct staged *find_staged(struct stage *s, const struct stage_job *job, struct err *err)
{
	static const struct side none;
	const struct side *base = job->base ? job->base : &none;
	struct staged *grown, *st;
	struct err fault = ERR_INIT;
	size_t i;

	for (i = 0; i < s->n; i++)
		if (same_side(&s->v[i].copies[1].from, job->head) &&
		    same_side(&s->v[i].copies[0].from, base))
			return &s->v[i];
	grown = realloc(s->v, (s->n + 1) * sizeof(*grown));
	if (!grown) {
		err_nomem(err);
		return NULL;
	}
	s->v = grown;
	st = &grown[s->n];
	memset(st, 0, sizeof(*st));
	st->number = (unsigned)s->n++;
	if (side_copy(job->head, &st->copies[1].from, err) ||
	    side_copy(base, &st->copies[0].from, err))
		return NULL;
	/* Where one side cannot be copied, neither is: both are put in place the same way. */
	st->stays = job->head->stays || base->stays;
	st->in_place = !job->head->binary_id || (job->base && !base->binary_id) ||
		       stage_copy_find(&st->copies[1], &fault) ||
		       (job->base && stage_copy_find(&st->copies[0], &fault));
	if (fault.code == ERR_NOMEM) {
		*err = fault;
		return NULL;
	}
	st->large = stage_copy_is_large(&st->copies[0]) || stage_copy_is_large(&st->copies[1]);
	return st;
}

/* ---- copies -------------------------------------------------------------------------- */

/* Which side is written first is a coin too: it decides which one gets the better pages. */
static int make_copies(struct stage *s, struct staged *st, const struct stage_job *job,
		       bool head_first, struct err *err)
{
	int i;

	s->n_made++;
	st->layout = job->layout;
	st->copies[0].instead = job->layout ? job->base_instead : NULL;
	st->copies[1].instead = job->layout ? job->head_instead : NULL;
	for (i = 0; i < 2; i++) {
		int at = head_first ? 1 - i : i;

		if ((at || job->base) &&
		    stage_copy_make(s->dir, st->number, at ? 'b' : 'a', &st->copies[at], err))
			return -1;
	}
	st->copy++;
	return 0;
}

static uint64_t mix(uint64_t seed, const char *name)
{
	for (; *name; name++)
		seed = (seed ^ (unsigned char)*name) * 0x100000001b3u;
	return seed;
}

/* Coins of this pair alone, so that a repeated pair is laid out like the void one. */
static struct coin coin_of(const struct stage *s, const struct stage_job *job)
{
	struct coin coin;

	coin_init_at(&coin, mix(s->seed, job->name), job->pair);
	return coin;
}

/* The entry of a unit, made when it is new; NULL and ERR_NOMEM. */
static struct user *find_user(struct staged *st, const char *name, struct err *err)
{
	const struct user key = { mix(0xcbf29ce484222325u, name), 0, 0 };
	size_t low = 0, high = st->n_users, mid;
	struct user *grown;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (st->users[mid].name < key.name)
			low = mid + 1;
		else
			high = mid;
	}
	if (low < st->n_users && st->users[low].name == key.name)
		return &st->users[low];
	grown = realloc(st->users, (st->n_users + 1) * sizeof(*grown));
	if (!grown) {
		err_nomem(err);
		return NULL;
	}
	st->users = grown;
	memmove(grown + low + 1, grown + low, (st->n_users++ - low) * sizeof(*grown));
	grown[low] = key;
	return &grown[low];
}

/*
 * Whether the copies have served their pairs: units that take turns share those of a round, but one
 * that runs several pairs before the others do has copies of its own for each.
 */
static bool are_used_up(const struct staged *st, const struct user *user, size_t epoch,
			const struct stage_job *job)
{
	return !st->copy || epoch > st->epoch || st->layout != job->layout ||
	       (user->copy == st->copy && user->epoch != epoch);
}

void stage_begin(const char *state_dir, uint64_t seed, const struct talk *talk, struct stage *out)
{
	struct err fault = ERR_INIT;
	char *memory = state_dir ? stage_folder_memory() : NULL;

	if (memory && !stage_open(memory, seed, out, NULL))
		str_set(&out->state_dir, state_dir, NULL);
	else if (state_dir && stage_open(state_dir, seed, out, &fault) && fault.code != ERR_STOPPED)
		talk_warn(talk, "free some space, or make it writable",
			  "benchmarks run from one copy throughout: %s", fault.text);
	free(memory);
}

void stage_tell(const struct stage *s, const struct talk *talk)
{
	if (s->disk)
		stage_tell(s->disk, talk);
	if (s->failure)
		talk_warn(talk, "free some space and measure again",
			  "the later runs are of one copy throughout: %s", s->failure);
}

/* Memory is not for large executables; what cannot be made is told like any copy. */
static int place_on_disk(struct stage *s, const struct stage_job *job, struct stage_pair *out,
			 struct err *err)
{
	struct err fault = ERR_INIT;

	if (!s->disk) {
		s->disk = malloc(sizeof(*s->disk));
		if (!s->disk)
			return err_nomem(err);
		*s->disk = (struct stage)STAGE_INIT;
		if (stage_open(s->state_dir, s->seed, s->disk, &fault))
			return str_set(&s->failure, fault.text, err);
	}
	return stage_place(s->disk, job, out, err);
}

int stage_place(struct stage *s, const struct stage_job *job, struct stage_pair *out,
		struct err *err)
{
	struct err fault = ERR_INIT;
	struct staged *st;
	struct user *user;
	struct coin coin;
	bool head_first;
	unsigned every;
	size_t epoch;

	*out = (struct stage_pair){ job->head, job->base, 0, 0 };
	if (!s || !s->dir)
		return 0;
	coin = coin_of(s, job);
	head_first = coin_toss(&coin);
	if (s->padding)
		out->padding = STAGE_PADDING_STEP *
			       coin_below(&coin, STAGE_PADDING_MAX / STAGE_PADDING_STEP);
	if (s->failure)
		return 0;
	st = find_staged(s, job, err);
	if (!st)
		return -1;
	if (st->in_place || (st->stays && !job->layout))
		return 0;
	if (st->large && s->state_dir)
		return place_on_disk(s, job, out, err);
	user = find_user(st, job->name, err);
	if (!user)
		return -1;
	every = s->every && st->large ? STAGE_EVERY_LARGE : s->every;
	epoch = every ? job->pair / every : 0;
	if (are_used_up(st, user, epoch, job) && make_copies(s, st, job, head_first, &fault))
		return fault.code == ERR_NOMEM ? err_nomem(err)
					       : str_set(&s->failure, fault.text, err);
	st->epoch = epoch > st->epoch ? epoch : st->epoch;
	user->epoch = epoch;
	user->copy = st->copy;
	out->head = &st->copies[1].side;
	out->base = &st->copies[0].side;
	out->layout = st->layout;
	return 0;
}
