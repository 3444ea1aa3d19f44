#include "lib/git/history/walk.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/git/backend.h"
#include "lib/git/git_command.h"
#include "lib/git/ids.h"

#include "lib/base/banned.h"

#define PACKED_MOST (1u << 20) /* bytes of packed references that are looked through */
#define STRIDE 4096	       /* commits looked at in one go for a tag */

/*
 * The whole id of a revision: the only form in which one reaches git's command line, so that it
 * can neither be an option nor stand for several commits.
 */
static int whole_id(struct repo *repo, const char *rev, char out[OID_TEXT], struct err *err)
{
	return repo_resolve(repo, rev, out, err);
}

int walk_between(struct repo *repo, const char *from, const char *to, bool first_parent, size_t max,
		 struct strv *out, struct err *err)
{
	struct strv words = STRV_INIT;
	char start[OID_TEXT], end[OID_TEXT];
	int result = -1;

	if (whole_id(repo, to, end, err) || (from && whole_id(repo, from, start, err)) ||
	    strv_add(&words, "rev-list", err) || strv_add(&words, "--reverse", err))
		goto out;
	/* One line is in order by itself; only a graph has to be walked to its end for that. */
	if (strv_add(&words, first_parent ? "--first-parent" : "--topo-order", err))
		goto out;
	if (max && strv_addf(&words, err, "--max-count=%zu", max))
		goto out;
	if (strv_add(&words, end, err) || (from && strv_addf(&words, err, "^%s", start)))
		goto out;
	result = ids_list(repo, (const char *const *)words.v, out, err);
out:
	strv_release(&words);
	return result;
}

/*
 * Leaves those of out that go on from `from`.  Not --ancestry-path beside several good ones: git
 * then loses what goes on from a commit that one of these has.
 */
static int keep_path(struct repo *repo, const char *from, const char *bad, struct strv *out,
		     struct err *err)
{
	struct strv words = STRV_INIT, path = STRV_INIT, kept = STRV_INIT;
	size_t i;
	int result = -1;

	if (strv_add(&words, "rev-list", err) || strv_add(&words, "--ancestry-path", err) ||
	    strv_add(&words, bad, err) || strv_addf(&words, err, "^%s", from) ||
	    ids_list(repo, (const char *const *)words.v, &path, err))
		goto out;
	strv_sort(&path);
	for (i = 0; i < out->n; i++)
		if (strv_has_sorted(&path, out->v[i]) && strv_add(&kept, out->v[i], err))
			goto out;
	strv_release(out);
	*out = kept;
	kept = (struct strv)STRV_INIT;
	result = 0;
out:
	strv_release(&words);
	strv_release(&path);
	strv_release(&kept);
	return result;
}

int walk_bisect(struct repo *repo, const struct strv *good, const char *bad, bool on_path,
		struct strv *out, struct err *err)
{
	struct strv words = STRV_INIT, ids = STRV_INIT;
	char id[OID_TEXT], last[OID_TEXT], first[OID_TEXT];
	size_t i;
	int result = -1;

	if (whole_id(repo, bad, last, err) || strv_add(&words, "rev-list", err) ||
	    strv_add(&words, "--bisect-all", err) || strv_add(&words, last, err))
		goto out;
	for (i = 0; i < good->n; i++)
		if (whole_id(repo, good->v[i], id, err) || strv_addf(&words, err, "^%s", id))
			goto out;
	if (ids_list(repo, (const char *const *)words.v, &ids, err) ||
	    (on_path &&
	     (whole_id(repo, good->v[0], first, err) || keep_path(repo, first, last, &ids, err))) ||
	    (ids.n && strv_add_all(out, ids.v, err)))
		goto out;
	result = 0;
out:
	strv_release(&words);
	strv_release(&ids);
	return result;
}

int walk_is_ancestor(struct repo *repo, const char *ancestor, const char *commit, bool *out,
		     struct err *err)
{
	char a[OID_TEXT], b[OID_TEXT];
	const char *const args[] = { "merge-base", "--is-ancestor", a, b, NULL };
	struct buf words = BUF_INIT;
	int status, result = -1;

