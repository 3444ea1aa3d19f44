#include "lib/git/history/line.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/buf.h"
#include "lib/base/file.h"
#include "lib/digest/crc.h"
#include "lib/git/history/walk.h"

#include "lib/base/banned.h"

#define NEWEST 16		    /* commits that are asked for first */
#define FILE_MOST ((size_t)8 << 20) /* bytes */
#define HEAD_SIZE 80

/* What stands before the ids, each on a line of its own. */
static void head_of(size_t max, uint64_t crc, char out[HEAD_SIZE])
{
	snprintf(out, HEAD_SIZE, "pawl line 1 %zu %016" PRIx64 "\n", max, crc);
}

/* Appends the lines of a text. */
static int add_lines(const char *text, struct strv *out, struct err *err)
{
	while (*text) {
		int n = (int)strcspn(text, "\n");

		if (strv_addf(out, err, "%.*s", n, text))
			return -1;
		text += n;
		text += *text == '\n';
	}
	return 0;
}

/* Nothing where there is no such file, or another one.  Errors: ERR_NOMEM. */
static int load(const char *kept, size_t max, struct strv *out, struct err *err)
{
	struct buf text = BUF_INIT;
	char head[HEAD_SIZE];
	size_t n;
	int result = 0;

	if (file_read_whole(kept, FILE_MOST, &text, NULL))
		goto out;
	n = strcspn(buf_str(&text), "\n");
	n += n < text.len;
	head_of(max, crc64(0, text.data + n, text.len - n), head);
	if (n == strlen(head) && !memcmp(text.data, head, n) && !memchr(text.data, '\0', text.len))
		result = add_lines(text.data + n, out, err);
out:
	buf_release(&text);
	return result;
}

/* Not synced: what a power cut leaves of it is no such file. */
static void save(const char *kept, size_t max, char *const *ids)
{
	struct buf text = BUF_INIT, made = BUF_INIT;
	char head[HEAD_SIZE];
	size_t n;

	head_of(max, 0, head);
	n = strlen(head);
	buf_adds(&text, head);
	for (; *ids; ids++)
		buf_addf(&text, "%s\n", *ids);
	buf_addf(&made, "%s.%d", kept, (int)getpid());
	if (buf_check(&text, NULL) || buf_check(&made, NULL))
		goto out;
	head_of(max, crc64(0, text.data + n, text.len - n), head);
	memcpy(text.data, head, n);
	if (!file_write_new(buf_str(&made), text.data, text.len, 0600, NULL) &&
	    rename(buf_str(&made), kept))
		unlink(buf_str(&made));
out:
	buf_release(&text);
	buf_release(&made);
}

static bool ends_in(const struct strv *ids, const char *id)
{
	return ids->n && !strcmp(ids->v[ids->n - 1], id);
}

/*
 * The newest commits come from git; where the last one that is kept is among them, all below it
 * is kept.  *out_joined: it is.
 */
static int join(struct repo *repo, const char *to, struct strv *ids, bool *out_joined,
		struct err *err)
{
	struct strv newest = STRV_INIT;
	size_t i = 0;
	int result = walk_between(repo, NULL, to, true, NEWEST, &newest, err);

	while (!result && i < newest.n && !ends_in(ids, newest.v[i]))
		i++;
	*out_joined = !result && i < newest.n;
	if (*out_joined)
		result = strv_add_all(ids, newest.v + i + 1, err);
	strv_release(&newest);
	return result;
}

/*
 * All of it, by what is kept of it in ids.  id is that of to, by whose own name git is asked: names
 * take less to find out than ids.  *out_new: something is not kept.
 */
static int complete(struct repo *repo, const char *to, const char *id, size_t max, struct strv *ids,
		    bool *out_new, struct err *err)
{
	bool joined = false;

	*out_new = !ends_in(ids, id);
	if (!*out_new)
		return 0;
	if (ids->n && join(repo, to, ids, &joined, err))
		return -1;
	if (joined)
		return 0;
	strv_cut(ids, 0);
	return walk_between(repo, NULL, to, true, max, ids, err);
}

int line_down(struct repo *repo, const char *kept, const char *to, size_t max, struct strv *out,
	      struct err *err)
{
	struct strv ids = STRV_INIT;
	char id[OID_TEXT];
	size_t most;
	bool is_new;
	int result = -1;

	if (!kept || repo_is_shallow(repo))
		return walk_between(repo, NULL, to, true, max, out, err);
	if (repo_resolve(repo, to, id, err) || load(kept, max, &ids, err) ||
	    complete(repo, to, id, max, &ids, &is_new, err))
		goto out;
	most = ids.n < max ? ids.n : max;
	result = most ? strv_add_all(out, ids.v + ids.n - most, err) : 0;
	if (most && is_new)
		save(kept, max, ids.v + ids.n - most);
out:
	strv_release(&ids);
	return result;
}
