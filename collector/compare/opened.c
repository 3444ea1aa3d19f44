#include "collector/compare/opened.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collector/build/trees.h"
#include "collector/child/named.h"
#include "collector/code/cache.h"
#include "collector/compare/alike.h"
#include "collector/compare/extent_run.h"
#include "collector/extent/executed.h"
#include "collector/run/touch.h"
#include "lib/base/file.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define OPENED "+" /* in front of a file that is opened */
#define MADE "*"   /* in front of one that it makes itself */
#define OWN "@"	   /* in front of what is of its code: only where it lies matters */
#define WAY "2"	   /* how it is looked at: what another way has kept is none */
#define TICK_NS 500000
#define NO_TIME "no time was left to see which files it opens"

/* ---- where it is kept ----------------------------------------------------------------------- */

/* The folder beside the side's tree. */
static char *folder_of(const struct side *side, struct err *err)
{
	struct buf path = BUF_INIT;
	char *folder = NULL;

	buf_addf(&path, "%.*s" TREES_OPENED, (int)(path_base(side->dir) - side->dir), side->dir);
	if (!buf_check(&path, err))
		folder = buf_detach(&path);
	buf_release(&path);
	return folder;
}

static char *kept_at(const struct extent_run *run, const struct side *side, struct err *err)
{
	char *folder = folder_of(side, err), *path = NULL;
	struct strv key = STRV_INIT;

	if (folder && !strv_add(&key, WAY, err) && !strv_add(&key, side->binary_id, err) &&
	    !extent_run_key(run, side, &key, err))
		path = executed_path(folder, &key, err);
	strv_release(&key);
	free(folder);
	return path;
}

static void keep(const struct extent_run *run, const struct side *side, const struct executed *seen)
{
	const struct parts none = PARTS_INIT;
	char *folder = folder_of(side, NULL), *path = kept_at(run, side, NULL);

	if (folder)
		file_clear_place(folder);
	if (folder && path && !file_make_dirs(folder, 0700, NULL))
		executed_keep(path, &none, seen);
	free(folder);
	free(path);
}

/* ---- what a run shows ----------------------------------------------------------------------- */

/* What is of its code, relative to the tree; other names of the same files are not among them. */
struct own {
	struct strv opened; /* by the kernel or by the loader, and by nobody else: as they lie */
	struct strv asked;  /* the same as they are called */
};

/* Where it lies in the tree by that name, and without the links on the way. */
static int add_own(const char *path, const char *tree, bool is_read, struct own *own,
		   struct executed *out, struct err *err)
{
	const char *name = str_below(path, tree), *at;
	char *real = realpath(path, NULL), *top = realpath(tree, NULL);
	int result = name ? strv_addf(&out->files, err, OWN "%s", name) : 0;

	at = real && top ? str_below(real, top) : NULL;
	if (!result && at && !is_read)
		result = strv_add(&own->opened, at, err);
	free(real);
	free(top);
	return result;
}

/* What the loader opens is in the code that is the same; what it opens itself is compared. */
static int find_own(const struct side *side, const struct named_files *asked, struct own *own,
		    struct executed *out, const char **out_why, struct err *err)
{
	struct bundle bundle;
	size_t i;
	int result;

	memset(&bundle, 0, sizeof(bundle));
	if (!str_below(side->exe, side->dir) ||
	    bundle_of(side->exe, side->library_path, &bundle, NULL))
		*out_why = "it cannot be seen which files of its own it opens";
	result = add_own(side->exe, side->dir, asked->opens_self, own, out, err);
	for (i = 0; !result && i < bundle.objects.n; i++) {
		const char *object = bundle.objects.v[i], *name = str_below(object, side->dir);
		bool is_read = !asked->has_started || strv_has(&asked->late, object);

		result = add_own(object, side->dir, is_read, own, out, err);
		if (!result && name && !is_read)
			result = strv_add(&own->asked, name, err);
	}
	bundle_release(&bundle);
	return result;
}

/* Whether it is not older than that; where the system does not tell, it is. */
static bool is_made_since(const char *path, const struct timespec *since)
{
	struct statx s;

	if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &s) ||
	    !(s.stx_mask & STATX_BTIME))
		return false;
	return s.stx_btime.tv_sec != since->tv_sec ? s.stx_btime.tv_sec > since->tv_sec
						   : s.stx_btime.tv_nsec >= since->tv_nsec;
}

/* It came and went, or it is new. */
static bool is_its_own(const char *path, const struct timespec *since)
{
	return !file_exists(path) || is_made_since(path, since);
}

