#include "reporter/publish/comment.h"

#include <string.h>

#include "lib/base/utf8.h"
#include "reporter/figures/rows.h"
#include "reporter/parts/sentence.h"
#include "reporter/render/render.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

#define AROUND 4096u /* bytes for the mark, the fold and the line to accept */

void publish_mark(const char *label, struct buf *out)
{
	buf_addf(out, "<!-- pawl%s%s -->", label ? ": " : "", label ? label : "");
}

/* The first line stays in sight. */
static void fold(const char *markdown, size_t n_benchmarks, struct buf *out)
{
	size_t n = strcspn(markdown, "\n");

	buf_add(out, markdown, n);
	buf_addf(out, "\n\n<details>\n<summary>%zu benchmark%s</summary>\n\n%s\n</details>\n",
		 n_benchmarks, n_benchmarks == 1 ? "" : "s",
		 markdown + n + strspn(markdown + n, "\n"));
}

static int make(const struct summary *s, const struct rows *rows, const struct publish_words *words,
		size_t limit, struct buf *out, struct err *err)
{
	struct render_options how = RENDER_OPTIONS_INIT;
	struct buf markdown = BUF_INIT;
	int result;

	how.limit = limit;
	result = render("markdown", s, &how, &markdown, err);
	if (!result && rows_moved(rows))
		buf_adds(out, buf_str(&markdown));
	else if (!result)
		fold(buf_str(&markdown), rows->n, out);
	if (!result && words->accept) {
		buf_adds(out, "\nTo accept this change:\n<pre>\n");
		text_xml(words->accept, out);
		buf_adds(out, "\n</pre>\n");
	}
	if (!result && words->link)
		buf_addf(out, "\n[All reports of this run](%s)\n", words->link);
	buf_release(&markdown);
	return result || buf_check(out, err) ? -1 : 0;
}

/*
 * Some servers look for names in the text as it was sent, before it is markup, and mail them: an
 * entity is the same character to a reader.
 */
static void add_without_at(const char *text, struct buf *out)
{
	for (; *text; text++)
		if (*text == '@')
			buf_adds(out, "&#64;");
		else
			buf_addc(out, *text);
}

int publish_comment(const struct summary *s, const struct publish_words *words, size_t limit,
		    struct buf *out, struct err *err)
{
	size_t before = out->len, room = limit - AROUND;
	struct buf text = BUF_INIT;
	struct rows rows = { 0 };
	int result = rows_of(s, &rows, err);

	/* What is written longer may no longer fit: then fewer rows. */
	for (; !result; room /= 2) {
		buf_reset(&text);
		result = make(s, &rows, words, room, &text, err);
		buf_truncate(out, before);
		publish_mark(words->label, out);
		buf_addc(out, '\n');
		add_without_at(buf_str(&text), out);
		if (out->len - before <= limit || room <= RENDER_LIMIT_LEAST)
			break;
	}
	rows_release(&rows);
	buf_release(&text);
	return result || buf_check(out, err) ? -1 : 0;
}

static void put_visible(const char *text, const struct render_options *opt, struct buf *out)
{
	text_visible(text, opt->utf8, out);
}

int publish_line(const struct summary *s, size_t limit, struct buf *out, struct err *err)
{
	struct render_options how = RENDER_OPTIONS_INIT;
	struct buf text = BUF_INIT;
	struct rows rows = { 0 };
	size_t n;
	int result = rows_of(s, &rows, err);

	if (!result) {
		sentence_add(s, &rows, &how, put_visible, &text);
		result = buf_check(&text, err);
	}
	n = text.len > limit ? utf8_fitting(buf_str(&text), limit - 3) : text.len;
	if (!result)
		buf_addf(out, "%.*s%s", (int)n, buf_str(&text), n < text.len ? "..." : "");
	rows_release(&rows);
	buf_release(&text);
	return result || buf_check(out, err) ? -1 : 0;
}
