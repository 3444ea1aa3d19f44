#include "reporter/publish/publish.h"

#include <string.h>
#include <strings.h>

#include "lib/base/jsonw.h"
#include "lib/base/strv.h"
#include "lib/base/when.h"
#include "lib/process/stop.h"
#include "reporter/publish/attempt.h"
#include "reporter/publish/comment.h"

#include "lib/base/banned.h"

#define PAGES_MOST 400
#define FIELD_ROOM 64

/* ---- requests ------------------------------------------------------------------------------ */

/* A field, or one of a field: "head.sha". */
static const struct jtree *field(const struct jtree *v, const char *path)
{
	const char *dot = strchr(path, '.');
	char first[FIELD_ROOM];

	if (!dot || (size_t)(dot - path) >= sizeof(first))
		return jtree_get(v, path);
	memcpy(first, path, (size_t)(dot - path));
	first[dot - path] = '\0';
	return jtree_get(jtree_get(v, first), dot + 1);
}

/* Looks at an item of a list; *out_done ends the search.  Errors: its own. */
typedef int see_fn(struct attempt *a, const struct jtree *item, bool *out_done, struct err *err);

/* Whether the page is the one before it again: the server does not know pages. */
static bool is_again(const struct jtree *page, int64_t *first)
{
	int64_t id = -1;
	bool again;

	jtree_whole(jtree_get(jtree_first(page), "id"), &id);
	again = id == *first;
	*first = id;
	return again;
}

static int walk(struct attempt *a, const char *path, const char *which, const char *what,
		see_fn *see, struct err *err)
{
	const size_t size = FORGE_PAGE;
	const struct jtree *item;
	struct buf query = BUF_INIT;
	int64_t first = -2;
	bool done = false, more = true;
	int result = 0, page;

	for (page = 1; more && !done && !result; page++) {
		buf_reset(&query);
		buf_addf(&query, "%sper_page=%zu&limit=%zu&page=%d", which, size, size, page);
		if (page > PAGES_MOST)
			result = err_set(err, ERR_REFUSED, "cannot %s: there are more than %zu",
					 what, PAGES_MOST * size);
		else if (buf_check(&query, err) ||
			 attempt_ask(a, "GET", path, buf_str(&query), NULL, what, err))
			result = -1;
		else if (jtree_kind(a->last.tree) != JTREE_ARRAY)
			result = err_set(err, ERR_NET, "cannot %s: the answer is no list", what);
		if (result || is_again(a->last.tree, &first))
			break;
		for (item = jtree_first(a->last.tree); item && !done && !result;
		     item = jtree_after(a->last.tree, item))
			result = see(a, item, &done, err);
		/* A server may give fewer at once than it was asked for. */
		more = jtree_count(a->last.tree) > 0;
	}
	buf_release(&query);
	return result;
}

/* ---- which pull request --------------------------------------------------------------------- */

static int see_pull(struct attempt *a, const struct jtree *item, bool *out_done, struct err *err)
{
	const struct forge *forge = a->rq->exchange.forge;
	const char *head = jtree_text(field(item, forge->head));
	const char *state = jtree_text(jtree_get(item, "state"));
	int64_t number;

	(void)out_done;
	if (!head || strcmp(head, a->place.commit) != 0 || (state && strncmp(state, "open", 4)) ||
	    !jtree_whole(jtree_get(item, forge->number), &number) || number <= 0)
		return 0;
	if (a->place.number && a->place.number != (uint64_t)number) {
		err_set(err, ERR_ABSENT, "more than one %s has the commit %.12s", forge->what,
			a->place.commit);
		return err_hint(err, "say which: --number N");
	}
	a->place.number = (uint64_t)number;
	return 0;
}

static int find_number(struct attempt *a, struct err *err)
{
	const struct forge *forge = a->rq->exchange.forge;

	if (a->place.number)
		return 0;
	if (walk(a, forge->pulls, forge->which, "find the pull request", see_pull, err))
		return -1;
	if (!a->place.number && forge->all_pulls &&
	    walk(a, forge->all_pulls, forge->which, "find the pull request", see_pull, err))
		return -1;
	if (a->place.number)
		return 0;
	err_set(err, ERR_ABSENT, "no open %s has %.12s as its last commit", forge->what,
		a->place.commit);
	return err_hint(err, "it may have newer commits, or be closed; else say which: --number N");
}

/* ---- the comment
 * ---------------------------------------------------------------------------------- */

static int nobody(struct err *err)
{
	err_set(err, ERR_REFUSED, "the server does not say whose token this is");
	return err_hint(err, "say who comments with it: --author NAME");
}