static int add_opened(const struct extent_run *run, const struct strv *opened,
		      const struct own *own, const struct timespec *since, struct executed *out,
		      struct err *err)
{
	struct buf path = BUF_INIT;
	size_t i;
	int result = 0;

	for (i = 0; !result && i < opened->n; i++) {
		if (strv_has(&own->opened, opened->v[i]))
			continue;
		buf_reset(&path);
		buf_addf(&path, "%s/%s", run->side->dir, opened->v[i]);
		result = buf_check(&path, err);
		if (!result)
			result = strv_addf(&out->files, err, "%s%s",
					   is_its_own(buf_str(&path), since) ? MADE : OPENED,
					   opened->v[i]);
	}
	buf_release(&path);
	return result;
}

/* One that it made is in the way of one that the other tree has. */
static int add_made(const char *name, struct executed *out, struct err *err)
{
	struct buf entry = BUF_INIT;
	int result;

	buf_addf(&entry, MADE "%s", name);
	result = buf_check(&entry, err);
	if (!result && !strv_has(&out->files, buf_str(&entry)))
		result = strv_add(&out->files, buf_str(&entry), err);
	buf_release(&entry);
	return result;
}

/* Those of the tree, and among the files those that it makes. */
static int add_asked(const struct extent_run *run, const struct named_files *asked,
		     const struct own *own, const struct timespec *since, struct executed *out,
		     struct err *err)
{
	struct executed all = EXECUTED_INIT;
	struct buf path = BUF_INIT;
	size_t i;
	int result = executed_take_asked(asked, run->side->dir, &all, err);

	for (i = 0; !result && i < all.asked.n; i++) {
		if (strv_has(&own->asked, all.asked.v[i]))
			continue;
		buf_reset(&path);
		buf_addf(&path, "%s/%s", run->side->dir, all.asked.v[i]);
		result = buf_check(&path, err);
		if (!result)
			result = is_made_since(buf_str(&path), since)
					 ? add_made(all.asked.v[i], out, err)
					 : strv_add(&out->asked, all.asked.v[i], err);
	}
	if (!result && all.outside.n)
		result = strv_add_all(&out->outside, all.outside.v, err);
	out->is_fleeting = asked->is_more;
	executed_release(&all);
	buf_release(&path);
	return result;
}

struct shown {
	struct strv opened;
	bool is_all; /* no folder was read, and no more than can be seen */
	bool ended_well;
	struct named_files asked;
};

/* Once.  *out_why: static, why that tells nothing; NULL: it is all there. */
static int run_once(struct extent_run *run, struct shown *out, const char **out_why,
		    struct err *err)
{
	struct touched *touched;
	int result;

	/* Not even begun: its end takes long, as the kernel waits for all processors. */
	*out_why = NO_TIME;
	if (extent_run_is_late(run))
		return 0;
	touched = touched_begin(run->side->dir);
	out->asked.everywhere = true;
	result = extent_run_look(run, &out->asked, &out->ended_well, err);
	*out_why = touched ? NULL : "it cannot be seen which files it opens";
	if (touched && touched_end(touched, &out->opened, &out->is_all, err))
		result = -1;
	if (touched && !out->is_all)
		*out_why = "it opens a folder, or more files than can be seen";
	if (!out->ended_well)
		*out_why = extent_run_is_late(run)
				   ? NO_TIME
				   : "it failed when it was looked at which files it opens";
	return result;
}

static int see(struct extent_run *run, const struct timespec *since, struct executed *out,
	       const char **out_why, bool *out_told, struct err *err)
{
	struct shown shown = { STRV_INIT, false, false, NAMED_FILES_INIT };
	struct own own = { STRV_INIT, STRV_INIT };
	int result = run_once(run, &shown, out_why, err);

	strv_cut(&out->files, 0);
	strv_cut(&out->asked, 0);
	strv_cut(&out->outside, 0);
	*out_told = shown.asked.n_told > 0;
	if (!*out_why && shown.asked.is_full)
		*out_why = "it asks for more files than can be seen";
	if (!result && !*out_why)
		result = find_own(run->side, &shown.asked, &own, out, out_why, err) ||
					 add_opened(run, &shown.opened, &own, since, out, err) ||
					 add_asked(run, &shown.asked, &own, since, out, err)
				 ? -1
				 : 0;
	strv_release(&own.opened);
	strv_release(&own.asked);
	strv_release(&shown.opened);
	named_files_release(&shown.asked);
	return result;
}

/* ---- whether both trees have it -------------------------------------------------------------- */

