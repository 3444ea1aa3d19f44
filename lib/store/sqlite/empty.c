/* What is in the WAL gets into the file beside whoever commits. */
#include <pthread.h>
#include <stdlib.h>

#include "lib/store/sqlite/sqlite.h"

#include "lib/base/banned.h"

/* Pages of a WAL that are copied at a time: so many are written in some milliseconds. */
#define STEP_PAGES 1000

/* From here on it is to begin afresh: 16 MiB. */
#define LONG_PAGES 4000

/* So many behind what the thread was asked to copy, it has most likely done so. */
#define LEFT_PAGES (STEP_PAGES / 4)

struct emptier {
	const char *path;
	sqlite3 *own; /* the thread's; NULL: not open, as before it is needed */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool is_asked, stopping;
	/* Of the one who commits: */
	bool is_running; /* the thread */
	int upto;	 /* pages that it was asked for */
	bool is_done;	 /* those behind them were tried since */
};

static int copy_pages(sqlite3 *handle)
{
	return sqlite3_wal_checkpoint_v2(handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

static void close_own(struct emptier *e)
{
	sqlite3_close(e->own);
	e->own = NULL;
}

/* Before anything was read of the file, SQLite does not know that it has a WAL. */
static int open_own(struct emptier *e)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
	int code = sqlite3_open_v2(e->path, &e->own, flags, NULL);

	if (code == SQLITE_OK)
		code = sqlite3_exec(e->own,
				    "PRAGMA mmap_size=0; PRAGMA synchronous=FULL;"
				    "PRAGMA user_version",
				    NULL, NULL, NULL);
	if (code != SQLITE_OK)
		close_own(e);
	return code;
}

/* Failing is no fault: the pages stay in the WAL, and are copied with the next ones. */
static void copy_beside(struct emptier *e)
{
	if (!e->own && open_own(e) != SQLITE_OK)
		return;
	if ((copy_pages(e->own) & 0xff) == SQLITE_IOERR)
		close_own(e);
}

static void *run(void *arg)
{
	struct emptier *e = arg;
	bool is_asked;

	for (;;) {
		pthread_mutex_lock(&e->lock);
		while (!e->is_asked && !e->stopping)
			pthread_cond_wait(&e->wake, &e->lock);
		is_asked = e->is_asked && !e->stopping;
		e->is_asked = false;
		pthread_mutex_unlock(&e->lock);
		if (!is_asked)
			break;
		copy_beside(e);
	}
	close_own(e);
	return NULL;
}

static void ask(struct emptier *e)
{
	pthread_mutex_lock(&e->lock);
	e->is_asked = true;
	pthread_cond_signal(&e->wake);
	pthread_mutex_unlock(&e->lock);
	if (!e->is_running)
		e->is_running = !pthread_create(&e->thread, NULL, run, e);
}

/*
 * Behind each commit.  A WAL begins afresh when all of it is copied at that moment and nobody reads
 * it: the last pages are few, and copied here, where nobody else commits.
 */
static int on_commit(void *arg, sqlite3 *handle, const char *name, int n_pages)
{
	struct emptier *e = arg;

	(void)name;
	if (n_pages < e->upto)
		e->upto = 0;
	if (n_pages - e->upto >= STEP_PAGES) {
		ask(e);
		e->upto = n_pages;
		e->is_done = false;
	} else if (n_pages >= LONG_PAGES && n_pages - e->upto >= LEFT_PAGES && !e->is_done) {
		/* Busy as long as the thread is. */
		e->is_done = (copy_pages(handle) & 0xff) != SQLITE_BUSY;
	}
	return SQLITE_OK;
}

int sqlite_empty_beside(struct db *db, struct err *err)
{
	struct emptier *e = calloc(1, sizeof(*e));

	if (!e)
		return err_nomem(err);
	e->path = db->path;
	pthread_mutex_init(&e->lock, NULL);
	pthread_cond_init(&e->wake, NULL);
	db->beside = e;
	/* In place of SQLite's own copying. */
	sqlite3_wal_hook(db->handle, on_commit, e);
	return 0;
}

void sqlite_empty_stop(struct db *db)
{
	struct emptier *e = db->beside;

	if (!e)
		return;
	pthread_mutex_lock(&e->lock);
	e->stopping = true;
	pthread_cond_signal(&e->wake);
	pthread_mutex_unlock(&e->lock);
	if (e->is_running)
		pthread_join(e->thread, NULL);
	pthread_cond_destroy(&e->wake);
	pthread_mutex_destroy(&e->lock);
	free(e);
	db->beside = NULL;
}
