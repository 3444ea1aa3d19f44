/*
 * go_events - the lines of `go test -json`, told from others: Go 1.24 writes among them what the
 * build says, and a program may log lines of JSON, as slog and zap do.
 *
 * Source: "go doc test2json".
 */
#include "lib/foreign/formats.h"

#include "lib/base/banned.h"

static bool is_event(const struct jtree *json)
{
	return jtree_text(jtree_get(json, "Action")) && jtree_text(jtree_get(json, "Package"));
}

bool go_has_event(const struct foreign_doc *doc)
{
	size_t i;

	for (i = 0; i < doc->n_lines; i++)
		if (is_event(doc->lines[i].json))
			return true;
	return false;
}

void go_join_output(const struct foreign_doc *doc, struct buf *out)
{
	size_t i;

	for (i = 0; i < doc->n_lines; i++) {
		const struct jtree *json = doc->lines[i].json;
		const char *text = jtree_text(jtree_get(json, "Output"));

		if (text && is_event(json))
			buf_adds(out, text);
	}
}