static bool is_same(const char *file, const char *one, const char *two,
		    const struct timespec *since)
{
	/* One that was there when this was kept, and is not now, another benchmark had made. */
	if (str_starts(file, MADE) && !file_exists(two))
		return true;
	/* there too the program may have run: it was asked for its benchmarks */
	if (str_starts(file, MADE) && !is_made_since(two, since))
		return false;
	return alike_file(one, two);
}

/* A program that the two trees have in other places may find other files; NULL: they do not. */
static const char *other_place(const struct side *base, const struct side *head)
{
	const char *one = str_below(base->exe, base->dir), *two = str_below(head->exe, head->dir);

	return one && two && !strcmp(one, two) ? NULL : path_base(head->exe);
}

/* The first that differs, relative to the trees; NULL: none does. */
static const char *first_other(const struct unit *u, const struct executed *seen,
			       const struct timespec *since)
{
	size_t i;

	for (i = 0; i < seen->files.n; i++) {
		const char *file = seen->files.v[i];
		char *one = path_join(u->base.dir, file + 1, NULL);
		char *two = path_join(u->head.dir, file + 1, NULL);
		bool same = one && two &&
			    (str_starts(file, OWN) ? alike_way(file + 1, u->base.dir, u->head.dir)
						   : is_same(file, one, two, since));

		free(one);
		free(two);
		if (!same)
			return file + 1;
	}
	for (i = 0; i < seen->asked.n; i++)
		if (!alike_look(seen->asked.v[i], u->base.dir, u->head.dir))
			return seen->asked.v[i];
	return NULL;
}

/*
 * From now on: what ran before, of this benchmark or of another one, made its files at an earlier
 * time.
 */
static struct timespec begin_of_run(void)
{
	const struct timespec tick = { 0, TICK_NS };
	struct timespec before, now;

	clock_gettime(CLOCK_REALTIME_COARSE, &before);
	do {
		nanosleep(&tick, NULL);
		clock_gettime(CLOCK_REALTIME_COARSE, &now);
	} while (now.tv_sec == before.tv_sec && now.tv_nsec == before.tv_nsec);
	return now;
}

/* ---- one benchmark -------------------------------------------------------------------------- */

/* Base and head as they were built, each in its tree: a copy finds nothing beside itself. */
static int look_in(const struct extent_request *rq, const char *here, const struct side in[2],
		   struct unit *u, struct err *err)
{
	struct extent_run run = { .runner = rq->runner,
				  .unit = u,
				  .side = &in[0],
				  .here = here,
				  .until_ns = rq->until_ns };
	struct executed seen = EXECUTED_INIT;
	struct timespec begin;
	char *path = kept_at(&run, &in[0], err);
	const char *why = NULL, *other = NULL;
	bool told = true;
	int result = path ? 0 : -1;

	if (!result && !executed_kept_files(path, &seen)) {
		talk_progress(rq->talk, 0, 0, "looking at which files %s opens", u->name);
		begin = begin_of_run();
		result = see(&run, &begin, &seen, &why, &told, err);
		if (!result && !why && told)
			keep(&run, &in[0], &seen);
	}
	if (!result && !why) {
		other = other_place(&in[0], &in[1]);
		other = other ? other : first_other(u, &seen, &rq->since);
		why = other ? "it opens or looks for a file that differs"
		      : !told && !alike_names(u->base.dir, u->head.dir)
			      ? "files differ, in name, size or link, that it may look at"
			      : NULL;
	}
	if (!result && why)
		result = unit_let_measure(u, why, other, err);
	else if (!result && told)
		keep(&run, &in[1], &seen);
	extent_run_release(&run);
	executed_release(&seen);
	free(path);
	return result;
}

static int look(const struct extent_request *rq, const char *here, struct unit *u, struct err *err)
{
	struct side in[2];
	int result = -1;

	memset(in, 0, sizeof(in));
	if (!side_as_built(&u->base, &in[0], err) && !side_as_built(&u->head, &in[1], err))
		result = look_in(rq, here, in, u, err);
	side_release(&in[0]);
	side_release(&in[1]);
	return result;
}

/* Two built trees, in each of which one runs. */
static bool is_candidate(const struct unit *u)
{
	return u->identical && !u->failure && u->base.binary_id && u->base.dir && u->head.dir &&
	       u->base.exe && strcmp(u->base.dir, u->head.dir) != 0;
}

int compare_opened(const struct extent_request *rq, struct plan *plan, struct err *err)
{
	char *here = extent_run_here(rq->machine, err);
	int result = here ? 0 : -1;
	size_t i;

	for (i = 0; !result && i < plan->n; i++)
		if (is_candidate(&plan->units[i]))
			result = look(rq, here, &plan->units[i], err);
	free(here);
	return result;
}
