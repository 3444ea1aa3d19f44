#include "lib/git/config/entries.h"

#include <stdlib.h>

#include "lib/base/strv.h"

#include "lib/base/banned.h"

static void entry_release(struct gitconfig_entry *e)
{
	free(e->key);
	free(e->value);
	free(e->origin);
}

void gitconfig_cut(struct gitconfig *c, size_t n)
{
	while (c->n > n)
		entry_release(&c->v[--c->n]);
}

void gitconfig_release(struct gitconfig *c)
{
	gitconfig_cut(c, 0);
	free(c->v);
	*c = (struct gitconfig)GITCONFIG_INIT;
}

int gitconfig_add(struct gitconfig *c, const char *key, const char *value, const char *origin,
		  int line, struct err *err)
{
	struct gitconfig_entry e = { .line = line };

	if (c->n == c->cap) {
		size_t cap = c->cap ? c->cap * 2 : 16;
		struct gitconfig_entry *v = realloc(c->v, cap * sizeof(*v));

		if (!v)
			return err_nomem(err);
		c->v = v;
		c->cap = cap;
	}
	if (str_set(&e.key, key, err) || str_set(&e.value, value, err) ||
	    str_set(&e.origin, origin, err)) {
		entry_release(&e);
		return -1;
	}
	c->v[c->n++] = e;
	return 0;
}
