#include "cli/accept/change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/accept/result.h"
#include "collector/accept.h"
#include "lib/base/strv.h"

#include "lib/base/banned.h"

/* How much worse the benchmark got; *base is valid as long as the results are. */
struct size {
	double change; /* NaN: not known */
	const char *base;
	const struct bench *bench;
};

/* One entry is of one metric. */
static int check_is_alike(const struct bench *a, const struct bench *b, struct err *err)
{
	const char *one = accept_metric(a), *two = accept_metric(b);

	if (str_same(one, two))
		return 0;
	err_set(err, ERR_USAGE, "'%s' is judged by %s and '%s' by %s", a->name,
		one ? one : "its time", b->name, two ? two : "its time");
	return err_hint(err, "accept each by its own name");
}

/* The largest among the benchmarks meant; of each, what the newest result says that can. */
static int largest(const struct history *results, const char *name, struct size *out,
		   struct err *err)
{
	struct strv known = STRV_INIT;
	size_t i, k;
	double change;
	int result = -1;

	for (i = 0; i < results->n; i++)
		for (k = 0; k < results->v[i].n_benchmarks; k++) {
			const struct bench *b = &results->v[i].benchmarks[k];

			if (!str_is_named(b->name, name) || strv_has(&known, b->name) ||
			    !accept_size(b, &change))
				continue;
			if (out->bench && check_is_alike(out->bench, b, err))
				goto out;
			if (strv_add(&known, b->name, err))
				goto out;
			if (!out->bench)
				out->bench = b;
			if (out->change >= change)
				continue;
			out->change = change;
			out->base = b->baseline_commit ? b->baseline_commit
						       : results->v[i].baseline.commit;
		}
	result = 0;
out:
	strv_release(&known);
	return result;
}

/* The size is then more than what the commit did, or not only that. */
void accept_warn_of_base(const struct context *c, const char *commit, const char *base)
{
	char parent[OID_TEXT];

	if (base && !repo_first_parent(c->repo, commit, parent, NULL) && strcmp(base, parent) != 0)
		talk_warn(c->talk, "--change says the size of this commit alone",
			  "the stored result compares with %.12s, which is not its parent", base);
}

/* What the newest results say, the stored ones first; out->change NaN: nothing. */
static int find_size(const struct context *c, const char *commit, const char *name,
		     struct history *results, struct size *out, struct err *err)
{
	*out = (struct size){ (double)NAN, NULL, NULL };
	if (accept_stored(c, commit, results, err) || largest(results, name, out, err))
		return -1;
	return isnan(out->change) && (accept_kept(c, commit, results, err) ||
				      largest(results, name, out, err))
		       ? -1
		       : 0;
}

/* *metric is to be freed; NULL: a time. */
static int stored_change(const struct context *c, const char *commit, const char *name, double *out,
			 char **metric, struct err *err)
{
	struct history results = HISTORY_INIT;
	struct size size;
	int result = -1;

	if (find_size(c, commit, name, &results, &size, err))
		goto out;
	if (isnan(size.change)) {
		err_set(err, ERR_ABSENT,
			"no stored result of %.12s says how much worse '%s' got side by side",
			commit, name);
		err_hint(err,
			 "measure it and accept it again: pawl compare %.12s~..%.12s; or say "
			 "the size: --change +6%%, or any",
			 commit, commit);
		goto out;
	}
	accept_warn_of_base(c, commit, size.base);
	*out = size.change;
	result = str_set(metric, accept_metric(size.bench), err);
out:
	history_release(&results);
	return result;
}

/* What was measured says it, else the configuration. */
static int find_metric(const struct context *c, const char *commit, const char *name, char **metric,
		       struct err *err)
{
	struct history results = HISTORY_INIT;
	struct err fault = ERR_INIT;
	const char *found = NULL;
	struct size size;
	size_t i;
	int result;

	if (find_size(c, commit, name, &results, &size, &fault) && fault.code == ERR_USAGE) {
		*err = fault;
		history_release(&results);
		return -1;
	}
	if (size.bench) {
		found = accept_metric(size.bench);
	} else {
		for (i = 0; i < c->config.n_benchmarks; i++)
			if (str_is_named(c->config.benchmarks[i].name, name) ||
			    str_below(name, c->config.benchmarks[i].name))
				found = c->config.benchmarks[i].metric;
		if (found && (!strcmp(found, "cpu") || !strcmp(found, "wall")))
			found = NULL;
	}
	result = str_set(metric, found, err);
	history_release(&results);
	return result;
}

int accept_find_change(const struct options *o, const struct context *c, const char *commit,
		       double *out, char **metric, struct err *err)
{
	if (!o->change)
		return stored_change(c, commit, o->benchmark, out, metric, err);
	if (accepted_change_parse(o->change, out))
		return find_metric(c, commit, o->benchmark, metric, err);
	err_set(err, ERR_USAGE, "--change takes how much worse it may get, not '%s'", o->change);
	return err_hint(err, "for example --change +6%%, or --change any");
}
