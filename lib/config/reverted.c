#include "lib/config/reverted.h"

#include <ctype.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/git/git_command.h"
#include "lib/git/history/walk.h"

#include "lib/base/banned.h"

#define REVERTS "This reverts commit "
#define MERGE_TO "changes made to "

/* Messages, newest first: those of range->v[n - 1], v[n - 2], ... */
static int read_messages(struct repo *repo, const struct strv *range, struct buf *out,
			 struct err *err)
{
	struct strv args = STRV_INIT;
	size_t i;
	int result = -1;

	if (strv_add(&args, "log", err) || strv_add(&args, "-z", err) ||
	    strv_add(&args, "--no-walk=unsorted", err) || strv_add(&args, "--format=%B", err))
		goto out;
	for (i = range->n; i-- > 0;)
		if (strv_add(&args, range->v[i], err))
			goto out;
	result = git_answer(repo, NULL, (const char *const *)args.v, out, err);
out:
	strv_release(&args);
	return result;
}

/* Its place in the range; range->n: nowhere. */
static size_t place_of(const struct strv *range, const char *id, size_t n)
{
	size_t i;

	for (i = 0; i < range->n; i++)
		if (strlen(range->v[i]) == n && !strncmp(range->v[i], id, n))
			break;
	return i;
}

static size_t id_length(const char *text)
{
	size_t n = strspn(text, "0123456789abcdef");

	return n == 40 || n == 64 ? n : 0;
}

/* All that a merge brought; from: the parent that was kept. */
static int mark_brought(struct repo *repo, const struct strv *range, const char *from,
			const char *merge, bool *gone, struct err *err)
{
	struct strv brought = STRV_INIT;
	struct err fault = ERR_INIT;
	size_t i, place;
	int result = 0;

	if (walk_between(repo, from, merge, false, 0, &brought, &fault)) {
		if (fault.code != ERR_ABSENT && fault.code != ERR_GIT) {
			result = -1;
			if (err)
				*err = fault;
		}
	}
	for (i = 0; i < brought.n; i++) {
		place = place_of(range, brought.v[i], strlen(brought.v[i]));
		if (place < range->n)
			gone[place] = true;
	}
	strv_release(&brought);
	return result;
}

/* By the ids in a message; *out_any: it names one of the range. */
static int mark_named(struct repo *repo, const struct strv *range, const char *message, bool *gone,
		      bool *out_any, struct err *err)
{
	const char *at, *to;
	char id[OID_TEXT], from[OID_TEXT];

	*out_any = false;
	for (at = strstr(message, REVERTS); at; at = strstr(at, REVERTS)) {
		size_t n, place;

		at += strlen(REVERTS);
		n = id_length(at);
		place = n ? place_of(range, at, n) : range->n;
		if (place == range->n)
			continue;
		*out_any = gone[place] = true;
		to = strncmp(at + n, ", reversing", 11) ? NULL : strstr(at + n, MERGE_TO);
		if (!to || !id_length(to + strlen(MERGE_TO)))
			continue;
		memcpy(id, at, n);
		id[n] = '\0';
		to += strlen(MERGE_TO);
		memcpy(from, to, id_length(to));
		from[id_length(to)] = '\0';
		if (mark_brought(repo, range, from, id, gone, err))
			return -1;
	}
	return 0;
}

/* How much of text[0..n) is left without " (#12)", of a pull request, at its end. */
static size_t without_number(const char *text, size_t n)
{
	size_t end;

	if (n < 4 || text[n - 1] != ')')
		return n;
	for (end = n - 1; end > 0 && isdigit((unsigned char)text[end - 1]); end--)
		;
	return end < n - 1 && end >= 3 && !strncmp(text + end - 3, " (#", 3) ? end - 3 : n;
}

/* Of the first line, without that number. */
static size_t subject_length(const char *message)
{
	return without_number(message, strcspn(message, "\n"));
}

/* Revert "SUBJECT": the subject; NULL: it takes nothing back.  *out_n: its length. */
static const char *subject_taken(const char *message, const char *verb, size_t *out_n)
{
	size_t n = subject_length(message), skip = strlen(verb);

	if (n <= skip || strncmp(message, verb, skip) != 0 || message[n - 1] != '"')
		return NULL;
	*out_n = n - skip - 1;
	return message + skip;
}

/* What is in quotes may have its number, too. */
static bool is_taken(const char *message, const char *subject, size_t n)
{
	size_t length = subject_length(message);

	return length == without_number(subject, n) && !strncmp(message, subject, length);
}

/* By its subject, those before it, which come behind it in the list. */
static void mark_subjects(const struct strv *messages, size_t which, bool *gone)
{
	const char *message = messages->v[which];
	size_t n = 0, i, count = messages->n;
	const char *plain = subject_taken(message, "Revert \"", &n);
	const char *again = plain ? NULL : subject_taken(message, "Reapply \"", &n);

	for (i = which + 1; (plain || again) && i < count; i++) {
		size_t inner = 0;
		const char *other = messages->v[i];
		const char *reverts = again ? subject_taken(other, "Revert \"", &inner) : NULL;

		if (plain ? is_taken(other, plain, n)
			  : reverts && inner == n && !strncmp(reverts, again, n))
			gone[count - 1 - i] = true;
	}
}

static int mark_all(struct repo *repo, const struct strv *range, const struct strv *messages,
		    bool *gone, struct err *err)
{
	bool is_named;
	size_t i;

	for (i = 0; i < messages->n; i++) {
		if (gone[range->n - 1 - i])
			continue;
		if (mark_named(repo, range, messages->v[i], gone, &is_named, err))
			return -1;
		if (!is_named)
			mark_subjects(messages, i, gone);
	}
	return 0;
}

int reverted_mark(struct repo *repo, const struct strv *range, bool *gone, struct err *err)
{
	struct strv messages = STRV_INIT;
	struct buf text = BUF_INIT;
	size_t at;
	int result = -1;

	if (range->n < 2 || range->n > REVERTED_MAX)
		return 0;
	if (read_messages(repo, range, &text, err))
		goto out;
	for (at = 0; at < text.len && messages.n < range->n; at += strlen(text.data + at) + 1)
		if (strv_add(&messages, text.data + at, err))
			goto out;
	result = messages.n == range->n ? mark_all(repo, range, &messages, gone, err) : 0;
out:
	strv_release(&messages);
	buf_release(&text);
	return result;
}
