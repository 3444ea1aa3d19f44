#include "lib/foreign/google_places.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

struct place {
	const char *name;
	double family, instance; /* the family's number, and that of its arguments */
	size_t at;		 /* entry */
};

static int by_name(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->at > y->at) - (x->at < y->at);
}

static bool is_same(const struct place *a, const struct place *b)
{
	return a->family == b->family && a->instance == b->instance;
}

/* False: it does not say. */
static bool read_place(const struct jtree *entry, struct place *out)
{
	out->name = jtree_text(jtree_get(entry, "run_name"));
	out->family = jtree_number(jtree_get(entry, "family_index"));
	out->instance = jtree_number(jtree_get(entry, "per_family_instance_index"));
	return out->name && is_same(out, out); /* no NaN */
}

int google_places_check(const struct jtree *benchmarks, struct err *err)
{
	size_t all = jtree_count(benchmarks), n = 0, i;
	const struct jtree *entry = jtree_first(benchmarks);
	struct place *v = calloc(all ? all : 1, sizeof(*v));
	const struct place *twice = NULL;

	if (!v)
		return err_nomem(err);
	for (i = 0; entry; entry = jtree_after(benchmarks, entry), i++) {
		v[n].at = i;
		n += read_place(entry, &v[n]);
	}
	qsort(v, n, sizeof(*v), by_name);
	for (i = 1; i < n; i++)
		if (!strcmp(v[i].name, v[i - 1].name) && !is_same(&v[i], &v[i - 1]) &&
		    (!twice || v[i].at < twice->at))
			twice = &v[i];
	if (twice) {
		err_set(err, ERR_CONFLICT, "benchmarks[%zu]: benchmark '%s' is there twice",
			twice->at, twice->name);
		err_hint(err, "two benchmarks of the program have that name: rename one");
	}
	free(v);
	return twice ? -1 : 0;
}
