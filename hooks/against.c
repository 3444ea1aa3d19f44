#include "hooks/against.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/git/history/fork.h"

#include "lib/base/banned.h"

void against_list_release(struct against_list *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		free(l->v[i].name);
	free(l->v);
	*l = (struct against_list)AGAINST_LIST_INIT;
}

static const char *short_name(const char *ref)
{
	static const char *const prefixes[] = { "refs/heads/", "refs/" };
	size_t i;

	for (i = 0; i < 2; i++)
		if (str_starts(ref, prefixes[i]))
			return ref + strlen(prefixes[i]);
	return ref;
}

static int add(struct against_list *l, const struct pushed_ref *ref, const char *base,
	       const char *head, struct err *err)
{
	struct against *a;
	size_t i;

	for (i = 0; i < l->n; i++)
		if (!strcmp(l->v[i].base, base) && !strcmp(l->v[i].head, head)) {
			l->v[i].n_refs++;
			return 0;
		}
	a = &l->v[l->n];
	memset(a, 0, sizeof(*a));
	if (str_set(&a->name, short_name(ref->remote_ref), err))
		return -1;
	memcpy(a->base, base, strlen(base) + 1);
	memcpy(a->head, head, strlen(head) + 1);
	a->n_refs = 1;
	a->is_branch = str_starts(ref->remote_ref, "refs/heads/");
	l->n++;
	return 0;
}

/* The commit of a ref's new end, "" where there is none; and whether the remote's is here. */
struct ends {
	char head[OID_TEXT], base[OID_TEXT];
};

/* Both ends of every ref, in one question. */
static int find_commits(struct repo *repo, const struct pushed *pushed, struct strv *out,
			struct err *err)
{
	struct strv ids = STRV_INIT;
	int result = -1;
	size_t i;

	for (i = 0; i < pushed->n; i++)
		if (strv_add(&ids, pushed->v[i].local_id, err) ||
		    strv_add(&ids, pushed->v[i].remote_id, err))
			goto out;
	result = commits_of(repo, &ids, out, err);
out:
	strv_release(&ids);
	return result;
}

/* Sorts out what needs no look at the remote; the heads of the rest go into *heads. */
static int find_ends(struct repo *repo, const struct pushed *pushed, struct ends *ends,
		     struct against_list *l, struct strv *heads, struct err *err)
{
	struct strv commits = STRV_INIT;
	int result = -1;
	size_t i;

	if (find_commits(repo, pushed, &commits, err))
		goto out;
	for (i = 0; i < pushed->n; i++) {
		const char *head = commits.v[2 * i], *base = commits.v[2 * i + 1];

		if (!pushed->v[i].local_id[0])
			l->n_deleted++;
		else if (!*head)
			l->n_no_commit++;
		else if (!*base && strv_add(heads, head, err))
			goto out;
		if (*head && pushed->v[i].local_id[0]) {
			memcpy(ends[i].head, head, strlen(head) + 1);
			memcpy(ends[i].base, base, strlen(base) + 1);
		}
	}
	result = 0;
out:
	strv_release(&commits);
	return result;
}

/* Finds the base of a new ref.  Returns 1 when there is none. */
static int find_base(const struct fork *fork, struct ends *e, struct err *err)
{
	struct err fault = ERR_INIT;

	if (e->base[0] || !fork_point(fork, e->head, e->base, &fault))
		return 0;
	if (fault.code == ERR_ABSENT)
		return 1;
	if (err)
		*err = fault;
	return -1;
}

static int choose(const struct pushed *pushed, struct ends *ends, const struct fork *fork,
		  size_t most, struct against_list *l, struct err *err)
{
	size_t i;

	for (i = 0; i < pushed->n; i++) {
		struct ends *e = &ends[i];
		int none;

		if (!e->head[0])
			continue;
		if (l->n == most) {
			l->n_beyond++;
			continue;
		}
		none = find_base(fork, e, err);
		if (none < 0)
			return -1;
		if (none)
			l->n_unrelated++;
		else if (!strcmp(e->base, e->head))
			l->n_known++;
		else if (add(l, &pushed->v[i], e->base, e->head, err))
			return -1;
	}
	return 0;
}

int against_find(struct repo *repo, const struct pushed *pushed, const char *remote, size_t most,
		 struct against_list *out, struct err *err)
{
	struct against_list l = AGAINST_LIST_INIT;
	struct fork fork = FORK_INIT;
	struct strv heads = STRV_INIT;
	struct ends *ends = calloc(pushed->n + 1, sizeof(*ends));
	int result = -1;

	*out = l;
	l.v = calloc(most + 1, sizeof(*l.v));
	if (!l.v || !ends) {
		err_nomem(err);
		goto out;
	}
	if (find_ends(repo, pushed, ends, &l, &heads, err) ||
	    (heads.n && fork_open(repo, remote, &heads, &fork, err)))
		goto out;
	result = choose(pushed, ends, &fork, most, &l, err);
out:
	free(ends);
	strv_release(&heads);
	fork_close(&fork);
	if (result)
		against_list_release(&l);
	else
		*out = l;
	return result;
}
