#include "cli/backfill/parts.h"

#include <string.h>

#include "lib/base/jsonw.h"

#include "lib/base/banned.h"

#define DIGITS 12 /* of a commit in a part */
#define FAILED "failed"
#define SUBMODULES "submodules"
#define SUFFIX ".json"

/* ---- cutting -------------------------------------------------------------------------------- */

/* The commits that can be measured.  Errors: ERR_NOMEM. */
static int alive(const struct strv *ids, const struct backfill_known *known, struct strv *out,
		 struct err *err)
{
	size_t i;

	for (i = 0; i < ids->n; i++)
		if (!backfill_known_failure(known, ids->v[i]) && strv_add(out, ids->v[i], err))
			return -1;
	return 0;
}

static bool is_left(const struct strv *ids, const struct backfill_known *known, size_t i)
{
	return i + 1 < ids->n && backfill_known_gap(known, ids->v[i], ids->v[i + 1]) == GAP_UNKNOWN;
}

/* Adds the comparison i to a part: behind the one before it, or as a new chain. */
static void extend(struct buf *part, const struct strv *ids, size_t i, bool follows)
{
	if (!part->len || !follows)
		buf_addf(part, "%s%.*s", part->len ? ":" : "", DIGITS, ids->v[i]);
	buf_addf(part, ",%.*s", DIGITS, ids->v[i + 1]);
}

static int cut(const struct strv *ids, const struct backfill_known *known, bool submodules,
	       size_t n, size_t left, struct strv *out, struct err *err)
{
	struct buf part = BUF_INIT;
	size_t i, done = 0, in_part = 0;
	int result = 0;

	for (i = 0; i + 1 < ids->n && !result; i++) {
		if (!is_left(ids, known, i))
			continue;
		if (!part.len && submodules)
			buf_adds(&part, SUBMODULES);
		extend(&part, ids, i, in_part && is_left(ids, known, i - 1));
		in_part++;
		/* part k of n ends where k/n of all comparisons are in parts */
		if (++done * n >= (out->n + 1) * left) {
			result = strv_take(out, &part, err);
			in_part = 0;
		}
	}
	buf_release(&part);
	return result;
}

int backfill_parts_of(const struct strv *ids, const struct backfill_known *known, bool submodules,
		      size_t most, struct strv *out, size_t *out_gaps, size_t *out_left,
		      struct err *err)
{
	struct strv all = STRV_INIT;
	size_t i, left = 0;
	int result = alive(ids, known, &all, err);

	for (i = 0; !result && i + 1 < all.n; i++)
		left += is_left(&all, known, i);
	if (!result && left)
		result = cut(&all, known, submodules, most < left ? most : left, left, out, err);
	*out_gaps = all.n ? all.n - 1 : 0;
	*out_left = left;
	strv_release(&all);
	return result;
}

/* ---- as text -------------------------------------------------------------------------------- */

static int add_commit(struct repo *repo, const char *text, size_t n, struct strv *out,
		      struct err *err)
{
	char id[OID_TEXT];
	struct buf name = BUF_INIT;
	int result = -1;

	buf_add(&name, text, n);
	if (!n || strspn(text, "0123456789abcdef") < n) {
		err_set(err, ERR_USAGE,
			"--part takes commits as 'pawl backfill --matrix' prints "
			"them");
		err_hint(err, "for example: --part 0123456789ab,123456789abc");
	} else if (!buf_check(&name, err) && !repo_resolve(repo, buf_str(&name), id, err)) {
		result = strv_add(out, id, err);
	}
	buf_release(&name);
	return result;
}

bool backfill_part_submodules(const char **at)
{
	bool is = str_starts(*at, SUBMODULES ":");

	*at += is ? strlen(SUBMODULES ":") : 0;
	return is;
}

int backfill_part_chain(struct repo *repo, const char **at, struct strv *out, struct err *err)
{
	const char *p = *at;
	size_t n;

	if (!*p)
		return err_set(err, ERR_ABSENT, "there is no other chain");
	for (;; p++) {
		n = strcspn(p, ",:");
		if (add_commit(repo, p, n, out, err))
			return -1;
		p += n;
		if (*p != ',')
			break;
	}
	*at = p + (*p == ':');
	return out->n >= 2 ? 0
			   : err_set(err, ERR_USAGE,
				     "--part: commit %.12s has nothing to be "
				     "compared with",
				     out->v[0]);
}

int backfill_parts_json(const struct strv *parts, struct buf *out, struct err *err)
{
	struct jsonw w;
	size_t i;

	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	jsonw_key(&w, "include");
	jsonw_array(&w);
	for (i = 0; i < parts->n; i++) {
		jsonw_object(&w);
		jsonw_kinteger(&w, "part", (int64_t)i + 1);
		jsonw_kstring(&w, "commits", parts->v[i]);
		jsonw_object_end(&w);
	}
	jsonw_array_end(&w);
	jsonw_object_end(&w);
	buf_addc(out, '\n');
	return buf_check(out, err);
}

int backfill_file_name(const char *dir, const char *base, const char *head, struct buf *out,
		       struct err *err)
{
	buf_addf(out, "%s/%s-%s" SUFFIX, dir, base ? base : FAILED, head);
	return buf_check(out, err);
}

size_t backfill_file_failed(const char *path, const struct strv *ids)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t i, n = strlen(FAILED "-");

	if (!str_starts(name, FAILED "-"))
		return ids->n;
	for (i = 0; i < ids->n; i++)
		if (str_starts(name + n, ids->v[i]) &&
		    !strcmp(name + n + strlen(ids->v[i]), SUFFIX))
			break;
	return i;
}
