#include "cli/show/lines.h"

#include <stdlib.h>

#include "cli/range.h"
#include "collector/machine/machine.h"
#include "lib/base/file.h"
#include "lib/git/history/line.h"
#include "lib/git/history/walk.h"
#include "reporter/trend/trend.h"

#include "lib/base/banned.h"

void lines_release(struct lines *l)
{
	strv_release(&l->ids);
	free(l->machine);
	free(l->tag);
}

static int find_tag(struct repo *repo, struct lines *l, struct err *err)
{
	struct err fault = ERR_INIT;

	/* A tag of the newest commit is none that anything came after. */
	if (l->ids.n < 2 ||
	    !walk_tag_among(repo, &l->ids, l->ids.n - 1, &l->tag_place, &l->tag, &fault))
		return 0;
	l->tag_place = TREND_NOWHERE;
	if (fault.code == ERR_ABSENT)
		return 0;
	*err = fault;
	return -1;
}

int lines_find(const struct context *c, const char *range, bool with_tag, struct lines *l,
	       struct err *err)
{
	struct repo *repo = c->repo;
	struct strv inside = STRV_INIT;
	struct range ends = RANGE_INIT;
	char *kept = c->state_dir ? path_join(c->state_dir, "line", NULL) : NULL;
	int result = -1;

	if (range_parse(repo, range ? range : "HEAD", &ends, err) ||
	    line_down(repo, kept, ends.to ? ends.to : ends.from, LINES_LONGEST, &l->ids, err))
		goto out;
	if (ends.to) {
		if (walk_between(repo, ends.from, ends.to, true, LINES_LONGEST, &inside, err))
			goto out;
		if (!inside.n) {
			err_set(err, ERR_USAGE, "there is no commit in '%s'", range);
			goto out;
		}
		l->first = l->ids.n - inside.n;
	}
	result = with_tag ? find_tag(repo, l, err) : 0;
out:
	free(kept);
	strv_release(&inside);
	range_release(&ends);
	return result;
}

int lines_find_machine(const struct options *o, struct lines *l, struct err *err)
{
	struct summary here; /* only for its machine, which has no release of its own */
	int result;

	if (o->machine)
		return str_set(&l->machine, o->machine, err);
	summary_init(&here);
	result = machine_describe(&here.machine, err) || str_set(&l->machine, here.machine.id, err)
			 ? -1
			 : 0;
	summary_release(&here);
	return result;
}