	if (whole_id(repo, ancestor, a, err) || whole_id(repo, commit, b, err) ||
	    git_capture(repo, NULL, args, NULL, &words, &status, err))
		goto out;
	if (status > 1) {
		err_set(err, ERR_GIT, "git cannot say whether %.12s is an ancestor of %.12s: %s", a,
			b, buf_str(&words));
		err_hint(err, "git fsck");
		goto out;
	}
	*out = !status;
	result = 0;
out:
	buf_release(&words);
	return result;
}

/* ---- the last tag ---------------------------------------------------------------------- */

struct tag {
	const char *id, *name;
	size_t rank; /* newest first */
};

static int by_id(const void *a, const void *b)
{
	const struct tag *x = a, *y = b;
	int order = strcmp(x->id, y->id);

	return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Cuts "OBJECT COMMIT NAME" lines in place; COMMIT is empty for a tag without a message. */
static int cut_tags(char *text, struct tag **out, size_t *out_n, struct err *err)
{
	size_t n = 0, cap = 1;
	char *p, *next;

	for (p = text; *p; p++)
		cap += *p == '\n';
	*out = calloc(cap, sizeof(**out));
	if (!*out)
		return err_nomem(err);
	for (p = text; *p && n < cap; p = next) {
		char *object = p, *commit, *name;

		p[strcspn(p, "\n")] = '\0';
		next = p + strlen(p) + 1;
		commit = strchr(object, ' ');
		name = commit ? strchr(commit + 1, ' ') : NULL;
		if (!name)
			return err_set(err, ERR_GIT, "cannot understand `git for-each-ref`");
		*commit++ = '\0';
		*name++ = '\0';
		(*out)[n] = (struct tag){ *commit ? commit : object, name, n };
		n++;
	}
	qsort(*out, n, sizeof(**out), by_id);
	*out_n = n;
	return 0;
}

/* The newest tag of a commit, or NULL. */
static const struct tag *tag_of(const struct tag *tags, size_t n, const char *id)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(tags[middle].id, id) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && !strcmp(tags[low].id, id) ? &tags[low] : NULL;
}

/* Walks down from a commit, a stride at a time; *out NULL when the root has no tag either. */
static int find_tag(struct repo *repo, const struct tag *tags, size_t n, const char *start,
		    const struct tag **out, struct err *err)
{
	struct strv ids = STRV_INIT;
	char at[OID_TEXT];
	int result = -1;
	bool more = true;

	memcpy(at, start, strlen(start) + 1);
	for (*out = NULL; !*out && more;) {
		size_t i;

		strv_release(&ids);
		if (walk_between(repo, NULL, at, true, STRIDE, &ids, err))
			goto out;
		for (i = ids.n; i-- > 0 && !*out;)
			*out = tag_of(tags, n, ids.v[i]);
		more = ids.n == STRIDE;
		if (more)
			memcpy(at, ids.v[0], strlen(ids.v[0]) + 1);
	}
	result = 0;
out:
	strv_release(&ids);
	return result;
}

/* Whether the folder has an entry; one that cannot be read may have one. */
static bool has_entries(const char *folder)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	bool has = !dir && errno != ENOENT;

	while (dir && !has && (entry = readdir(dir)))
		has = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	if (dir)
		closedir(dir);
	return has;
}

/*
 * False where the files of the references show that there is no tag, which saves a git, more than
 * half of the time of a short history.
 */
static bool may_have_tags(const struct repo *repo)
{
	char *loose = path_join(repo->common_dir, "refs/tags", NULL);
	char *packed = path_join(repo->common_dir, "packed-refs", NULL);
	char *other = path_join(repo->common_dir, "reftable", NULL);
	struct buf text = BUF_INIT;
	struct err fault = ERR_INIT;
	bool may = true;

	if (loose && packed && other && !file_exists(other) && !has_entries(loose)) {
		may = file_read_whole(packed, PACKED_MOST, &text, &fault)
			      ? fault.code != ERR_ABSENT
			      : strstr(buf_str(&text), " refs/tags/") != NULL;
	}
	buf_release(&text);
	free(loose);
	free(packed);
	free(other);
	return may;
}

