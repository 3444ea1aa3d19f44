#include "collector/extent/parts.h"

#include <stdlib.h>
#include <string.h>

#include "collector/extent/linked.h"
#include "collector/extent/parts_local.h"

#include "lib/base/banned.h"

void parts_release(struct parts *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		free(p->v[i].key);
		free(p->v[i].name);
		free(p->v[i].needs);
		free(p->v[i].between);
	}
	free(p->v);
	*p = (struct parts)PARTS_INIT;
}

static int by_key(const void *a, const void *b)
{
	return strcmp((*(struct part *const *)a)->key, (*(struct part *const *)b)->key);
}

/* Of two parts of one key neither can be told from the other. */
static int mark_twins(struct parts *p, struct err *err)
{
	struct part **list = calloc(p->n + 1, sizeof(*list));
	size_t i;

	if (!list)
		return err_nomem(err);
	for (i = 0; i < p->n; i++)
		list[i] = &p->v[i];
	qsort(list, p->n, sizeof(*list), by_key);
	for (i = 1; i < p->n; i++)
		if (!strcmp(list[i - 1]->key, list[i]->key))
			list[i - 1]->odd = list[i]->odd = "there are two of that name";
	free(list);
	return 0;
}

/* The other half of a function that compilers part: it is entered anywhere, by tables too. */
static int need_cold(struct parts *p, struct err *err)
{
	size_t i, k;

	for (i = 0; i < p->n; i++) {
		struct part *cold = &p->v[i];
		const char *end = cold->kind == PART_FUNCTION ? strstr(cold->name, ".cold") : NULL;
		bool found = false;

		for (k = 0; end && k < p->n; k++) {
			struct part *of = &p->v[k];

			if (of->kind != PART_FUNCTION || of->input != cold->input ||
			    strlen(of->name) != (size_t)(end - cold->name) ||
			    strncmp(of->name, cold->name, strlen(of->name)) != 0)
				continue;
			found = true;
			if (parts_need(p, of, cold, err))
				return -1;
		}
		cold->always = cold->always || (end && !found);
	}
	return 0;
}

/* What other libraries find by its name they may read, and change. */
static void mark_exported(const struct inputs *in, struct parts *p, const struct strv *exported)
{
	size_t i;

	for (i = 0; i < exported->n; i++) {
		const struct definition *d = inputs_definition(in, exported->v[i]);
		struct part *found = d ? parts_at(in, p, d->input, d->section, d->value) : NULL;

		if (found && found->kind == PART_DATA)
			found->always = true;
	}
}

/* The archive that what runs benchmarks is a member of, or NULL. */
static const char *harness_archive(const struct inputs *in)
{
	static const char *const names[] = { "pawl_main", "_ZN9benchmark22RunSpecifiedBenchmarksEv",
					     "_ZN5Catch7Session3runEv" };
	const struct definition *d = NULL;
	size_t i;

	for (i = 0; !d && i < sizeof(names) / sizeof(names[0]); i++)
		d = inputs_definition(in, names[i]);
	return d && in->v[d->input].member ? in->v[d->input].file : NULL;
}

static void mark_harness(const struct inputs *in, struct parts *p)
{
	const char *file = harness_archive(in);
	size_t i;

	for (i = 0; file && i < p->n; i++)
		p->v[i].is_harness = !strcmp(in->v[p->v[i].input].file, file);
}

static const char *output_of(const struct inputs *in, const struct part *p)
{
	return in->v[p->input].places[p->section].output;
}

/* Data that it names, in one section of the program, with what is known of that section. */
static int join_one(const struct inputs *in, struct parts *p, struct part *from, size_t need,
		    struct err *err)
{
	const struct part *to = &p->v[need];
	size_t i, *grown;

	for (i = 0; i < from->n_between; i += 2) {
		size_t *ends = from->between + i;

		if (strcmp(output_of(in, &p->v[ends[0]]), output_of(in, to)) != 0)
			continue;
		ends[0] = need < ends[0] ? need : ends[0];
		ends[1] = need > ends[1] ? need : ends[1];
		return 0;
	}
	grown = realloc(from->between, (i + 2) * sizeof(*grown));
	if (!grown)
		return err_nomem(err);
	from->between = grown;
	grown[i] = grown[i + 1] = need;
	from->n_between = i + 2;
	return 0;
}

/* Parts are in the order of the program: between two of a section lie only others of that. */
static int join_data(const struct inputs *in, struct parts *p, struct err *err)
{
	size_t i, k;

	for (i = 0; i < p->n; i++)
		for (k = 0; k < p->v[i].n_needs; k++)
			if (p->v[p->v[i].needs[k]].kind == PART_DATA &&
			    join_one(in, p, &p->v[i], p->v[i].needs[k], err))
				return -1;
	return 0;
}

static void mark(size_t which, bool *marked, size_t *list, size_t *n)
{
	if (!marked[which])
		list[(*n)++] = which;
	marked[which] = true;
}

int parts_close_over(const struct parts *p, bool *marked, struct err *err)
{
	size_t *list = calloc(p->n + 1, sizeof(*list)), n = 0, i, k;

	if (!list)
		return err_nomem(err);
	for (i = 0; i < p->n; i++)
		if (marked[i])
			list[n++] = i;
	while (n) {
		const struct part *one = &p->v[list[--n]];

		for (i = 0; i < one->n_needs; i++)
			mark(one->needs[i], marked, list, &n);
		for (i = 0; i < one->n_between; i += 2)
			for (k = one->between[i]; k < one->between[i + 1]; k++)
				mark(k, marked, list, &n);
	}
	free(list);
	return 0;
}

int parts_read(const struct layouts *l, struct parts *out, struct err *err)
{
	struct parts p = PARTS_INIT;
	struct strv exported = STRV_INIT;
	struct inputs in;
	size_t i;
	int result = -1;

	if (l->is_flat) /* its objects are not those of the sources */
		return err_set(err, ERR_ABSENT, "it is optimised when it is linked");
	if (inputs_open(l, &in, err))
		return -1;
	if (linked_read(&in.program, &l->link, l->top, p.frame, &exported, err) ||
	    parts_cut(&in, &p, err))
		goto out;
	p.filled = linked_filled(&in.program);
	mark_exported(&in, &p, &exported);
	mark_harness(&in, &p);
	if (parts_digest(&in, &p, err) || need_cold(&p, err) || mark_twins(&p, err) ||
	    join_data(&in, &p, err))
		goto out;
	p.entry = in.program.head.e_entry;
	for (i = 0; i < p.n; i++)
		p.n_functions += p.v[i].kind == PART_FUNCTION;
	*out = p;
	p = (struct parts)PARTS_INIT;
	result = 0;
out:
	strv_release(&exported);
	inputs_close(&in);
	parts_release(&p);
	return result;
}
