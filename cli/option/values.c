#include "cli/option/values.h"

#include <string.h>

#include "cli/option/hint.h"
#include "lib/base/buf.h"
#include "lib/base/strv.h"
#include "lib/foreign/foreign.h"
#include "reporter/export/export.h"
#include "reporter/render/render.h"
#include "reporter/trend/render.h"
#include "reporter/why/why.h"

#include "lib/base/banned.h"

#define WORD(name, description) #name " "
#define KIND_NAME(name) #name,

static void add_export(struct buf *out)
{
	const struct export_format *format;
	size_t i;

	for (i = 0; (format = export_format_at(i)); i++)
		buf_addf(out, "%s ", format->name);
}

static void add_foreign(struct buf *out)
{
	size_t i;

	for (i = 0; i < foreign_n_formats; i++)
		buf_addf(out, "%s ", foreign_formats[i].name);
	buf_adds(out, "pawl "); /* documents of other jobs */
}

/* In one command (NULL: in any that has no row of its own) an option's value. */
static const struct {
	const char *command, *option;
	struct value value;
} options[] = {
	{ "history", "format", { VALUE_words, TREND_FORMATS(WORD), NULL } },
	{ "export", "format", { VALUE_words, NULL, add_export } },
	{ "import", "format", { VALUE_words, NULL, add_foreign } },
	{ "publish", "to", { VALUE_words, "github gitlab gitea", NULL } },
	{ "why", "format", { VALUE_words, WHY_FORMATS(WORD), NULL } },
	{ NULL, "format", { VALUE_words, RENDER_FORMATS(WORD), NULL } },
	{ NULL, "benchmark", { VALUE_benchmark, NULL, NULL } },
	{ NULL, "branch", { VALUE_revision, NULL, NULL } },
	{ NULL, "color", { VALUE_words, "auto always never", NULL } },
	{ NULL, "machine", { VALUE_machine, NULL, NULL } },
	{ NULL,
	  "metric",
	  { VALUE_words, "wall cpu instructions cycles peak-rss page-faults", NULL } },
	{ NULL, "scope", { VALUE_words, "write read admin write,read", NULL } },
};

/* The arguments; rest: every one from this on. */
static const struct {
	const char *command;
	size_t at;
	bool rest;
	struct value value;
} arguments[] = {
	{ "accept", 1, false, { VALUE_revision, NULL, NULL } },
	{ "backfill", 1, false, { VALUE_revision, NULL, NULL } },
	{ "bisect", 1, false, { VALUE_revision, NULL, NULL } },
	{ "bisect", 2, false, { VALUE_revision, NULL, NULL } },
	{ "compare", 1, false, { VALUE_revision, NULL, NULL } },
	{ "compare", 2, false, { VALUE_revision, NULL, NULL } },
	{ "completion", 1, false, { VALUE_words, "bash zsh fish benchmarks machines", NULL } },
	{ "export", 1, false, { VALUE_revision, NULL, NULL } },
	{ "history", 1, false, { VALUE_benchmark, NULL, NULL } },
	{ "history", 2, false, { VALUE_revision, NULL, NULL } },
	{ "hook", 1, false, { VALUE_words, "install uninstall status", NULL } },
	{ "import", 1, true, { VALUE_file, NULL, NULL } },
	{ "report", 1, false, { VALUE_revision, NULL, NULL } },
	{ "site", 1, false, { VALUE_file, NULL, NULL } },
	{ "site", 2, false, { VALUE_revision, NULL, NULL } },
	{ "token", 1, false, { VALUE_words, "add list revoke", NULL } },
	{ "token", 2, false, { VALUE_text, NULL, NULL } },
	{ "why", 1, false, { VALUE_revision, NULL, NULL } },
};

const char *value_kind_name(enum value_kind kind)
{
	static const char *const names[] = { VALUE_KINDS(KIND_NAME) };

	return names[kind];
}

void value_add_words(const struct value *value, struct buf *out)
{
	if (value->words)
		buf_adds(out, value->words);
	else if (value->add_words)
		value->add_words(out);
}

/* What the table says of the option of that name in the command, or NULL. */
static const struct value *known_value(const char *command, const char *option)
{
	size_t i;

	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (!strcmp(options[i].option, option) &&
		    (!options[i].command || !strcmp(options[i].command, command)))
			return &options[i].value;
	return NULL;
}

struct value value_of_option(const struct command *c, const struct option_row *row)
{
	const struct value *known = known_value(c->name, row->name);

	if (!row->argument)
		return (struct value){ VALUE_none, NULL, NULL };
	if (known)
		return *known;
	if (!strcmp(row->argument, "FILE"))
		return (struct value){ VALUE_file, NULL, NULL };
	if (!strcmp(row->argument, "REV"))
		return (struct value){ VALUE_revision, NULL, NULL };
	return (struct value){ VALUE_text, NULL, NULL };
}

struct value value_of_argument(const struct command *c, size_t n)
{
	size_t i;

	for (i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++)
		if (!strcmp(arguments[i].command, c->name) &&
		    (arguments[i].at == n || (arguments[i].rest && arguments[i].at < n)))
			return arguments[i].value;
	return (struct value){ VALUE_none, NULL, NULL };
}

int format_check(const char *command, const char *format, struct err *err)
{
	const struct value *known = known_value(command, "format");
	struct strv list = STRV_INIT;
	struct buf names = BUF_INIT, words = BUF_INIT;
	size_t i;
	int result = 0;

	if (!format || !known || known->kind != VALUE_words)
		return 0;
	value_add_words(known, &words);
	if (buf_check(&words, err) || words_split(buf_str(&words), &list, err)) {
		result = -1;
	} else if (!strv_has(&list, format)) {
		for (i = 0; i < list.n; i++)
			buf_addf(&names, "%s%s", i ? ", " : "the formats are: ", list.v[i]);
		err_set(err, ERR_USAGE, "unknown format '%s'", format);
		result = hint_nearest_of(err, format, (const char *const *)list.v, "",
					 buf_str(&names));
	}
	buf_release(&names);
	buf_release(&words);
	strv_release(&list);
	return result;
}
