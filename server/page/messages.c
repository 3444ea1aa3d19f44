/* What was sent to whom about alerts, and what waits. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/store/lists/lists.h"
#include "reporter/text/html.h"
#include "reporter/text/text.h"
#include "server/page/frame.h"
#include "server/page/page.h"

#include "lib/base/banned.h"

#define EACH 200

static void add_text(const struct jtree *row, const char *key, struct buf *out)
{
	frame_text(jtree_text(jtree_get(row, key)), out);
}

static void add_number(const struct jtree *row, const char *key, struct buf *out)
{
	int64_t n = 0;

	jtree_whole(jtree_get(row, key), &n);
	buf_addf(out, "%" PRId64, n);
}

/* "2026-11-28 11:44 UTC" of a time of the ledger. */
static void add_minute(const char *time, struct buf *out)
{
	struct buf raw = BUF_INIT;

	buf_addf(&raw, "%.10s", time);
	if (strlen(time) > 16)
		buf_addf(&raw, " %.5s UTC", time + 11);
	html_text(&raw, out);
	buf_release(&raw);
}

/* "waits", or when it was over; and what went wrong last. */
static void add_state(const struct jtree *row, struct buf *out)
{
	const char *fault = jtree_text(jtree_get(row, "fault"));
	const char *next = jtree_text(jtree_get(row, "next"));

	buf_adds(out, fault && !next ? "<span class=\"failed\">" : "<span>");
	add_text(row, "state", out);
	buf_adds(out, "</span>");
	if (next) {
		buf_adds(out, " until ");
		add_minute(next, out);
	}
	if (fault) {
		buf_adds(out, ": ");
		text_xml(fault, out);
	}
}

static void add_row(const struct jtree *row, struct buf *out)
{
	buf_adds(out, "<tr><th scope=\"row\" class=\"name\">");
	add_text(row, "event", out);
	buf_adds(out, ", ");
	add_number(row, "alerts", out);
	buf_adds(out, " at ");
	frame_commit(jtree_text(jtree_get(row, "commit")), out);
	buf_adds(out, "</th><td class=\"level d\">");
	frame_day(jtree_text(jtree_get(row, "made")), out);
	buf_adds(out, "</td><td class=\"spark\">");
	add_text(row, "kind", out);
	buf_addc(out, ' ');
	add_number(row, "target", out);
	buf_adds(out, ", ");
	add_text(row, "to", out);
	buf_adds(out, "</td><td class=\"verdict n tries\">");
	add_number(row, "tries", out);
	buf_adds(out, "</td><td class=\"by\">");
	add_state(row, out);
	buf_adds(out, "</td></tr>\n");
}

static void add_table(const struct jtree *list, struct buf *out)
{
	const struct jtree *at;

	buf_adds(out, "<table class=\"rows\">\n<thead><tr><th scope=\"col\">what</th>"
		      "<th scope=\"col\">when</th><th scope=\"col\">to</th>"
		      "<th scope=\"col\" class=\"n\">tries</th>"
		      "<th scope=\"col\">state</th></tr></thead>\n<tbody>\n");
	for (at = jtree_first(list); at; at = jtree_after(list, at))
		add_row(at, out);
	buf_adds(out, "</tbody>\n</table>\n");
}

static void write_page(struct request *r, const struct jtree *root)
{
	const struct jtree *list = jtree_get(root, "messages");
	struct buf *out = &r->reply.body, here = BUF_INIT;

	frame_begin_in(r, "What was sent", r->arguments[0], "messages");
	buf_adds(out, "<p class=\"soft\">The messages about what regressed, the newest first. Who "
		      "gets them is named by <code>pawld alert</code>.</p>\n");
	if (jtree_first(list))
		add_table(list, out);
	else
		buf_adds(out, "<p>Nothing was sent, and nothing waits.</p>\n");
	frame_project(r->arguments[0], "messages", &here);
	frame_more(&here, jtree_text(jtree_get(root, "next")), out);
	out->failed |= here.failed;
	buf_release(&here);
	frame_end(r);
}

int page_messages(struct request *r, struct err *err)
{
	static const char *const known[] = { "cursor", NULL };
	const struct list_query q = { .project = r->arguments[0],
				      .cursor = target_given(&r->url, "cursor"),
				      .limit = EACH };
	struct buf json = BUF_INIT;
	struct jtree *root = NULL;
	int result = -1;

	if (target_only(&r->url, known, err) || lists_messages(r->reader, &q, &json, err))
		goto out;
	root = frame_tree(&json, err);
	if (!root)
		goto out;
	write_page(r, root);
	result = buf_check(&r->reply.body, err);
out:
	jtree_free(root);
	buf_release(&json);
	return result;
}
