#include "server/page/choice.h"

#include <string.h>

#include "lib/json/jtree.h"
#include "reporter/text/html.h"
#include "reporter/text/text.h"
#include "server/page/frame.h"

#include "lib/base/banned.h"

void choice_release(struct choice *c)
{
	strv_release(&c->metrics);
	strv_release(&c->machines);
}

static int add_once(struct strv *list, const char *word, struct err *err)
{
	return !word || strv_has(list, word) ? 0 : strv_add(list, word, err);
}

static int take(const struct jtree *benchmark, struct choice *out, struct err *err)
{
	const struct jtree *metrics = jtree_get(benchmark, "metrics"), *m, *s;

	for (m = jtree_first(metrics); m; m = jtree_after(metrics, m)) {
		const struct jtree *series = jtree_get(m, "series");

		if (add_once(&out->metrics, jtree_text(jtree_get(m, "name")), err))
			return -1;
		for (s = jtree_first(series); s; s = jtree_after(series, s))
			if (add_once(&out->machines, jtree_text(jtree_get(s, "machine")), err))
				return -1;
	}
	return 0;
}

int choice_read(struct ledger *l, const char *project, const char *benchmark, struct choice *out,
		struct err *err)
{
	struct choice found = CHOICE_INIT;
	struct buf json = BUF_INIT;
	const struct jtree *list, *at;
	struct jtree *root = NULL;
	int result = -1;

	if (ledger_benchmarks(l, project, &json, err))
		goto out;
	root = frame_tree(&json, err);
	if (!root)
		goto out;
	list = jtree_get(root, "benchmarks");
	for (at = jtree_first(list); at; at = jtree_after(list, at)) {
		const char *name = jtree_text(jtree_get(at, "name"));

		if (name && !strcmp(name, benchmark) && take(at, &found, err))
			goto out;
	}
	*out = found;
	found = (struct choice)CHOICE_INIT;
	result = 0;
out:
	choice_release(&found);
	jtree_free(root);
	buf_release(&json);
	return result;
}

static void add_option(const char *word, bool is_chosen, struct buf *out)
{
	buf_adds(out, "<option value=\"");
	html_value(word, out);
	buf_addf(out, "\"%s>", is_chosen ? " selected" : "");
	text_xml(word, out);
	buf_adds(out, "</option>\n");
}

void choice_field(const struct strv *words, const char *name, const char *label, const char *chosen,
		  struct buf *out)
{
	size_t i;

	buf_addf(out, "<label>%s <select name=\"%s\">\n", label, name);
	if (chosen && !strv_has(words, chosen))
		add_option(chosen, true, out);
	for (i = 0; i < words->n; i++)
		add_option(words->v[i], chosen && !strcmp(words->v[i], chosen), out);
	buf_adds(out, "</select></label>\n");
}
