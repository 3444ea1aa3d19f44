/*
 * trend_world - a store of results of five commits, and their trend.
 */
#ifndef PAWL_TESTS_UNIT_REPORTER_TREND_WORLD_H
#define PAWL_TESTS_UNIT_REPORTER_TREND_WORLD_H

#include "tests/unit/store_fixture.h"

#include "reporter/trend/load.h"

enum { COMMITS = 5 };

#define DIGITS "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const char *const ids[COMMITS] = {
	"1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222",
	"3333333333333333333333333333333333333333", "4444444444444444444444444444444444444444",
	"5555555555555555555555555555555555555555",
};

struct world {
	char *dir, *path;
	struct store *store;
	struct strv line;
	struct trend_query query;
	unsigned n;
};

static inline int setup(void **state)
{
	static struct world w;
	int i;

	memset(&w, 0, sizeof(w));
	w.dir = new_folder();
	w.path = path_in(w.dir, "results.db");
	assert_int_equal(0, store_open(w.path, STORE_WRITE, &w.store, NULL));
	for (i = 0; i < COMMITS; i++)
		assert_int_equal(0, strv_add(&w.line, ids[i], NULL));
	w.query = (struct trend_query){ .project = "zlib",
					.machine = MACHINE,
					.benchmark = "deflate/6",
					.line = &w.line,
					.limit = 100,
					.tag_place = TREND_NOWHERE };
	*state = &w;
	return 0;
}

static inline int teardown(void **state)
{
	struct world *w = *state;

	store_close(w->store);
	strv_release(&w->line);
	assert_int_equal(0, file_remove_tree(w->dir, NULL));
	free(w->path);
	free(w->dir);
	return 0;
}

/* A result of ids[at] against `base` (NULL: none): every pair 5 % worse, give or take. */
static inline void prepare(struct world *w, struct summary *s, int at, const char *base,
			   const char *how)
{
	struct metric *m;
	int i;

	fill_summary(s, ++w->n, ids[at]);
	m = &s->benchmarks[0].metrics[0];
	m->n = 0;
	for (i = 0; i < 10; i++) {
		assert_int_equal(0, samples_add(&m->samples, &m->n, 1050 + i, NULL));
		if (base)
			assert_int_equal(0, samples_add(&m->baseline_samples, &m->n_baseline,
							1000 + 0.5 * i, NULL));
	}
	s->benchmarks[0].threshold = 0.01;
	s->benchmarks[0].paired = base && strcmp(how, "stored");
	assert_int_equal(0, str_set(&s->baseline.commit, base, NULL));
	assert_int_equal(0, str_set(&s->baseline.how, base ? how : NULL, NULL));
}

static inline void put(struct world *w, struct summary *s)
{
	assert_int_equal(0, store_add(w->store, s, false, NULL, NULL));
	summary_release(s);
}

static inline void add(struct world *w, int at, const char *base, const char *how)
{
	struct summary s;

	prepare(w, &s, at, base, how);
	put(w, &s);
}

static inline struct trend_set load(struct world *w)
{
	struct trend_set set = TREND_SET_INIT;
	struct err err = ERR_INIT;

	if (trend_load(w->store, &w->query, &set, &err))
		fail_msg("%s", err.text);
	return set;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
