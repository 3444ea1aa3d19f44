#include "lib/git/backend.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

bool oid_is_whole(const char *text)
{
	size_t n = strspn(text, "0123456789abcdef");

	return (n == 40 || n == 64) && !text[n];
}

static int damaged(const char *id, struct err *err)
{
	err_set(err, ERR_GIT, "commit %s is damaged", id);
	return err_hint(err, "git fsck");
}

/* The id of a header line, or NULL. */
static char *oid_of(const char *value, size_t n)
{
	char text[OID_TEXT];

	if (n >= sizeof(text))
		return NULL;
	memcpy(text, value, n);
	text[n] = '\0';
	return oid_is_whole(text) ? strdup(text) : NULL;
}

/*
 * Microseconds of "Name <mail> 1700000000 +0100".  What cannot be read counts as 0, as in
 * git: a wrong date must not hide the commit.
 */
static int64_t time_of(const char *value, size_t n)
{
	char text[32];
	const char *from = memrchr(value, '>', n);
	long long seconds;
	size_t left;

	if (!from)
		return 0;
	from++;
	left = (size_t)(value + n - from);
	if (left >= sizeof(text))
		left = sizeof(text) - 1;
	memcpy(text, from, left);
	text[left] = '\0';
	errno = 0;
	seconds = strtoll(text, NULL, 10);
	if (errno || seconds > INT64_MAX / 1000000 || seconds < INT64_MIN / 1000000)
		return 0;
	return (int64_t)seconds * 1000000;
}

/* The first line with something on it, without blanks around it. */
static char *subject_of(const char *body, const char *end)
{
	const char *stop;

	while (body < end && strchr(" \t\r\n\v\f", *body) && *body)
		body++;
	stop = memchr(body, '\n', (size_t)(end - body));
	if (!stop)
		stop = end;
	while (stop > body && strchr(" \t\r\v\f", stop[-1]) && stop[-1])
		stop--;
	return strndup(body, (size_t)(stop - body));
}

static bool is_field(const char **line, size_t *n, const char *name)
{
	size_t length = strlen(name);

	if (*n <= length || memcmp(*line, name, length) || (*line)[length] != ' ')
		return false;
	*line += length + 1;
	*n -= length + 1;
	return true;
}

/* One header line; lines that go on another one start with a blank and match nothing. */
static int parse_field(const char *id, const char *line, size_t n, struct git_commit *out,
		       struct err *err)
{
	char *text;
	int result;

	if (is_field(&line, &n, "tree")) {
		free(out->tree);
		out->tree = oid_of(line, n);
		return out->tree ? 0 : damaged(id, err);
	}
	if (is_field(&line, &n, "parent")) {
		text = oid_of(line, n);
		if (!text)
			return damaged(id, err);
		result = strv_add(&out->parents, text, err);
		free(text);
		return result;
	}
	if (is_field(&line, &n, "author"))
		out->author_time_us = time_of(line, n);
	else if (is_field(&line, &n, "committer"))
		out->commit_time_us = time_of(line, n);
	return 0;
}

int commit_parse(const char *id, const struct buf *raw, struct git_commit *out, struct err *err)
{
	struct git_commit commit = GIT_COMMIT_INIT;
	const char *p = buf_str(raw), *end = p + raw->len;
	int result = -1;

	while (p < end && *p != '\n') {
		const char *stop = memchr(p, '\n', (size_t)(end - p));

		if (!stop)
			stop = end;
		if (parse_field(id, p, (size_t)(stop - p), &commit, err))
			goto out;
		p = stop < end ? stop + 1 : end;
	}
	if (!commit.tree) {
		damaged(id, err);
		goto out;
	}
	commit.id = strdup(id);
	commit.subject = subject_of(p, end);
	if (!commit.id || !commit.subject) {
		err_nomem(err);
		goto out;
	}
	*out = commit;
	commit = (struct git_commit)GIT_COMMIT_INIT;
	result = 0;
out:
	git_commit_release(&commit);
	return result;
}

void git_commit_release(struct git_commit *commit)
{
	free(commit->id);
	free(commit->tree);
	free(commit->subject);
	strv_release(&commit->parents);
	*commit = (struct git_commit)GIT_COMMIT_INIT;
}
