#include "reporter/publish/attempt.h"

#include <string.h>

#include "lib/base/jsonw.h"
#include "reporter/publish/comment.h"

#include "lib/base/banned.h"

void attempt_release(struct attempt *a)
{
	exchange_release(&a->last);
	buf_release(&a->author);
	buf_release(&a->mark);
	buf_release(&a->found);
}

static int ask_as(struct attempt *a, const char *type, const char *method, const char *path,
		  const char *query, const struct buf *body, const char *what, struct err *err)
{
	struct exchange x = a->rq->exchange;
	struct buf url = BUF_INIT;
	int result;

	x.content_type = type;
	exchange_release(&a->last);
	forge_address(&a->place, path, &url);
	result = buf_check(&url, err) || exchange(&x, method, buf_str(&url), query, body, what,
						  &a->last, err)
			 ? -1
			 : 0;
	buf_release(&url);
	return result;
}

int attempt_ask(struct attempt *a, const char *method, const char *path, const char *query,
		const struct buf *body, const char *what, struct err *err)
{
	return ask_as(a, NULL, method, path, query, body, what, err);
}

/* ---- the picture ----------------------------------------------------------------------------- */

bool publish_has_picture(const struct publish_request *rq)
{
	return rq->picture && rq->picture->svg.len && rq->exchange.forge->files;
}

/* A file of this forge belongs to a comment, which has to be there first. */
static bool needs_comment(const struct attempt *a)
{
	return publish_has_picture(a->rq) && strstr(a->rq->exchange.forge->files, "%I");
}

static int upload(struct attempt *a, struct buf *lines, struct err *err)
{
	const struct forge *forge = a->rq->exchange.forge;
	struct buf form = BUF_INIT;
	char type[PICTURE_TYPE];
	const char *address;
	int result = picture_form(a->rq->picture, forge->file_field, type, &form, err) ||
				     ask_as(a, type, "POST", forge->files, NULL, &form,
					    "upload the picture", err)
			     ? -1
			     : 0;

	buf_release(&form);
	if (result)
		return -1;
	address = jtree_text(jtree_get(a->last.tree, forge->file_address));
	if (!address || !picture_is_address(address))
		return err_set(err, ERR_NET, "cannot upload the picture on %s: %s", forge->name,
			       "the answer has no address");
	picture_lines(a->rq->picture->name, address, lines);
	return buf_check(lines, err);
}

/* The lines of the comment that is there, if it shows the same; else those of a new file. */
static int add_picture(struct attempt *a, struct buf *text, struct err *err)
{
	struct err fault = ERR_INIT;
	const char *there;

	if (!publish_has_picture(a->rq))
		return 0;
	there = picture_find(buf_str(&a->found), a->rq->picture->name);
	if (there) {
		buf_adds(text, there);
		return buf_check(text, err);
	}
	if (!upload(a, text, &fault))
		return 0;
	if (err_is_fatal(&fault)) {
		*err = fault;
		return -1;
	}
	talk_warn(a->rq->talk, NULL, "%s: the comment has no picture", fault.text);
	return 0;
}

/* What the text no longer shows would be shown below the comment.  That one stays is no fault. */
static void remove_files(struct attempt *a)
{
	const char *files = a->rq->exchange.forge->files;
	struct err ignored = ERR_INIT;
	struct buf path = BUF_INIT;
	size_t i;

	for (i = 0; files && i < a->n_files; i++) {
		buf_reset(&path);
		buf_addf(&path, "%s/%llu", files, (unsigned long long)a->files[i]);
		if (!path.failed)
			attempt_ask(a, "DELETE", buf_str(&path), NULL, NULL, "remove a picture",
				    &ignored);
		err_clear(&ignored);
	}
	buf_release(&path);
}

/* ---- the comment ---------------------------------------------------------------------------- */

int publish_comment_json(const struct buf *comment, struct buf *out, struct err *err)
{
	struct jsonw w;

	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "body", buf_str(comment));
	jsonw_object_end(&w);
	return buf_check(out, err);
}

static int send(struct attempt *a, bool create, const struct buf *text, struct err *err)
{
	const struct forge *forge = a->rq->exchange.forge;
	struct buf body = BUF_INIT;
	int64_t id;
	int result = publish_comment_json(text, &body, err);

	if (!result && create)
		result = attempt_ask(a, "POST", forge->comments, NULL, &body, "write the comment",
				     err);
	else if (!result)
		result = attempt_ask(a, forge->update, forge->comment, NULL, &body,
				     "update the comment", err);
	if (!result && create && jtree_whole(jtree_get(a->last.tree, "id"), &id) && id > 0)
		a->place.comment = (uint64_t)id;
	buf_release(&body);
	return result;
}

static int write_text(struct attempt *a, struct buf *text, enum publish_done *out, struct err *err)
{
	bool is_new = !a->place.comment;

	*out = is_new ? PUBLISH_CREATED : PUBLISH_UPDATED;
	if (is_new && needs_comment(a)) {
		if (send(a, true, text, err) || !a->place.comment)
			return err->code ? -1 : 0;
		buf_adds(&a->found, buf_str(text));
		is_new = false;
	}
	if (add_picture(a, text, err) || buf_check(text, err))
		return -1;
	if (is_new)
		return send(a, true, text, err);
	if (!strcmp(buf_str(&a->found), buf_str(text))) {
		if (*out == PUBLISH_UPDATED)
			*out = PUBLISH_SAME;
		return 0;
	}
	if (send(a, false, text, err))
		return -1;
	remove_files(a);
	return 0;
}

int attempt_write(struct attempt *a, enum publish_done *out, struct err *err)
{
	struct buf text = BUF_INIT;
	int result;

	buf_adds(&text, buf_str(a->rq->comment));
	result = buf_check(&text, err) || write_text(a, &text, out, err) ? -1 : 0;
	if (!result && a->n_found > 1)
		talk_warn(a->rq->talk, "remove the newer ones by hand",
			  "%zu comments of '%s' have this mark; the oldest is updated", a->n_found,
			  buf_str(&a->author));
	buf_release(&text);
	return result;
}
