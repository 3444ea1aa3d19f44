#include "cli/known.h"

#include <stdlib.h>

#include "cli/option/hint.h"
#include "lib/base/banned.h"

#define NEWEST 100

static int add_once(struct strv *list, const char *name, struct err *err)
{
	return strv_has(list, name) ? 0 : strv_add(list, name, err);
}

int known_benchmarks(const struct context *c, struct strv *out, struct err *err)
{
	struct store *store = NULL;
	struct summary s;
	size_t i;
	int result = 0;

	for (i = 0; i < c->config.n_benchmarks && !result; i++)
		result = add_once(out, c->config.benchmarks[i].name, err);
	if (result || !c->store_path || store_open(c->store_path, STORE_READ, &store, NULL))
		return result;
	if (!store_latest(store, c->project, NULL, &s, NULL)) {
		for (i = 0; i < s.n_benchmarks && !result; i++)
			result = add_once(out, s.benchmarks[i].name, err);
		summary_release(&s);
	}
	store_close(store);
	return result;
}

int known_machines(const struct context *c, struct strv *out, struct err *err)
{
	struct store *store = NULL;
	struct store_row *rows = NULL;
	size_t i, n = 0;
	int result = 0;

	if (!c->store_path || store_open(c->store_path, STORE_READ, &store, NULL))
		return 0;
	if (!store_list(store, c->project, NEWEST, &rows, &n, NULL))
		for (i = 0; i < n && !result; i++)
			result = add_once(out, rows[i].machine, err);
	free(rows);
	store_close(store);
	return result;
}

int hint_benchmark(const struct context *c, struct err *err, const char *name,
		   const char *otherwise)
{
	static const char *const none[] = { NULL };
	struct strv names = STRV_INIT;

	known_benchmarks(c, &names, NULL);
	hint_nearest_of(err, name, names.n ? (const char *const *)names.v : none, "", otherwise);
	strv_release(&names);
	return -1;
}

int hint_project(const struct context *c, struct err *err, const char *otherwise)
{
	struct store *store = NULL;
	struct buf other = BUF_INIT;

	if (c->store_path && !store_open(c->store_path, STORE_READ, &store, NULL)) {
		store_other_project(store, c->project, &other, NULL);
		store_close(store);
	}
	if (other.len)
		err_hint(err,
			 "the results here are of project '%s', and this is '%s': --project, or "
			 "'project = %s' in .pawlconfig",
			 buf_str(&other), c->project, buf_str(&other));
	else
		err_hint(err, "%s", otherwise);
	buf_release(&other);
	return -1;
}