static int find_author(struct attempt *a, struct err *err)
{
	const struct publish_request *rq = a->rq;
	const char *login;

	if (rq->author) {
		buf_adds(&a->author, rq->author);
		return buf_check(&a->author, err);
	}
	if (attempt_ask(a, "GET", "/user", NULL, NULL, "ask whose token this is", err)) {
		bool is_no_user = a->last.status == 403 || a->last.status == 404;

		if (!is_no_user || a->last.may_work_later)
			return -1;
		if (!rq->author_else)
			return nobody(err);
		err_clear(err);
		buf_adds(&a->author, rq->author_else);
		return buf_check(&a->author, err);
	}
	login = jtree_text(jtree_get(a->last.tree, rq->exchange.forge->login));
	if (!login || !*login)
		return nobody(err);
	buf_adds(&a->author, login);
	return buf_check(&a->author, err);
}

/* Whether the first line of the text is the mark. */
static bool is_marked(const struct attempt *a, const char *text)
{
	const char *mark = buf_str(&a->mark);
	size_t n = a->mark.len;

	return text && !strncmp(text, mark, n) && (!text[n] || strchr("\r\n", text[n]));
}

/* Of its pictures, those that the new text will not show. */
static void note_files(struct attempt *a, const struct jtree *item)
{
	const struct jtree *list = jtree_get(item, "assets"), *file;
	const char *name, *kept = a->rq->picture ? a->rq->picture->name : "";
	int64_t id;

	a->n_files = 0;
	for (file = jtree_first(list); file && a->n_files < ATTEMPT_FILES;
	     file = jtree_after(list, file)) {
		name = jtree_text(jtree_get(file, "name"));
		if (name && picture_is_ours(name) && strcmp(name, kept) != 0 &&
		    jtree_whole(jtree_get(file, "id"), &id) && id > 0)
			a->files[a->n_files++] = (uint64_t)id;
	}
}

/* The first one is ours; one more may be of two jobs that ran at once. */
static int see_comment(struct attempt *a, const struct jtree *item, bool *out_done, struct err *err)
{
	const struct forge *forge = a->rq->exchange.forge;
	const char *login = jtree_text(jtree_get(jtree_get(item, forge->author), forge->login));
	const char *body = jtree_text(jtree_get(item, "body"));
	int64_t id;

	(void)out_done;
	if (!login || strcasecmp(login, buf_str(&a->author)) != 0 || !is_marked(a, body) ||
	    !jtree_whole(jtree_get(item, "id"), &id) || id <= 0)
		return 0;
	a->n_found++;
	if (a->place.comment && a->place.comment <= (uint64_t)id)
		return 0;
	a->place.comment = (uint64_t)id;
	buf_reset(&a->found);
	buf_adds(&a->found, body);
	note_files(a, item);
	return buf_check(&a->found, err);
}

/* ---- the status
 * ------------------------------------------------------------------------------------ */

int publish_status_json(const struct publish_request *rq, struct buf *out, struct err *err)
{
	struct jsonw w;

	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "state", rq->state);
	jsonw_kstring(&w, rq->exchange.forge->context, rq->state_name);
	jsonw_kstring(&w, "description", buf_str(rq->state_line));
	if (rq->link)
		jsonw_kstring(&w, "target_url", rq->link);
	jsonw_object_end(&w);
	return buf_check(out, err);
}

static int write_status(struct attempt *a, struct err *err)
{
	struct buf body = BUF_INIT;
	int result = 0;

	if (a->rq->state)
		result = publish_status_json(a->rq, &body, err) ||
			 attempt_ask(a, "POST", a->rq->exchange.forge->statuses, NULL, &body,
				     "set the status of the commit", err);
	buf_release(&body);
	return result ? -1 : 0;
}

/* ---- all
 * ---------------------------------------------------------------------------------------------- */

static int try_once(struct attempt *a, struct publish_result *out, struct err *err)
{
	const struct forge *forge = a->rq->exchange.forge;

	publish_mark(a->rq->label, &a->mark);
	if (buf_check(&a->mark, err) || find_number(a, err) || find_author(a, err) ||
	    walk(a, forge->comments, "", "list the comments", see_comment, err) ||
	    attempt_write(a, &out->done, err) || write_status(a, err))
		return -1;
	out->number = a->place.number;
	return 0;
}

/* Waits as long as is sensible; false when the time is over. */
static bool wait_again(const struct publish_request *rq, const struct exchange_answer *last,
		       unsigned n, uint64_t end_ns)
{
	uint64_t wait = post_wait_ns(n, &last->outcome, rq->clock->chance(rq->clock->ctx));

	if (stop_signal || when_monotonic_ns() + wait >= end_ns)
		return false;
	rq->clock->sleep_ns(rq->clock->ctx, wait);
	return !stop_signal;
}

int publish(const struct publish_request *rq, struct publish_result *out, struct err *err)
{
	uint64_t end_ns = when_monotonic_ns() + rq->budget_ns;
	unsigned n;

	for (n = 0;; n++) {
		struct attempt a = { .rq = rq, .place = rq->place };
		bool later;
		int result = try_once(&a, out, err);

		later = result && a.last.may_work_later && wait_again(rq, &a.last, n, end_ns);
		attempt_release(&a);
		if (!later)
			return result;
		talk_note(rq->talk, "%s: trying again", err->text);
		err_clear(err);
	}
}
