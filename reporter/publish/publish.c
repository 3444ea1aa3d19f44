#include "reporter/publish/publish.h"

#include <string.h>
#include <strings.h>

#include "lib/base/jsonw.h"
#include "lib/base/strv.h"
#include "lib/base/when.h"
#include "lib/process/stop.h"
#include "reporter/publish/comment.h"

#include "lib/base/banned.h"

#define PAGES_MOST 400
#define FIELD_ROOM 64

/* One attempt. */
struct attempt {
	const struct publish_request *rq;
	struct forge_place place;
	struct buf author; /* who we are */
	struct buf mark;
	bool is_same; /* the comment that was found says the same already */
	size_t n_found;
	struct exchange_answer last; /* of what failed */
};

/* ---- requests ------------------------------------------------------------------------------ */

static int ask(struct attempt *a, const char *method, const char *path, const char *query,
	       const struct buf *body, const char *what, struct err *err)
{
	struct buf url = BUF_INIT;
	int result;

	exchange_release(&a->last);
	forge_address(&a->place, path, &url);
	result = buf_check(&url, err) || exchange(&a->rq->exchange, method, buf_str(&url), query,
						  body, what, &a->last, err)
			 ? -1
			 : 0;
	buf_release(&url);
	return result;
}

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
			 ask(a, "GET", path, buf_str(&query), NULL, what, err))
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

/* ---- which pull request -----------------------------------------------------------------------
 */

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
	if (ask(a, "GET", "/user", NULL, NULL, "ask whose token this is", err)) {
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

/* The first one is ours; one more may be of two jobs that ran at once. */
static int see_comment(struct attempt *a, const struct jtree *item, bool *out_done, struct err *err)
{
	const struct forge *forge = a->rq->exchange.forge;
	const char *login = jtree_text(jtree_get(jtree_get(item, forge->author), forge->login));
	const char *body = jtree_text(jtree_get(item, "body"));
	int64_t id;

	(void)out_done;
	(void)err;
	if (!login || strcasecmp(login, buf_str(&a->author)) != 0 || !is_marked(a, body) ||
	    !jtree_whole(jtree_get(item, "id"), &id) || id <= 0)
		return 0;
	a->n_found++;
	if (a->place.comment && a->place.comment <= (uint64_t)id)
		return 0;
	a->place.comment = (uint64_t)id;
	a->is_same = !strcmp(body, buf_str(a->rq->comment));
	return 0;
}

int publish_comment_json(const struct publish_request *rq, struct buf *out, struct err *err)
{
	struct jsonw w;

	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "body", buf_str(rq->comment));
	jsonw_object_end(&w);
	return buf_check(out, err);
}

static int write_comment(struct attempt *a, struct publish_result *out, struct err *err)
{
	const struct forge *forge = a->rq->exchange.forge;
	struct buf body = BUF_INIT;
	int result = publish_comment_json(a->rq, &body, err);

	out->done = !a->place.comment ? PUBLISH_CREATED
		    : a->is_same      ? PUBLISH_SAME
				      : PUBLISH_UPDATED;
	if (!result && out->done == PUBLISH_CREATED)
		result = ask(a, "POST", forge->comments, NULL, &body, "write the comment", err);
	if (!result && out->done == PUBLISH_UPDATED)
		result = ask(a, forge->update, forge->comment, NULL, &body, "update the comment",
			     err);
	if (!result && a->n_found > 1)
		talk_warn(a->rq->talk, "remove the newer ones by hand",
			  "%zu comments of '%s' have this mark; the oldest is updated", a->n_found,
			  buf_str(&a->author));
	buf_release(&body);
	return result;
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
	jsonw_object_end(&w);
	return buf_check(out, err);
}

static int write_status(struct attempt *a, struct err *err)
{
	struct buf body = BUF_INIT;
	int result = 0;

	if (a->rq->state)
		result = publish_status_json(a->rq, &body, err) ||
			 ask(a, "POST", a->rq->exchange.forge->statuses, NULL, &body,
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
	    write_comment(a, out, err) || write_status(a, err))
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
		exchange_release(&a.last);
		buf_release(&a.author);
		buf_release(&a.mark);
		if (!later)
			return result;
		talk_note(rq->talk, "%s: trying again", err->text);
		err_clear(err);
	}
}
