/*
 * results_failing - the calls of a local store, each first made with each of its statements failing
 * (failing.h).
 */
#ifndef PAWL_TESTS_UNIT_STORE_LOCAL_FAILING_H
#define PAWL_TESTS_UNIT_STORE_LOCAL_FAILING_H

#include "tests/unit/lib/store/failing.h"

#include "lib/store/local/local.h"
#include "lib/store/local/visit.h"

/* What was found damaged by a call that failed is found again by the next. */
static inline void forget(struct store *store, size_t n_passed_over)
{
	while (store->passed_over.n > n_passed_over)
		free(store->passed_over.v[--store->passed_over.n]);
	if (store->passed_over.v)
		store->passed_over.v[store->passed_over.n] = NULL;
}

#define FAILING_STORE(name, call, undo) \
	size_t n_passed_over = store->passed_over.n; \
\
	FAILING(&store->db, name, call, (forget(store, n_passed_over), undo))

static inline int failing_store_add(struct store *store, const struct summary *s, bool queue,
				    bool *out_queued, struct err *err)
{
	FAILING_STORE("store_add", store_add(store, s, queue, out_queued, &fault), (void)0);
}

static inline int failing_store_baselines(struct store *store, const char *project,
					  const char *commit, const char *machine, size_t max,
					  struct history *out, struct err *err)
{
	FAILING_STORE("store_baselines",
		      store_baselines(store, project, commit, machine, max, out, &fault),
		      failing.at > 1 ? history_release(out) : (void)0);
}

static inline int failing_store_results(struct store *store, const char *project,
					const char *commit, const char *machine, size_t max,
					struct history *out, struct err *err)
{
	FAILING_STORE("store_results",
		      store_results(store, project, commit, machine, max, out, &fault),
		      failing.at > 1 ? history_release(out) : (void)0);
}

static inline int failing_store_latest(struct store *store, const char *project, const char *commit,
				       struct summary *out, struct err *err)
{
	FAILING_STORE("store_latest", store_latest(store, project, commit, out, &fault), (void)0);
}

static inline int failing_store_get(struct store *store, const char *id, struct summary *out,
				    struct err *err)
{
	FAILING_STORE("store_get", store_get(store, id, out, &fault), (void)0);
}

static inline int failing_store_list(struct store *store, const char *project, size_t limit,
				     struct store_row **out, size_t *out_n, struct err *err)
{
	FAILING_STORE("store_list", store_list(store, project, limit, out, out_n, &fault), (void)0);
}

static inline int failing_store_other_project(struct store *store, const char *project,
					      struct buf *out, struct err *err)
{
	FAILING_STORE("store_other_project", store_other_project(store, project, out, &fault),
		      buf_reset(out));
}

static inline int failing_store_queue_next(struct store *store, int64_t now_us,
					   const struct strv *skip, struct queue_entry *out,
					   struct err *err)
{
	FAILING_STORE("store_queue_next", store_queue_next(store, now_us, skip, out, &fault),
		      (void)0);
}

static inline int failing_store_queue_done(struct store *store, const char *id, struct err *err)
{
	FAILING_STORE("store_queue_done", store_queue_done(store, id, &fault), (void)0);
}

static inline int failing_store_queue_retry(struct store *store, const char *id,
					    int64_t next_try_us, const char *why, struct err *err)
{
	FAILING_STORE("store_queue_retry", store_queue_retry(store, id, next_try_us, why, &fault),
		      (void)0);
}

static inline int failing_store_queue_reject(struct store *store, const char *id, const char *why,
					     struct err *err)
{
	FAILING_STORE("store_queue_reject", store_queue_reject(store, id, why, &fault), (void)0);
}

static inline int failing_store_queue_again(struct store *store, size_t *out_n, struct err *err)
{
	FAILING_STORE("store_queue_again", store_queue_again(store, out_n, &fault), (void)0);
}

static inline int failing_store_queue_all(struct store *store, size_t *out_n, struct err *err)
{
	FAILING_STORE("store_queue_all", store_queue_all(store, out_n, &fault), (void)0);
}

static inline int failing_store_queue_pass_over(struct store *store, const char *id, bool *out,
						struct err *err)
{
	FAILING_STORE("store_queue_pass_over", store_queue_pass_over(store, id, out, &fault),
		      (void)0);
}

static inline int failing_store_queue_missed(struct store *store, size_t *out_n, struct err *err)
{
	FAILING_STORE("store_queue_missed", store_queue_missed(store, out_n, &fault), (void)0);
}

static inline int failing_store_queue_count(struct store *store, size_t *out_waiting,
					    size_t *out_rejected, struct err *err)
{
	FAILING_STORE("store_queue_count",
		      store_queue_count(store, out_waiting, out_rejected, &fault), (void)0);
}

static inline int failing_store_get_meta(struct store *store, const char *key, char **out,
					 struct err *err)
{
	FAILING_STORE("store_get_meta", store_get_meta(store, key, out, &fault), (void)0);
}

static inline int failing_store_set_meta(struct store *store, const char *key, const char *value,
					 struct err *err)
{
	FAILING_STORE("store_set_meta", store_set_meta(store, key, value, &fault), (void)0);
}

#define store_add(...) failing_store_add(__VA_ARGS__)
#define store_baselines(...) failing_store_baselines(__VA_ARGS__)
#define store_results(...) failing_store_results(__VA_ARGS__)
#define store_latest(...) failing_store_latest(__VA_ARGS__)
#define store_get(...) failing_store_get(__VA_ARGS__)
#define store_list(...) failing_store_list(__VA_ARGS__)
#define store_other_project(...) failing_store_other_project(__VA_ARGS__)
#define store_queue_next(...) failing_store_queue_next(__VA_ARGS__)
#define store_queue_done(...) failing_store_queue_done(__VA_ARGS__)
#define store_queue_retry(...) failing_store_queue_retry(__VA_ARGS__)
#define store_queue_reject(...) failing_store_queue_reject(__VA_ARGS__)
#define store_queue_again(...) failing_store_queue_again(__VA_ARGS__)
#define store_queue_all(...) failing_store_queue_all(__VA_ARGS__)
#define store_queue_pass_over(...) failing_store_queue_pass_over(__VA_ARGS__)
#define store_queue_missed(...) failing_store_queue_missed(__VA_ARGS__)
#define store_queue_count(...) failing_store_queue_count(__VA_ARGS__)
#define store_get_meta(...) failing_store_get_meta(__VA_ARGS__)
#define store_set_meta(...) failing_store_set_meta(__VA_ARGS__)

#endif
