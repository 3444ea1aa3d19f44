#include "lib/profile/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/profile/profile_local.h"

#include "lib/base/banned.h"

void profile_release(struct profile *p)
{
	free(p->functions);
	free(p->lines);
	strv_release(&p->names);
	*p = (struct profile)PROFILE_INIT;
}

void profile_builder_release(struct profile_builder *b)
{
	free(b->records);
	strv_release(&b->names);
	*b = (struct profile_builder)PROFILE_BUILDER_INIT;
}

const char *profile_builder_name(struct profile_builder *b, const char *text, size_t n,
				 struct err *err)
{
	if (b->names.n >= PROFILE_MAX_RECORDS) {
		err_set(err, ERR_LIMIT, "the profile has more than %d names", PROFILE_MAX_RECORDS);
		return NULL;
	}
	if (strv_addf(&b->names, err, "%.*s", (int)n, text))
		return NULL;
	return b->names.v[b->names.n - 1];
}

int profile_builder_add(struct profile_builder *b, const struct profile_record *r, struct err *err)
{
	if (b->n == b->cap) {
		size_t cap = b->cap ? 2 * b->cap : 256;
		struct profile_record *grown;

		if (b->n >= PROFILE_MAX_RECORDS)
			return err_set(err, ERR_LIMIT, "the profile has more than %d costs",
				       PROFILE_MAX_RECORDS);
		grown = realloc(b->records, cap * sizeof(*grown));
		if (!grown)
			return err_nomem(err);
		b->records = grown;
		b->cap = cap;
	}
	b->records[b->n++] = *r;
	return 0;
}

