#include "cli/accept/name.h"

#include <stdio.h>
#include <string.h>

#include "cli/kept/kept.h"
#include "cli/known.h"
#include "collector/plan.h"
#include "lib/base/strv.h"
#include "lib/config/nearest.h"

#include "lib/base/banned.h"

static int add_names(const struct summary *s, struct strv *out, struct err *err)
{
	size_t i;

	for (i = 0; i < s->n_benchmarks; i++)
		if (!strv_has(out, s->benchmarks[i].name) &&
		    strv_add(out, s->benchmarks[i].name, err))
			return -1;
	return 0;
}

/* The newest comparison of a commit. */
static int kept_names(const struct context *c, const char *commit, struct strv *out,
		      struct err *err)
{
	struct err fault = ERR_INIT;
	struct summary s;
	int result;

	if (kept_find(c, NULL, commit, &s, &fault)) {
		if (fault.code == ERR_ABSENT)
			return 0;
		*err = fault;
		return -1;
	}
	result = add_names(&s, out, err);
	summary_release(&s);
	return result;
}

/* Appends the names of a commit's newest result, or NULL: the newest of all. */
static int stored_names(const struct context *c, const char *commit, struct strv *out,
			struct err *err)
{
	struct store *store = NULL;
	struct summary s;
	int result = 0;

	if (!c->store_path || store_open(c->store_path, STORE_READ, &store, NULL))
		return 0;
	if (!store_latest(store, c->project, commit, &s, NULL)) {
		result = add_names(&s, out, err);
		summary_release(&s);
	}
	store_close(store);
	return result;
}

/* "deflate" and "deflate/6" belong to [benchmark "deflate"], and so does "de*". */
static bool is_in_section(const char *section, const char *name)
{
	return plan_lies_in(name, section) || str_is_named(section, name);
}

/* Whether the name is of a section that has no result yet, whose benchmarks nobody knows. */
static bool is_configured(const struct config *config, const struct strv *stored, const char *name)
{
	size_t i, k;

	for (i = 0; i < config->n_benchmarks; i++) {
		const char *section = config->benchmarks[i].name;

		if (!is_in_section(section, name))
			continue;
		for (k = 0; k < stored->n && !plan_lies_in(stored->v[k], section); k++)
			;
		if (k == stored->n)
			return true;
	}
	return false;
}

/* As a word that a shell gives back; plain ones as they are, or always between quotes. */
static void add_quoted(const struct buf *text, bool always, struct buf *out)
{
	char *const name[] = { text->data, NULL };

	if (text->failed || !text->data)
		out->failed = true;
	else if (always && !strchr(text->data, '\''))
		buf_addf(out, "'%s'", text->data);
	else
		words_quote(name, out);
}

void accept_add_name(const char *benchmark, struct buf *out)
{
	struct buf pattern = BUF_INIT;

	str_add_pattern(benchmark, &pattern);
	add_quoted(&pattern, false, out);
	buf_release(&pattern);
}

/* A hint that names one benchmark, as it is typed: a '*' that ends its name is a part of it. */
static int hint_name(struct err *err, const char *benchmark, const char *section)
{
	struct buf word = BUF_INIT, all = BUF_INIT, text = BUF_INIT;
	int result;

	str_add_pattern(benchmark, &word);
	buf_addf(&all, "%s/*", section ? section : "");
	buf_adds(&text, "did you mean ");
	add_quoted(&word, true, &text);
	if (section) {
		buf_adds(&text, ", or ");
		add_quoted(&all, true, &text);
		buf_adds(&text, " for all of them");
	}
	buf_adds(&text, "?");
	result = buf_check(&text, err) ? -1 : err_hint(err, "%s", buf_str(&text));
	buf_release(&word);
	buf_release(&all);
	buf_release(&text);
	return result;
}

/* Of a section the benchmarks in it are meant; else the one that is written nearly so. */
static int refuse_name(const struct context *c, const struct strv *stored, const char *name,
		       struct err *err)
{
	char section[256];
	const char *meant;
	size_t i;

	err_set(err, ERR_USAGE, "no benchmark '%s' is configured or has a stored result", name);
	for (i = 0; i < stored->n; i++)
		if (plan_lies_in(stored->v[i], name))
			return hint_name(err, stored->v[i], name);
	meant = stored->n ? nearest(name, (const char *const *)stored->v, 2) : NULL;
	if (meant)
		return hint_name(err, meant, NULL);
	snprintf(section, sizeof(section), "%.*s", (int)strcspn(name, "/"), name);
	for (i = 0; i < stored->n; i++)
		if (plan_lies_in(stored->v[i], section))
			return hint_name(err, stored->v[i], NULL);
	return hint_benchmark(c, err, name,
			      "write it as 'pawl report' shows it; a '*' at its end matches any "
			      "end of a name");
}

/* A mistyped name would never accept anything, and nobody would notice. */
int accept_check_name(const struct context *c, const char *commit, const char *name,
		      struct err *err)
{
	struct strv stored = STRV_INIT;
	int result = -1;
	size_t i;

	if (stored_names(c, commit, &stored, err) || stored_names(c, NULL, &stored, err) ||
	    kept_names(c, commit, &stored, err))
		goto out;
	for (i = 0; i < stored.n && !str_is_named(stored.v[i], name); i++)
		;
	result = i < stored.n || is_configured(&c->config, &stored, name)
			 ? 0
			 : refuse_name(c, &stored, name, err);
out:
	strv_release(&stored);
	return result;
}
