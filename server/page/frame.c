#include "server/page/frame.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/digest/digest.h"
#include "reporter/figures/cells.h"
#include "reporter/text/html.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

#define MOST_PAGES 1000000
#define MOST_BYTES (64u << 20)
#define MOST_DEPTH 10

struct jtree *frame_tree(const struct buf *json, struct err *err)
{
	return jtree_parse(json->data, json->len, MOST_BYTES, MOST_DEPTH, err);
}

/* Bytes of a name as they may stand in a path and in a query. */
static void encode(const char *name, struct buf *out)
{
	const unsigned char *p = (const unsigned char *)name;

	for (; *p; p++)
		if (isalnum(*p) || strchr("-._~", *p))
			buf_addc(out, (char)*p);
		else
			buf_addf(out, "%%%02X", *p);
}

/* A browser takes these for steps in the path, however they are encoded. */
static bool is_step(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

void frame_project(const char *project, const char *rest, struct buf *out)
{
	buf_adds(out, "/p/");
	encode(project, out);
	if (rest)
		buf_addf(out, "/%s", rest);
}

void frame_benchmark(const char *project, const char *benchmark, struct buf *out)
{
	frame_project(project, "b", out);
	if (is_step(benchmark)) {
		frame_parameter("benchmark", benchmark, out);
	} else {
		buf_addc(out, '/');
		encode(benchmark, out);
	}
}

void frame_parameter(const char *name, const char *value, struct buf *out)
{
	if (value && *value)
		frame_parameter_even_empty(name, value, out);
}

void frame_parameter_even_empty(const char *name, const char *value, struct buf *out)
{
	if (!value)
		return;
	buf_addf(out, "%c%s=", strchr(buf_str(out), '?') ? '&' : '?', name);
	encode(value, out);
}

void frame_text(const char *raw, struct buf *out)
{
	text_xml(raw && *raw ? raw : "-", out);
}

void frame_link(const struct buf *address, const char *words, struct buf *out)
{
	buf_adds(out, "<a href=\"");
	html_value(buf_str(address), out);
	buf_adds(out, "\">");
	text_xml(words, out);
	buf_adds(out, "</a>");
	out->failed |= address->failed;
}

void frame_form(const char *project, const char *rest, struct buf *out)
{
	struct buf action = BUF_INIT;

	frame_project(project, rest, &action);
	buf_adds(out, "<form method=\"get\" action=\"");
	html_value(buf_str(&action), out);
	buf_adds(out, "\">\n");
	out->failed |= action.failed;
	buf_release(&action);
}

void frame_field(const char *type, const char *name, const char *label, const char *value, int size,
		 struct buf *out)
{
	buf_addf(out, "<label>%s <input type=\"%s\" name=\"%s\" size=\"%d\" value=\"", label, type,
		 name, size);
	html_value(value ? value : "", out);
	buf_adds(out, "\"></label>\n");
}

void frame_hidden(const char *name, const char *value, struct buf *out)
{
	if (!value)
		return;
	buf_addf(out, "<input type=\"hidden\" name=\"%s\" value=\"", name);
	html_value(value, out);
	buf_adds(out, "\">\n");
}

void frame_commit(const char *id, struct buf *out)
{
	struct buf raw = BUF_INIT;

	if (!id) {
		buf_addc(out, '-');
		return;
	}
	buf_adds(out, "<code>");
	cell_commit(id, &raw);
	html_text(&raw, out);
	buf_adds(out, "</code>");
	buf_release(&raw);
}

void frame_day(const char *time, struct buf *out)
{
	char day[11] = "-";

	if (time)
		snprintf(day, sizeof(day), "%.10s", time);
	text_xml(day, out);
}

void frame_change(const struct jtree *of, struct buf *out)
{
	frame_commit(jtree_text(jtree_get(of, "commit")), out);
	buf_addc(out, ' ');
	frame_day(jtree_text(jtree_get(of, "time")), out);
	buf_adds(out, " <span class=\"soft\">");
	text_xml(jtree_text(jtree_get(of, "subject")), out);
	buf_adds(out, "</span>");
}

void frame_verdict(const char *verdict, const char *none, struct buf *out)
{
	if (!verdict || !*verdict) {
		buf_addf(out, "<span class=\"soft\">%s</span>", none);
		return;
	}
	/* It is one of the ledger's own words. */
	buf_addf(out, "<span class=\"%s\">%s</span>",
		 strcmp(verdict, "timeout") ? verdict : "failed", verdict);
}

int frame_page(const struct request *r, size_t *out, struct err *err)
{
	const char *text = target_given(&r->url, "page");
	uint64_t n = 1;

	if (text && (!number_u64(text, &n) || !n || n > MOST_PAGES))
		return err_set(err, ERR_SYNTAX, "parameter 'page' must be 1 to %d", MOST_PAGES);
	*out = (size_t)n - 1;
	return 0;
}

static void add_step(const struct buf *address, const char *name, const char *value,
		     const char *rel, const char *words, struct buf *out)
{
	struct buf to = BUF_INIT;

	buf_adds(&to, buf_str(address));
	frame_parameter(name, value, &to);
	buf_addf(out, "<a rel=\"%s\" href=\"", rel);
	html_value(buf_str(&to), out);
	buf_addf(out, "\">%s</a>\n", words);
	out->failed |= to.failed;
	buf_release(&to);
}

static void add_page(const struct buf *address, size_t page, const char *rel, const char *words,
		     struct buf *out)
{
	char number[NUMBER_TEXT];

	number_print_whole((int64_t)page + 1, number);
	add_step(address, "page", page ? number : NULL, rel, words, out);
}

void frame_pager(const struct buf *address, size_t page, size_t n, size_t each, struct buf *out)
{
	size_t n_pages = (n + each - 1) / each;

	if (n_pages <= 1)
		return;
	buf_adds(out, "<nav class=\"pager\" aria-label=\"Pages\">\n");
	if (page)
		add_page(address, page - 1, "prev", "Previous", out);
	buf_addf(out, "<span>page %zu of %zu</span>\n", page + 1, n_pages);
	if (page + 1 < n_pages)
		add_page(address, page + 1, "next", "Next", out);
	buf_adds(out, "</nav>\n");
}

void frame_more(const struct buf *address, const char *cursor, struct buf *out)
{
	if (!cursor)
		return;
	buf_adds(out, "<nav class=\"pager\" aria-label=\"Pages\">\n");
	add_step(address, "cursor", cursor, "next", "More", out);
	buf_adds(out, "</nav>\n");
}

static void add_way(const struct crumb *way, size_t n, struct buf *out)
{
	size_t i;

	buf_adds(out, "<nav aria-label=\"Breadcrumb\"><ol>\n");
	for (i = 0; i < n; i++) {
		buf_adds(out, way[i].address ? "<li>" : "<li aria-current=\"page\">");
		if (way[i].address) {
			buf_adds(out, "<a href=\"");
			html_value(way[i].address, out);
			buf_adds(out, "\">");
		}
		text_xml(way[i].words, out);
		buf_adds(out, way[i].address ? "</a></li>\n" : "</li>\n");
	}
	buf_adds(out, "</ol></nav>\n");
}

void frame_begin(struct request *r, const char *title, const struct crumb *way, size_t n)
{
	struct buf *out = &r->reply.body;

	r->reply.type = "text/html; charset=utf-8";
	buf_adds(out, HTML_BEGIN "<title>");
	text_xml(title, out);
	buf_adds(out, " - pawl</title>\n<link rel=\"stylesheet\" href=\"" FRAME_STYLE "\">\n"
		      "<link rel=\"icon\" href=\"" FRAME_ICON "\">\n"
		      "</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to content</a>\n"
		      "<header>\n");
	add_way(way, n, out);
	if (r->by_session)
		buf_adds(out, "<form method=\"post\" action=\"/logout\"><button>Log out</button>"
			      "</form>\n");
	buf_adds(out, "</header>\n<main id=\"main\">\n<h1>");
	text_xml(title, out);
	buf_adds(out, "</h1>\n");
}

void frame_begin_in(struct request *r, const char *title, const char *project, const char *last)
{
	struct buf address = BUF_INIT;

	frame_project(project, NULL, &address);
	frame_begin(r, title,
		    (struct crumb[]){ { "Projects", "/" },
				      { project, last ? buf_str(&address) : NULL },
				      { last, NULL } },
		    last ? 3 : 2);
	r->reply.body.failed |= address.failed;
	buf_release(&address);
}

void frame_end(struct request *r)
{
	buf_adds(&r->reply.body, "</main>\n<footer class=\"soft\">pawld " PAWL_VERSION
				 "</footer>\n</body>\n</html>\n");
}

int frame_asset(struct request *r, const char *type, const char *text, struct err *err)
{
	char digest[DIGEST_HEX];

	if (digest_of(text, strlen(text), digest, err))
		return -1;
	r->reply.type = type;
	snprintf(r->reply.etag, sizeof(r->reply.etag), "W/\"%.16s\"", digest);
	if (r->known && strstr(r->known, r->reply.etag + 2))
		r->reply.status = 304;
	buf_adds(&r->reply.body, r->reply.status ? "" : text);
	return buf_check(&r->reply.body, err);
}

int frame_lead(struct request *r, struct err *err)
{
	r->reply.status = 303;
	r->reply.type = "text/plain; charset=utf-8";
	buf_addf(&r->reply.body, "see %s\n", buf_str(&r->reply.location));
	return buf_check(&r->reply.location, err) || buf_check(&r->reply.cookie, err) ||
			       buf_check(&r->reply.body, err)
		       ? -1
		       : 0;
}
