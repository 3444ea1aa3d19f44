#include "collector/compare/given.h"

#include <string.h>
#include <sys/stat.h>

#include "collector/schedule/join.h"
#include "lib/base/buf.h"

#include "lib/base/banned.h"

static bool same_words(const struct strv *a, const struct strv *b)
{
	size_t i;

	if (a->n != b->n)
		return false;
	for (i = 0; i < a->n && !strcmp(a->v[i], b->v[i]); i++)
		;
	return i == a->n;
}

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int refuse_same(const struct compare_request *rq, struct err *err)
{
	const struct compare_way *base = &rq->base_way, *head = &rq->head_way;

	if (rq->measure_identical || !compare_way_same_runs(base, head))
		return 0;
	if (same_words(base->command, head->command))
		err_set(err, ERR_CONFIG, "both sides run the same command: '%s'", head->text);
	else if (head->is_program && is_same_file(base->command->v[0], head->command->v[0]))
		err_set(err, ERR_CONFIG, "'%s' and '%s' are one file", base->command->v[0],
			head->command->v[0]);
	else
		return 0;
	return err_hint(err, "to see how much the same differs from itself here, add "
			     "--measure-identical");
}

/* Both sides were named by the user: one that is not there failed, it was not added or removed. */
static int fail_absent(struct plan *head, struct plan *base, struct err *err)
{
	struct buf text = BUF_INIT;
	size_t i;

	for (i = 0; i < base->n; i++)
		base->units[i].absent = false;
	for (i = 0; i < head->n; i++) {
		struct unit *u = &head->units[i];

		u->absent = false;
		if (!u->failure || u->inner)
			continue;
		buf_reset(&text);
		buf_addf(&text, "the head: %s", u->failure);
		if (buf_check(&text, err) || str_set(&u->failure, buf_str(&text), err))
			break;
	}
	buf_release(&text);
	return i < head->n ? -1 : 0;
}

/* Of a script nothing is known, and of what a program reads neither. */
static void tell_same(const struct compare_request *rq, const struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->n && !rq->measure_identical; i++) {
		const struct unit *u = &plan->units[i];

		if (u->has_base && u->head.binary_id && u->base.binary_id &&
		    !strcmp(u->head.binary_id, u->base.binary_id))
			talk_warn(
				rq->talk,
				"what differs then is noise, unless it goes by its own name or by "
				"files beside it",
				"both sides run the same code on the same arguments");
	}
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The same code that may do another thing: by its name, or by what lies beside it. */
static bool may_know_itself(const struct compare_request *rq, const struct plan *head,
			    const struct plan *base)
{
	const struct compare_way *a = &rq->base_way, *b = &rq->head_way;
	size_t i;

	if (!b->is_program || !a->command || !b->command ||
	    strcmp(last_part(a->command->v[0]), last_part(b->command->v[0])) != 0)
		return true;
	for (i = 0; i < head->n; i++)
		if (head->units[i].head.stays)
			return true;
	for (i = 0; i < base->n; i++)
		if (base->units[i].head.stays || base->units[i].base.stays)
			return true;
	return false;
}

int compare_given_join(const struct compare_request *rq, struct plan *head, struct plan *base,
		       struct err *err)
{
	bool same_runs = compare_way_same_runs(&rq->base_way, &rq->head_way);
	bool measures = rq->measure_identical || !same_runs || may_know_itself(rq, head, base);

	if (refuse_same(rq, err) || fail_absent(head, base, err) ||
	    join_plans(head, base, measures, err))
		return -1;
	if (same_runs)
		tell_same(rq, head);
	return 0;
}