static int by_text(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

static int by_function(const struct profile_record *a, const struct profile_record *b)
{
	int order = by_text(a->name, b->name);

	if (!order)
		order = by_text(a->object, b->object);
	return order ? order : by_text(a->function_file, b->function_file);
}

static int by_line(const struct profile_record *a, const struct profile_record *b)
{
	int order = by_text(a->file, b->file);

	return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int by_place(const void *left, const void *right)
{
	const struct profile_record *a = left, *b = right;
	int order = by_function(a, b);

	return order ? order : by_line(a, b);
}

/* Adds the records of one function, b->records[from..to), at the end of *p. */
static void add_function(const struct profile_record *r, size_t n, size_t *n_lines,
			 struct profile *p)
{
	struct profile_function f = { r->object, r->function_file, r->name, 0, 0, NULL, 0 };
	struct profile_line *line = NULL;
	size_t i;

	f.lines = &p->lines[*n_lines];
	for (i = 0; i < n; i++) {
		f.inclusive += r[i].cost;
		if (r[i].is_call)
			continue;
		f.self += r[i].cost;
		if (!line || line->line != r[i].line || by_text(line->file, r[i].file)) {
			if (line && line->self == 0)
				f.n_lines--;
			line = &f.lines[f.n_lines++];
			*line = (struct profile_line){ r[i].file, r[i].line, 0 };
		}
		line->self += r[i].cost;
	}
	if (line && line->self == 0)
		f.n_lines--;
	*n_lines += f.n_lines;
	p->total += f.self;
	if (f.self != 0 || f.inclusive != 0 || f.n_lines)
		p->functions[p->n++] = f;
}

/* A function that calls itself over others has its inclusive cost counted more than once. */
static void cap_inclusive(struct profile *p)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (fabs(p->functions[i].inclusive) > fabs(p->total))
			p->functions[i].inclusive = p->total;
}

int profile_builder_end(struct profile_builder *b, struct profile *out, struct err *err)
{
	struct profile p = PROFILE_INIT;
	size_t i, from = 0, n_lines = 0, n_functions = 0;

	if (b->n)
		qsort(b->records, b->n, sizeof(*b->records), by_place);
	for (i = 0; i < b->n; i++)
		n_functions += !i || by_function(&b->records[i - 1], &b->records[i]);
	p.functions = calloc(n_functions + 1, sizeof(*p.functions));
	p.lines = calloc(b->n + 1, sizeof(*p.lines));
	if (!p.functions || !p.lines) {
		profile_release(&p);
		return err_nomem(err);
	}
	for (i = 1; i <= b->n; i++) {
		if (i < b->n && !by_function(&b->records[from], &b->records[i]))
			continue;
		add_function(&b->records[from], i - from, &n_lines, &p);
		from = i;
	}
	cap_inclusive(&p);
	p.names = b->names;
	b->names = (struct strv)STRV_INIT;
	profile_builder_release(b);
	*out = p;
	return 0;
}

/* One copy serves as long as the same string is asked for. */
struct last_name {
	const char *from, *to;
};

static int copy_name(struct profile_builder *b, struct last_name *last, const char **slot,
		     struct err *err)
{
	if (last->from != *slot) {
		last->to = profile_builder_name(b, *slot, strlen(*slot), err);
		last->from = *slot;
	}
	*slot = last->to;
	return *slot ? 0 : -1;
}

/* Adds all of a profile, every cost times weight. */
static int add_profile(struct profile_builder *b, const struct profile *p, double weight,
		       struct err *err)
{
	struct last_name last[4];
	size_t i, k;

	memset(last, 0, sizeof(last));
	for (i = 0; i < p->n; i++) {
		const struct profile_function *f = &p->functions[i];
		struct profile_record r = { f->name, f->object, f->file, NULL, 0, false, 0 };

		if (copy_name(b, &last[0], &r.name, err) ||
		    copy_name(b, &last[1], &r.object, err) ||
		    copy_name(b, &last[2], &r.function_file, err))
			return -1;
		for (k = 0; k < f->n_lines; k++) {
			r.file = f->lines[k].file;
			r.line = f->lines[k].line;
			r.cost = weight * f->lines[k].self;
			if (copy_name(b, &last[3], &r.file, err) || profile_builder_add(b, &r, err))
				return -1;
		}
		r.file = r.function_file;
		r.line = 0;
		r.is_call = true;
		r.cost = weight * (f->inclusive - f->self);
		if (r.cost != 0 && profile_builder_add(b, &r, err))
			return -1;
	}
	return 0;
}

static void scale(struct profile *p, double factor)
{
	size_t i, k;

	for (i = 0; i < p->n; i++) {
		struct profile_function *f = &p->functions[i];

		f->self *= factor;
		f->inclusive *= factor;
		for (k = 0; k < f->n_lines; k++)
			f->lines[k].self *= factor;
	}
	p->total *= factor;
}

int profile_subtract(const struct profile *a, const struct profile *b, double factor,
		     struct profile *out, struct err *err)
{
	struct profile_builder made = PROFILE_BUILDER_INIT;
	int result = -1;

	if (add_profile(&made, a, 1, err) || add_profile(&made, b, -1, err) ||
	    profile_builder_end(&made, out, err))
		goto out;
	scale(out, factor); /* only now: until here all counts are whole and sums exact */
	result = 0;
out:
	profile_builder_release(&made);
	return result;
}

/*
 * Where a path in it begins that the compiler was given whole, with the top mapped to ".": in
 * "build/src/./src/a.c" at the second "src".  0: none, or that is no file.
 */
static size_t mapped_at(const char *name, profile_is_file *is_file, const void *ctx)
{
	const char *at = strstr(name, "/./");

	if (!is_file || !at || !at[3] || is_file(ctx, name) || !is_file(ctx, at + 3))
		return 0;
	return (size_t)(at + 3 - name);
}

void profile_strip(struct profile *p, const char *top, profile_is_file *is_file, const void *ctx)
{
	size_t i;

	for (i = 0; i < p->names.n; i++) {
		char *name = p->names.v[i];
		const char *rest = *top ? str_below(name, top) : NULL;
		size_t skip = rest ? (size_t)(rest - name) : 0;

		while (!strncmp(name + skip, "./", 2) && name[skip + 2])
			skip += 2;
		skip += mapped_at(name + skip, is_file, ctx);
		if (skip && name[skip])
			memmove(name, name + skip, strlen(name + skip) + 1);
	}
}

/* Whether a function's name is none: an address, or PROFILE_UNKNOWN. */
static bool is_nameless(const char *name)
{
	return !*name || str_starts(name, PROFILE_UNKNOWN) || str_starts(name, "0x");
}

bool profile_is_stripped(const struct profile *p)
{
	double nameless = 0;
	size_t i;

	for (i = 0; i < p->n; i++)
		if (is_nameless(p->functions[i].name))
			nameless += p->functions[i].self;
	return nameless > 0.5 * p->total;
}
