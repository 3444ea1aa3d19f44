/*
 * trees_linked - the libraries outside of a tree that became a part of what its build linked, and
 * the programs that linked them.
 *
 * A static library that was built anew is in the tree that is built now, and not in the one that
 * was kept.  What links asked for is in their records (collector/link/link.h); where -l is looked
 * for is told by the manual of GNU ld, "Options": in each folder of -L the shared object first,
 * unless shared ones are not wanted.
 */
#include <stdlib.h>
#include <string.h>

#include "collector/build/trees_local.h"
#include "collector/link/link.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

struct linked {
	const char *dir; /* KEY */
	struct strv *out;
	bool failed;
};

static void add(struct linked *l, const char *path)
{
	if (path && *path == '/' && !str_below(path, l->dir) && !strv_has(l->out, path) &&
	    strv_add(l->out, path, NULL))
		l->failed = true;
}

/* Whether the folder has it, whichever kind; added when it is static. */
static bool is_found(struct linked *l, const struct link *link, const char *folder,
		     const char *name, bool is_static)
{
	struct buf path = BUF_INIT;
	bool is_whole = *name == ':', found = false;
	size_t n;

	if (*folder != '/')
		buf_addf(&path, "%s/", link->folder);
	buf_addf(&path, "%s/%s%s", folder, is_whole ? "" : "lib", name + is_whole);
	n = path.len;
	if (!is_whole && !is_static) {
		buf_adds(&path, ".so");
		found = !path.failed && file_exists(buf_str(&path));
		buf_truncate(&path, n);
	}
	if (!is_whole)
		buf_adds(&path, ".a");
	if (!found && !path.failed && file_exists(buf_str(&path))) {
		found = true;
		if (str_ends(buf_str(&path), ".a"))
			add(l, buf_str(&path));
	}
	l->failed = l->failed || path.failed;
	buf_release(&path);
	return found;
}

static void look_for(struct linked *l, const struct link *link, const char *name, bool is_static)
{
	const struct strv *w = &link->words;
	bool found = false;
	size_t i;

	for (i = 0; !found && i < w->n; i++)
		if (!strcmp(w->v[i], "-L") && i + 1 < w->n)
			found = is_found(l, link, w->v[i + 1], name, is_static);
		else if (str_starts(w->v[i], "-L") && w->v[i][2])
			found = is_found(l, link, w->v[i] + 2, name, is_static);
}

/* Of every record: none is the one that is looked for. */
static bool take(void *ctx, const struct link *link, const char *place)
{
	static const char *const only_static[] = { "-static", "-Bstatic", "-dn", "-non_shared" };
	static const char *const also_shared[] = { "-Bdynamic", "-dy", "-call_shared" };
	bool is_static = false;
	size_t i;

	(void)place;
	/* whatever it is called: an absolute path where it was started by one */
	add(ctx, strv_value(&link->env, "COLLECT_GCC"));
	add(ctx, link->linker);
	for (i = 0; i < link->words.n; i++) {
		const char *word = link->words.v[i];

		if (STR_IS_ONE_OF(word, only_static))
			is_static = true;
		else if (STR_IS_ONE_OF(word, also_shared))
			is_static = false;
		else if (str_starts(word, "-l") && word[2])
			look_for(ctx, link, word + 2, is_static);
		else if (str_ends(word, ".a") || str_ends(word, ".o"))
			add(ctx, word);
	}
	return false;
}

int trees_linked(const char *dir, struct strv *out, struct err *err)
{
	struct linked l = { dir, out, false };
	struct link none = LINK_INIT;
	char *records = path_join(dir, LAYOUT_LINKS, err);

	if (!records)
		return -1;
	link_find(records, take, &l, &none, NULL);
	link_release(&none);
	free(records);
	return l.failed ? err_nomem(err) : 0;
}
