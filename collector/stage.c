#include "collector/stage.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/cache.h"
#include "lib/base/file.h"
#include "lib/stats/coin.h"

#include "lib/base/banned.h"

/* One side's files: where they come from and what runs. */
struct copy {
	struct side from, side;
	struct strv files; /* the first one is the executable */
	char *dir;	   /* of the newest copy, or NULL */
	char *old_dir;	   /* the one before, still there */
};

/* What the units of one pair of executables share. */
struct staged {
	struct copy copies[2]; /* base, head */
	bool in_place;
	size_t epoch;
	bool made;
};

/* ---- the folder ---------------------------------------------------------------------- */

static int lock_folder(const char *path, int how, int *out_fd)
{
	*out_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (*out_fd >= 0 && !flock(*out_fd, how))
		return 0;
	file_close(out_fd);
	return -1;
}

static void remove_left(const char *run_dir)
{
	DIR *d = opendir(run_dir);
	const struct dirent *entry;

	while (d && (entry = readdir(d))) {
		struct buf path = BUF_INIT;
		int fd = -1;

		if (entry->d_name[0] == '.')
			continue;
		buf_addf(&path, "%s/%s", run_dir, entry->d_name);
		if (!buf_check(&path, NULL) && !lock_folder(buf_str(&path), LOCK_EX | LOCK_NB, &fd))
			file_remove_tree(buf_str(&path), NULL);
		file_close(&fd);
		buf_release(&path);
	}
	if (d)
		closedir(d);
}

int stage_open(const char *state_dir, uint64_t seed, struct stage *out, struct err *err)
{
	struct stage s = STAGE_INIT;
	struct buf run = BUF_INIT, dir = BUF_INIT;
	int run_fd = -1, result = -1;

	*out = s;
	buf_addf(&run, "%s/run", state_dir);
	buf_addf(&dir, "%s/run/XXXXXX", state_dir);
	if (buf_check(&run, err) || buf_check(&dir, err) ||
	    file_make_dirs(buf_str(&run), 0700, err))
		goto out;
	/* One at a time: between its making and its lock a folder looks like a leftover. */
	if (lock_folder(buf_str(&run), LOCK_EX, &run_fd)) {
		err_sys(err, ERR_IO, "cannot lock '%s'", buf_str(&run));
		goto out;
	}
	remove_left(buf_str(&run));
	if (!mkdtemp(dir.data)) {
		err_sys(err, ERR_IO, "cannot create a folder in '%s'", buf_str(&run));
		goto out;
	}
	if (lock_folder(buf_str(&dir), LOCK_EX, &s.lock_fd)) {
		err_sys(err, ERR_IO, "cannot lock '%s'", buf_str(&dir));
		file_remove_tree(buf_str(&dir), NULL);
		goto out;
	}
	s.seed = seed;
	s.every = STAGE_EVERY;
	s.padding = true;
	s.dir = buf_detach(&dir);
	*out = s;
	result = 0;
out:
	file_close(&run_fd);
	buf_release(&run);
	buf_release(&dir);
	return result;
}

static void copy_release(struct copy *c)
{
	unit_side_release(&c->from);
	unit_side_release(&c->side);
	strv_release(&c->files);
	free(c->dir);
	free(c->old_dir);
}

static void staged_release(struct staged *st)
{
	copy_release(&st->copies[0]);
	copy_release(&st->copies[1]);
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
	*s = (struct stage)STAGE_INIT;
}

/* ---- what a side consists of --------------------------------------------------------- */

static int add_folder(const char *dir, const char *exe, struct strv *out, struct err *err)
{
	DIR *d = opendir(dir);
	const struct dirent *entry;
	int result = -1;

	if (!d)
		return err_sys(err, ERR_IO, "cannot look into '%s'", dir);
	while ((entry = readdir(d))) {
		struct buf path = BUF_INIT;
		struct stat st;
		int fault = 0;

		buf_addf(&path, "%s/%s", dir, entry->d_name);
		/* What may be executed: an entry's own lists are not. */
		if (strcmp(buf_str(&path), exe) && !stat(buf_str(&path), &st) &&
		    S_ISREG(st.st_mode) && (st.st_mode & S_IXUSR))
			fault = buf_check(&path, err) || strv_add(out, buf_str(&path), err);
		buf_release(&path);
		if (fault)
			goto out;
	}
	result = 0;
out:
	closedir(d);
	return result;
}

