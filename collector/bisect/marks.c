#include "collector/bisect/marks.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

void marks_release(struct marks *m)
{
	free(m->v);
	*m = (struct marks)MARKS_INIT;
}

int marks_add(struct marks *m, const char *id, enum bisect_mark mark,
	      const struct bisect_evidence *evidence, struct err *err)
{
	struct mark *grown = realloc(m->v, (m->n + 1) * sizeof(*grown));

	if (!grown)
		return err_nomem(err);
	m->v = grown;
	grown = &m->v[m->n++];
	memcpy(grown->id, id, strlen(id) + 1);
	grown->mark = mark;
	grown->evidence = evidence;
	return 0;
}

const struct mark *marks_find(const struct marks *m, const char *id)
{
	size_t i;

	for (i = 0; i < m->n; i++)
		if (!strcmp(m->v[i].id, id))
			return &m->v[i];
	return NULL;
}

const struct mark *marks_same_code(const struct marks *m, const struct bisect_evidence *e)
{
	size_t i;

	for (i = 0; e->code && i < m->n; i++) {
		const struct mark *mark = &m->v[i];

		if (mark->mark <= BISECT_BAD && mark->evidence->code &&
		    !strcmp(mark->evidence->code, e->code))
			return mark;
	}
	return NULL;
}
