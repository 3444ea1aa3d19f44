/*
 * trees_change - what happened to the files of a built tree since.
 */
#include <stdlib.h>
#include <string.h>

#include "collector/build/trees_local.h"

#include "lib/base/banned.h"

struct line {
	const char *whole, *name;
};

struct lines {
	struct line *v;
	size_t n;
};

static int by_name(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* The name stands behind size, time and mode; NULL: the line is damaged. */
static const char *name_in(const char *line)
{
	int i;

	for (i = 0; i < 3 && line; i++) {
		line = strchr(line, ' ');
		line += line != NULL;
	}
	return line;
}

/* The lines of a list in the order of their names; false when it is damaged. */
static bool sort_lines(const struct buf *list, struct lines *out)
{
	size_t at, n = 0;

	for (at = 0; at < list->len; at += strlen(list->data + at) + 1)
		n++;
	out->v = calloc(n + 1, sizeof(*out->v));
	if (!out->v)
		return false;
	for (at = 0; at < list->len; at += strlen(list->data + at) + 1) {
		struct line *l = &out->v[out->n++];

		l->whole = list->data + at;
		l->name = name_in(l->whole);
		if (!l->name)
			return false;
	}
	qsort(out->v, out->n, sizeof(*out->v), by_name);
	return true;
}

static enum trees_change hold_against(const struct lines *then, const struct lines *now,
				      struct strv *added)
{
	enum trees_change change = TREES_SAME;
	size_t i, k = 0;

	for (i = 0; i < now->n; i++) {
		if (k < then->n && !strcmp(now->v[i].whole, then->v[k].whole)) {
			k++;
			continue;
		}
		if (k < then->n && by_name(&now->v[i], &then->v[k]) >= 0)
			return TREES_CHANGED;
		if (strv_add(added, now->v[i].name, NULL))
			return TREES_CHANGED;
		change = TREES_ADDED;
	}
	return k == then->n ? change : TREES_CHANGED;
}

enum trees_change trees_change_of(const struct buf *list, const char *top, struct strv *added)
{
	struct lines then = { NULL, 0 }, now = { NULL, 0 };
	enum trees_change change = TREES_CHANGED;
	struct buf now_list = BUF_INIT;
	uint64_t bytes;

	if (!trees_list_files(top, &now_list, &bytes, NULL) && sort_lines(list, &then) &&
	    sort_lines(&now_list, &now))
		change = hold_against(&then, &now, added);
	free(then.v);
	free(now.v);
	buf_release(&now_list);
	return change;
}
