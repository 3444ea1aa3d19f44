/* The first page: which projects there are. */
#include <inttypes.h>

#include "lib/json/jtree.h"
#include "server/page/frame.h"
#include "server/page/page.h"

#include "lib/base/banned.h"

#define PER_PAGE 100

static void add_count(const struct jtree *project, const char *key, struct buf *out)
{
	int64_t n = 0;

	jtree_whole(jtree_get(project, key), &n);
	buf_addf(out, "<td class=\"n\">%" PRId64 "</td>", n);
}

static void add_row(const struct jtree *project, struct buf *out)
{
	const char *name = jtree_text(jtree_get(project, "name"));
	const struct jtree *latest = jtree_get(project, "latest");
	struct buf address = BUF_INIT;

	frame_project(name, NULL, &address);
	buf_adds(out, "<tr><th scope=\"row\" class=\"name\">");
	frame_link(&address, name, out);
	buf_adds(out, "</th>");
	add_count(project, "benchmarks", out);
	add_count(project, "commits", out);
	add_count(project, "summaries", out);
	buf_adds(out, "<td class=\"by\">");
	frame_change(latest, out);
	buf_adds(out, "</td></tr>\n");
	buf_release(&address);
}

static void add_table(const struct jtree *projects, size_t page, struct buf *out)
{
	const struct jtree *at = jtree_first(projects);
	size_t i;

	buf_adds(out, "<div class=\"wide\" role=\"group\" aria-label=\"Projects\" tabindex=\"0\">"
		      "<table>\n<thead><tr><th scope=\"col\">project</th>"
		      "<th scope=\"col\" class=\"n\">benchmarks</th>"
		      "<th scope=\"col\" class=\"n\">commits</th>"
		      "<th scope=\"col\" class=\"n\">results</th>"
		      "<th scope=\"col\">newest commit</th></tr></thead>\n<tbody>\n");
	for (i = 0; at; i++, at = jtree_after(projects, at))
		if (i / PER_PAGE == page)
			add_row(at, out);
	buf_adds(out, "</tbody>\n</table></div>\n");
}

int page_projects(struct request *r, struct err *err)
{
	static const char *const known[] = { "page", NULL };
	const struct jtree *projects;
	struct buf json = BUF_INIT, here = BUF_INIT;
	struct jtree *root = NULL;
	size_t page;
	int result = -1;

	if (target_only(&r->url, known, err) || frame_page(r, &page, err) ||
	    ledger_projects(r->reader, r->has_token ? r->token.project : NULL, &json, err))
		goto out;
	root = frame_tree(&json, err);
	if (!root)
		goto out;
	projects = jtree_get(root, "projects");
	frame_begin(r, "Projects", (struct crumb[]){ { "Projects", NULL } }, 1);
	if (jtree_count(projects))
		add_table(projects, page, &r->reply.body);
	else
		buf_adds(&r->reply.body, "<p>Nothing was posted yet. <code>git config pawl.server "
					 "URL</code> and <code>pawl collect</code> post the first "
					 "result.</p>\n");
	buf_adds(&here, "/");
	frame_pager(&here, page, jtree_count(projects), PER_PAGE, &r->reply.body);
	buf_adds(&r->reply.body,
		 "<p class=\"soft\">Programs post to <code>/api/v1/summaries</code> "
		 "and ask <code>/api/v1/projects</code>: see pawld(8).</p>\n");
	frame_end(r);
	result = buf_check(&r->reply.body, err);
out:
	jtree_free(root);
	buf_release(&json);
	buf_release(&here);
	return result;
}