/* The executable and its shared objects, from its cache entry or from where the loader looks. */
static int find_files(struct copy *c, struct err *err)
{
	struct bundle b;
	int result = -1;

	if (strv_add(&c->files, c->from.exe, err))
		return -1;
	if (c->from.library_path)
		return add_folder(c->from.library_path, c->from.exe, &c->files, err);
	memset(&b, 0, sizeof(b));
	if (!bundle_of(c->from.exe, &b, err))
		result = b.objects.n ? strv_add_all(&c->files, b.objects.v, err) : 0;
	/* An old-style RPATH goes before LD_LIBRARY_PATH: the copies have to be preloaded. */
	if (!result && b.rpath && b.objects.n)
		result = str_set(&c->from.preload, "", err);
	bundle_release(&b);
	return result;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_side(const struct side *a, const struct side *b)
{
	return same_text(a->exe, b->exe) && same_text(a->library_path, b->library_path) &&
	       same_text(a->dir, b->dir);
}

/* The entry of the unit's executables, made when it is new. */
static struct staged *find_staged(struct stage *s, const struct unit *u, struct err *err)
{
	struct staged *grown, *st;
	struct err fault = ERR_INIT;
	size_t i;

	for (i = 0; i < s->n; i++)
		if (same_side(&s->v[i].copies[1].from, &u->head) &&
		    same_side(&s->v[i].copies[0].from, &u->base))
			return &s->v[i];
	grown = realloc(s->v, (s->n + 1) * sizeof(*grown));
	if (!grown) {
		err_nomem(err);
		return NULL;
	}
	s->v = grown;
	st = &grown[s->n++];
	memset(st, 0, sizeof(*st));
	if (unit_side_copy(&u->head, &st->copies[1].from, err) ||
	    unit_side_copy(&u->base, &st->copies[0].from, err))
		return NULL;
	/* Where one side cannot be copied, neither is: both are put in place the same way. */
	st->in_place = !u->head.binary_id || (u->has_base && !u->base.binary_id) ||
		       find_files(&st->copies[1], &fault) ||
		       (u->has_base && find_files(&st->copies[0], &fault));
	if (fault.code == ERR_NOMEM) {
		*err = fault;
		return NULL;
	}
	return st;
}

/* ---- copies -------------------------------------------------------------------------- */

/* Unsynced: nobody needs it after a crash. */
static int copy_file(const char *from, const char *to, struct err *err)
{
	char chunk[65536];
	int in = open(from, O_RDONLY | O_CLOEXEC), out = -1, result = -1;
	ssize_t n;

	if (in < 0) {
		err_sys(err, ERR_IO, "cannot open '%s'", from);
		goto out;
	}
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0500);
	if (out < 0) {
		err_sys(err, ERR_IO, "cannot create '%s'", to);
		goto out;
	}
	while ((n = read(in, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			err_sys(err, ERR_IO, "cannot read '%s'", from);
			goto out;
		}
		if (file_write_fd(out, to, chunk, (size_t)n, err))
			goto out;
	}
	result = 0;
out:
	file_close(&in);
	file_close(&out);
	return result;
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Copies a side's files into dir and fills the side that runs from there. */
static int fill_copy(struct copy *c, const char *dir, struct err *err)
{
	struct buf path = BUF_INIT, preload = BUF_INIT;
	size_t i;
	int result = -1;

	for (i = 0; i < c->files.n; i++) {
		buf_reset(&path);
		buf_addf(&path, "%s/%s", dir, i ? name_of(c->files.v[i]) : "exe");
		if (buf_check(&path, err) || copy_file(c->files.v[i], buf_str(&path), err) ||
		    (!i && str_set(&c->side.exe, buf_str(&path), err)))
			goto out;
		if (i)
			buf_addf(&preload, "%s%s", preload.len ? ":" : "", buf_str(&path));
	}
	if (buf_check(&preload, err) ||
	    str_set(&c->side.library_path, c->files.n > 1 ? dir : NULL, err) ||
	    str_set(&c->side.preload, c->from.preload && preload.len ? buf_str(&preload) : NULL,
		    err) ||
	    str_set(&c->side.binary_id, c->from.binary_id, err) ||
	    str_set(&c->side.dir, c->from.dir, err))
		goto out;
	result = 0;
out:
	buf_release(&path);
	buf_release(&preload);
	return result;
}

/*
 * The copy before this one stays until the next: a page that is freed is the first to be given
 * out again, and a copy in place of the old one would come to lie where that was.
 */
static int make_copy(const struct stage *s, struct copy *c, char which, struct err *err)
{
	struct buf dir = BUF_INIT;
	int result = -1;

	buf_addf(&dir, "%s/%06u%c", s->dir, s->n_made % 1000000, which);
	if (buf_check(&dir, err))
		goto out;
	if (mkdir(buf_str(&dir), 0700)) {
		err_sys(err, ERR_IO, "cannot create '%s'", buf_str(&dir));
		goto out;
	}
	if (fill_copy(c, buf_str(&dir), err))
		goto out;
	if (c->old_dir)
		file_remove_tree(c->old_dir, NULL);
	free(c->old_dir);
	c->old_dir = c->dir;
	c->dir = buf_detach(&dir);
	result = 0;
out:
	buf_release(&dir);
	return result;
}

/* Which side is written first is a coin too: it decides which one gets the better pages. */
static int make_copies(struct stage *s, struct staged *st, bool has_base, bool head_first,
		       struct err *err)
{
	int i;

	s->n_made++;
	for (i = 0; i < 2; i++) {
		int at = head_first ? 1 - i : i;

		if ((at || has_base) && make_copy(s, &st->copies[at], at ? 'b' : 'a', err))
			return -1;
	}
	st->made = true;
	return 0;
}

/* Coins of this pair alone, so that a repeated pair is laid out like the void one. */
static struct coin coin_of(const struct stage *s, const struct unit *u)
{
	struct coin coin;
	uint64_t mixed = s->seed;
	const char *p;

	for (p = u->name; *p; p++)
		mixed = (mixed ^ (unsigned char)*p) * 0x100000001b3u;
	coin_init(&coin, mixed + u->n_pairs * 0x9e3779b97f4a7c15u);
	return coin;
}

int stage_unit(struct stage *s, const struct unit *u, struct stage_pair *out, struct err *err)
{
	struct err fault = ERR_INIT;
	struct staged *st;
	struct coin coin;
	bool head_first;
	size_t epoch;

	*out = (struct stage_pair){ &u->head, &u->base, 0 };
	if (!s || !s->dir)
		return 0;
	coin = coin_of(s, u);
	head_first = coin_toss(&coin);
	if (s->padding)
		out->padding = STAGE_PADDING_STEP *
			       coin_below(&coin, STAGE_PADDING_MAX / STAGE_PADDING_STEP);
	if (s->failure)
		return 0;
	st = find_staged(s, u, err);
	if (!st)
		return -1;
	epoch = s->every ? u->n_pairs / s->every : 0;
	if (!st->in_place && (!st->made || epoch > st->epoch)) {
		st->epoch = epoch;
		if (make_copies(s, st, u->has_base, head_first, &fault))
			return fault.code == ERR_NOMEM ? err_nomem(err)
						       : str_set(&s->failure, fault.text, err);
	}
	if (!st->in_place) {
		out->head = &st->copies[1].side;
		out->base = &st->copies[0].side;
	}
	return 0;
}
