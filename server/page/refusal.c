/* What a person sees in place of a page. */
#include <string.h>

#include "lib/json/jtree.h"
#include "reporter/text/text.h"
#include "server/page/frame.h"
#include "server/page/login.h"
#include "server/page/page.h"

#include "lib/base/banned.h"

#define MOST_BYTES 65536
#define MOST_DEPTH 4

static const char *title_of(unsigned status)
{
	return status == 401   ? "Log-in needed"
	       : status == 403 ? "Not allowed"
	       : status == 404 ? "Not found"
	       : status == 429 ? "Too many tries"
	       : status == 503 ? "Not now"
	       : status >= 500 ? "The server's fault"
			       : "Not understood";
}

void page_refusal(struct request *r)
{
	struct buf json = r->reply.body;
	struct jtree *root = jtree_parse(json.data, json.len, MOST_BYTES, MOST_DEPTH, NULL);
	const char *message = jtree_text(jtree_get(jtree_get(root, "error"), "message"));

	if (!message)
		goto out;
	r->reply.body = (struct buf)BUF_INIT;
	if (r->reply.status == 401) {
		login_write(r, r->target, NULL);
		goto written;
	}
	frame_begin(r, title_of(r->reply.status),
		    (struct crumb[]){ { "Projects", "/" }, { "error", NULL } }, 2);
	buf_adds(&r->reply.body, "<p class=\"error\">");
	text_xml(message, &r->reply.body);
	buf_adds(&r->reply.body, "</p>\n");
	frame_end(r);
written:
	if (r->reply.body.failed) {
		buf_release(&r->reply.body);
		r->reply.body = json;
		r->reply.type = NULL;
	} else {
		buf_release(&json);
	}
out:
	jtree_free(root);
}