/*
 * All tags by commit; they point into text.  Not `git describe`: it names a tag by what its object
 * says, which need not be the name of the reference.
 */
static int read_tags(struct repo *repo, struct buf *text, struct tag **out, size_t *out_n,
		     struct err *err)
{
	const char *const args[] = { "for-each-ref", "--sort=-creatordate",
				     "--format=%(objectname) %(*objectname) %(refname:strip=2)",
				     "refs/tags", NULL };

	if (!may_have_tags(repo))
		return 0;
	if (git_answer(repo, NULL, args, text, err))
		return -1;
	buf_addc(text, '\0');
	return buf_check(text, err) || cut_tags(text->data, out, out_n, err) ? -1 : 0;
}

int walk_tag_among(struct repo *repo, const struct strv *ids, size_t n, size_t *out,
		   char **out_name, struct err *err)
{
	struct buf text = BUF_INIT;
	struct tag *tags = NULL;
	const struct tag *found = NULL;
	size_t n_tags = 0, i;
	int result = -1;

	if (read_tags(repo, &text, &tags, &n_tags, err))
		goto out;
	for (i = n; n_tags && i-- > 0 && !found;) {
		found = tag_of(tags, n_tags, ids->v[i]);
		*out = i;
	}
	if (!found)
		err_set(err, ERR_ABSENT, "no tag among %zu commits", n);
	else if ((*out_name = str_dup(found->name, err)))
		result = 0;
out:
	free(tags);
	buf_release(&text);
	return result;
}

int walk_last_tag(struct repo *repo, const char *commit, char out[OID_TEXT], char **out_name,
		  struct err *err)
{
	struct buf text = BUF_INIT;
	struct tag *tags = NULL;
	const struct tag *found;
	size_t n = 0;
	char id[OID_TEXT], below[OID_TEXT];
	int result = -1;

	if (whole_id(repo, commit, id, err) || repo_first_parent(repo, id, below, err) ||
	    read_tags(repo, &text, &tags, &n, err) || find_tag(repo, tags, n, below, &found, err))
		goto out;
	if (!found) {
		err_set(err, ERR_ABSENT, "no tag below commit %.12s", id);
		if (repo_is_shallow(repo))
			err_hint(err, "this clone is shallow: git fetch --unshallow --tags");
		goto out;
	}
	*out_name = str_dup(found->name, err);
	if (!*out_name)
		goto out;
	memcpy(out, found->id, strlen(found->id) + 1);
	result = 0;
out:
	free(tags);
	buf_release(&text);
	return result;
}

int walk_merge_base(struct repo *repo, const char *a, const char *b, char out[OID_TEXT],
		    struct err *err)
{
	char left[OID_TEXT], right[OID_TEXT], found[OID_TEXT];
	const char *args[] = { "merge-base", left, right, NULL };

	if (whole_id(repo, a, left, err) || whole_id(repo, b, right, err) ||
	    ids_merge_base(repo, args, found, err))
		return -1;
	if (!*found) {
		err_set(err, ERR_ABSENT, "'%s' and '%s' have no commit in common", a, b);
		return err_hint(err, repo_is_shallow(repo)
					     ? "the history is cut off: `git fetch --unshallow`"
					     : "name the base itself, as BASE..HEAD");
	}
	memcpy(out, found, strlen(found) + 1);
	return 0;
}

int walk_author(struct repo *repo, const char *commit, char **out, struct err *err)
{
	char id[OID_TEXT];
	const char *const args[] = { "log", "-1", "--no-show-signature", "--format=%aN <%aE>",
				     id,    NULL };
	struct buf text = BUF_INIT;
	int result = -1;

	if (whole_id(repo, commit, id, err) || git_answer(repo, NULL, args, &text, err))
		goto out;
	while (text.len && text.data[text.len - 1] == '\n')
		buf_truncate(&text, text.len - 1);
	*out = str_dup(buf_str(&text), err);
	result = *out ? 0 : -1;
out:
	buf_release(&text);
	return result;
}
