#include "cli/publish/show.h"

#include <string.h>

#include "lib/base/jsonw.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

static void add_address(const struct publish_request *rq, const char *path, struct buf *out)
{
	forge_address(&rq->place, path, out);
}

/* Each line behind a bar, so that none is taken for ours or for a command. */
static void add_text(const char *text, struct buf *out)
{
	struct buf line = BUF_INIT;
	size_t n;

	for (; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		buf_reset(&line);
		buf_add(&line, text, n);
		buf_adds(out, "  |");
		if (n)
			buf_addc(out, ' ');
		text_visible(buf_str(&line), true, out);
		buf_addc(out, '\n');
	}
	buf_release(&line);
}

static void say(const struct publish_request *rq, struct buf *out)
{
	const struct forge *forge = rq->exchange.forge;

	buf_addf(out, "comment of the %s", forge->what);
	if (rq->place.number) {
		buf_adds(out, ": ");
		add_address(rq, forge->comments, out);
	} else {
		buf_addf(out, " that has the commit %s", rq->place.commit);
	}
	buf_addc(out, '\n');
	add_text(buf_str(rq->comment), out);
	if (publish_has_picture(rq))
		buf_addf(out, "picture: %s, %zu bytes, uploaded and shown below the text\n",
			 rq->picture->name, rq->picture->svg.len);
	if (!rq->state)
		return;
	buf_adds(out, "status: ");
	add_address(rq, forge->statuses, out);
	buf_addf(out, "\n  %s, '%s': ", rq->state, rq->state_name);
	text_visible(buf_str(rq->state_line), true, out);
	buf_addc(out, '\n');
}

/* "comment": {"address": ..., "body": {...}}; the body is what is sent. */
static int add_request(struct jsonw *w, const char *key, const struct publish_request *rq,
		       const char *path, const struct buf *body, struct err *err)
{
	struct buf address = BUF_INIT;
	int result;

	add_address(rq, path, &address);
	result = buf_check(&address, err);
	jsonw_key(w, key);
	jsonw_object(w);
	if (rq->place.number || !strstr(path, "%N"))
		jsonw_kstring(w, "address", buf_str(&address));
	else
		jsonw_kstring(w, "commit", rq->place.commit);
	jsonw_key(w, "body");
	jsonw_raw(w, buf_str(body), body->len);
	jsonw_object_end(w);
	buf_release(&address);
	return result;
}

static int say_json(const struct publish_request *rq, struct buf *out, struct err *err)
{
	const struct forge *forge = rq->exchange.forge;
	struct buf body = BUF_INIT;
	struct jsonw w;
	int result;

	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "to", forge->name);
	result = publish_comment_json(rq->comment, &body, err) ||
		 add_request(&w, "comment", rq, forge->comments, &body, err);
	if (!result && publish_has_picture(rq))
		jsonw_kstring(&w, "picture", rq->picture->name);
	buf_reset(&body);
	if (!result && rq->state)
		result = publish_status_json(rq, &body, err) ||
			 add_request(&w, "status", rq, forge->statuses, &body, err);
	jsonw_object_end(&w);
	buf_addc(out, '\n');
	buf_release(&body);
	return result ? -1 : 0;
}

int publish_show(const struct publish_request *rq, bool json, struct buf *out, struct err *err)
{
	if (!json)
		say(rq, out);
	else if (say_json(rq, out, err))
		return -1;
	return buf_check(out, err);
}
