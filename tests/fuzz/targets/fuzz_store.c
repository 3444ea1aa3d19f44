/*
 * The file of the store, whatever is in it: opened, listed, read, checked, repaired.
 *
 * A result that is shown is one that was stored: the seeds hold results whose ids are known here by
 * what they were when the first input came, the seed itself.
 */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/store/local/store.h"

#include "lib/base/banned.h"

const size_t fuzz_cost = 40;

static char folder[64], path[96];

static void make_folder(void)
{
	if (*path)
		return;
	snprintf(folder, sizeof(folder), "%s/pawl-fuzz.XXXXXX",
		 access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	must(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/results.db", folder);
}

static void remove_folder(void)
{
	if (*path)
		file_remove_tree(folder, NULL);
}

static void put(const uint8_t *data, size_t n)
{
	static bool told;

	make_folder();
	if (!told)
		atexit(remove_folder);
	told = true;
	must(!file_remove_tree(folder, NULL) && !file_make_dirs(folder, 0700, NULL));
	must(!file_write_new(path, data, n, 0600, NULL));
}

static void hold_err(const struct err *err)
{
	must(err->code != ERR_NONE && *err->text && fuzz_is_line(err->text));
	must(fuzz_is_line(err->hint));
}

static void get(struct store *store, const char *id)
{
	struct err err = ERR_INIT;
	struct buf text = BUF_INIT;
	struct summary s;

	if (store_get(store, id, &s, &err)) {
		hold_err(&err);
		return;
	}
	must(!strcmp(s.id, id));
	must(!summary_encode(&s, 0, &text, NULL));
	buf_release(&text);
	summary_release(&s);
}

/* The number of results that are shown; -1: it is not opened. */
static int read_all(enum store_mode mode)
{
	struct store *store = NULL;
	struct store_row *rows = NULL;
	struct err err = ERR_INIT;
	struct summary s;
	size_t n = 0, i;

	if (store_open(path, mode, &store, &err)) {
		hold_err(&err);
		return -1;
	}
	if (store_list(store, "p", 100, &rows, &n, &err))
		hold_err(&err);
	for (i = 0; i < n; i++)
		get(store, rows[i].id);
	free(rows);
	err = (struct err)ERR_INIT;
	if (store_latest(store, "p", NULL, &s, &err))
		hold_err(&err);
	else
		summary_release(&s);
	store_close(store);
	return (int)n;
}

/* Whether the check finds nothing; false too where it cannot be made. */
static bool is_sound(size_t *out_rows)
{
	struct store *store = NULL;
	struct store_check c;
	struct err err = ERR_INIT;
	bool sound = false;

	*out_rows = 0;
	if (store_open(path, STORE_READ, &store, &err)) {
		hold_err(&err);
		return false;
	}
	if (store_check(store, &c, &err)) {
		hold_err(&err);
	} else {
		sound = !c.faults.n;
		must(c.n_bad <= c.n_rows && (!c.n_bad || !sound));
		*out_rows = c.n_rows - c.n_bad;
		store_check_release(&c);
	}
	store_close(store);
	return sound;
}

static void repair(void)
{
	struct store_repair r;
	struct err err = ERR_INIT;
	size_t n = 0;

	if (store_repair(path, &r, &err)) {
		hold_err(&err);
		return;
	}
	must(is_sound(&n));
	if (r.kept)
		must(n == r.n_saved && file_exists(r.kept));
	store_repair_release(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	size_t n_good;

	put(data, n);
	if (read_all(STORE_READ) > 0 && is_sound(&n_good))
		fuzz_accept();
	repair();
	read_all(STORE_WRITE);
	return 0;
}
