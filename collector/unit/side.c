#include "collector/unit/side.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

void side_release(struct side *s)
{
	free(s->exe);
	free(s->library_path);
	free(s->preload);
	free(s->binary_id);
	free(s->dir);
	strv_release(&s->words);
	strv_release(&s->env);
	free(s->prepare);
	free(s->cleanup);
	free(s->built);
	free(s->built_library_path);
	memset(s, 0, sizeof(*s));
}

static int copy_list(const struct strv *from, struct strv *to, struct err *err)
{
	strv_release(to);
	return from->n ? strv_add_all(to, from->v, err) : 0;
}

int side_copy(const struct side *from, struct side *to, struct err *err)
{
	to->stays = from->stays;
	to->may_ask = from->may_ask;
	to->beside = from->beside;
	return str_set(&to->exe, from->exe, err) ||
			       str_set(&to->library_path, from->library_path, err) ||
			       str_set(&to->preload, from->preload, err) ||
			       str_set(&to->binary_id, from->binary_id, err) ||
			       str_set(&to->dir, from->dir, err) ||
			       str_set(&to->prepare, from->prepare, err) ||
			       str_set(&to->cleanup, from->cleanup, err) ||
			       str_set(&to->built, from->built, err) ||
			       str_set(&to->built_library_path, from->built_library_path, err) ||
			       copy_list(&from->words, &to->words, err) ||
			       copy_list(&from->env, &to->env, err)
		       ? -1
		       : 0;
}

int side_put_back(struct side *s, struct err *err)
{
	if (!s->built)
		return 0;
	return str_set(&s->preload, NULL, err) ||
			       str_set(&s->library_path, s->built_library_path, err) ||
			       str_set(&s->exe, s->built, err)
		       ? -1
		       : 0;
}

int side_as_built(const struct side *from, struct side *to, struct err *err)
{
	return side_copy(from, to, err) || side_put_back(to, err) ? -1 : 0;
}
