/*
 * results_fixture - a local store in a folder of its own, summaries in it, and its baselines.
 */
#ifndef PAWL_TESTS_UNIT_STORE_LOCAL_RESULTS_FIXTURE_H
#define PAWL_TESTS_UNIT_STORE_LOCAL_RESULTS_FIXTURE_H

#include "tests/unit/lib/store/local/results_failing.h"

#include "lib/store/local/store.h"

struct place {
	char *dir, *path;
	struct store *store;
};

static inline int set_up(void **state)
{
	struct place *p = calloc(1, sizeof(*p));
	char *folder;

	assert_non_null(p);
	p->dir = new_folder();
	folder = path_in(p->dir, "pawl");
	p->path = path_in(folder, "results.db");
	free(folder);
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, NULL), 0);
	*state = p;
	return 0;
}

static inline int tear_down(void **state)
{
	struct place *p = *state;

	store_close(p->store);
	file_remove_tree(p->dir, NULL);
	free(p->dir);
	free(p->path);
	free(p);
	return 0;
}

#define ONE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static inline void add(struct store *store, unsigned n, const char *commit)
{
	struct summary s;

	fill_summary(&s, n, commit);
	assert_int_equal(store_add(store, &s, false, NULL, NULL), 0);
	summary_release(&s);
}

/* Whether the newest baseline at a commit is result n, or with n = 0 there is none. */
static inline bool baseline_is(struct store *store, const char *commit, unsigned n)
{
	struct history found = HISTORY_INIT;
	char id[27];
	bool same;

	if (store_baselines(store, "zlib", commit, MACHINE, 9, &found, NULL))
		return false;
	same = n ? found.n && !strcmp(found.v[0].id, id_of(n, id)) : !found.n;
	history_release(&found);
	return same;
}

#endif
