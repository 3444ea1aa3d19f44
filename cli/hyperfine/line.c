#include "cli/hyperfine/line.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/option/hint.h"
#include "cli/hyperfine/rows.h"

#include "lib/base/banned.h"

#define NAMES_MOST 64

void hyperfine_line_release(struct hyperfine_line *line)
{
	strv_release(&line->commands);
	strv_release(&line->names);
	strv_release(&line->prepare);
	strv_release(&line->conclude);
	strv_release(&line->lists);
	strv_release(&line->scan);
	memset(line, 0, sizeof(*line));
}

/* Where the values of each option go. */
enum slot_kind { SLOT_TEXT, SLOT_LIST, SLOT_FLAG };

static const struct slot {
	const char *name;
	enum slot_kind kind;
	size_t offset;
} slots[] = {
#define SLOT(name, kind, field) \
	{ \
		name, SLOT_##kind, offsetof(struct hyperfine_line, field) \
	}
	SLOT("warmup", TEXT, warmup),
	SLOT("min-runs", TEXT, min_runs),
	SLOT("max-runs", TEXT, max_runs),
	SLOT("runs", TEXT, runs),
	SLOT("setup", TEXT, setup),
	SLOT("prepare", LIST, prepare),
	SLOT("conclude", LIST, conclude),
	SLOT("cleanup", TEXT, cleanup),
	SLOT("parameter-scan", LIST, scan),
	SLOT("parameter-step-size", TEXT, step),
	SLOT("parameter-list", LIST, lists),
	SLOT("command-name", LIST, names),
	SLOT("reference", TEXT, reference),
	SLOT("shell", TEXT, shell),
	SLOT("no-shell", FLAG, no_shell),
	SLOT("ignore-failure", FLAG, ignore_failure),
	SLOT("input", TEXT, input),
	SLOT("output", TEXT, output),
	SLOT("style", TEXT, style),
	SLOT("time-unit", TEXT, unit),
	SLOT("export-json", TEXT, json),
	SLOT("export-csv", TEXT, csv),
	SLOT("export-markdown", TEXT, markdown),
	SLOT("export-asciidoc", TEXT, asciidoc),
	SLOT("export-orgmode", TEXT, orgmode),
	SLOT("export-pawl", TEXT, summary),
	SLOT("version", FLAG, version),
#undef SLOT
};

/* What is read, and how far. */
struct reader {
	const struct strv *words;
	size_t at;
	struct hyperfine_line *out;
};

static const struct slot *slot_of(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(slots) / sizeof(slots[0]); i++)
		if (!strcmp(slots[i].name, name))
			return &slots[i];
	return NULL;
}

static size_t count_words(const char *text)
{
	size_t n = text != NULL;

	for (; text && *text; text++)
		n += *text == ' ';
	return n;
}

static int set_text(struct reader *r, const struct option_row *row, const char **field,
		    const char *value, struct err *err)
{
	(void)r;
	if (*field) {
		err_set(err, ERR_USAGE, "option '--%s' is given twice", row->name);
		return err_hint(err, "leave one of them out");
	}
	*field = value;
	return 0;
}

/* inline_value: what stands behind '=', or behind the letter; or NULL. */
static int apply(struct reader *r, const struct option_row *row, const char *inline_value,
		 struct err *err)
{
	const struct slot *slot = slot_of(row->name);
	size_t wanted = count_words(row->argument), i;
	char *field;

	if (!slot)
		return err_set(err, ERR_USAGE, "'--%s' is given with other words", row->name);
	field = (char *)r->out + slot->offset;
	if (slot->kind == SLOT_FLAG)
		*(bool *)(void *)field = true;
	for (i = 0; i < wanted; i++) {
		const char *value = !i && inline_value	  ? inline_value
				    : r->at < r->words->n ? r->words->v[r->at++]
							  : NULL;

		if (!value)
			return err_set(err, ERR_USAGE, "option '--%s' needs a value: %s", row->name,
				       row->argument);
		if (slot->kind == SLOT_LIST
			    ? strv_add((struct strv *)(void *)field, value, err)
			    : set_text(r, row, (const char **)(void *)field, value, err))
			return -1;
	}
	return 0;
}

static int unknown(const char *word, struct err *err)
{
	const char *known[NAMES_MOST];
	const struct option_row *row;
	size_t n = 0;

	for (row = hyperfine_rows; row->name && n + 1 < NAMES_MOST; row++)
		known[n++] = row->name;
	known[n] = NULL;
	err_set(err, ERR_USAGE, "'pawl hyperfine' has no option '%s'", word);
	return hint_nearest_of(err, word + strspn(word, "-"), known, "--",
			       "see 'pawl hyperfine --help'; a command that begins with '-' goes "
			       "after '--'");
}

static int read_long(struct reader *r, const char *word, struct err *err)
{
	const struct option_row *row;
	const char *instead;
	char name[64];
	size_t n = strcspn(word + 2, "=");

	snprintf(name, sizeof(name), "%.*s", (int)(n < sizeof(name) ? n : sizeof(name) - 1),
		 word + 2);
	instead = hyperfine_instead(name);
	if (instead) {
		err_set(err, ERR_USAGE, "--%s of hyperfine is not offered", name);
		return err_hint(err, "%s", instead);
	}
	for (row = hyperfine_rows; row->name && strcmp(row->name, name) != 0; row++)
		;
	if (!row->name)
		return unknown(word, err);
	if (word[2 + n] && !row->argument)
		return err_set(err, ERR_USAGE, "option '--%s' takes no value", name);
	return apply(r, row, word[2 + n] ? word + 3 + n : NULL, err);
}

static int read_short(struct reader *r, const char *word, struct err *err)
{
	const struct option_row *row;
	const char *at;

	for (at = word + 1; *at; at++) {
		for (row = hyperfine_rows; row->name && row->letter != *at; row++)
			;
		if (!row->name)
			return unknown(word, err);
		if (row->argument) {
			at += at[1] == '=' ? 2 : 1;
			return apply(r, row, at[-1] == '=' || *at ? at : NULL, err);
		}
		if (apply(r, row, NULL, err))
			return -1;
	}
	return 0;
}

static int check_scan(const struct hyperfine_line *line, struct err *err)
{
	if (line->scan.n > 3)
		return err_set(err, ERR_USAGE, "option '--parameter-scan' is given twice");
	if (line->scan.n && line->lists.n) {
		err_set(err, ERR_USAGE, "--parameter-scan and --parameter-list exclude each other");
		return err_hint(err, "give all values as lists: -L N 1,2,3");
	}
	if (line->step && !line->scan.n)
		return err_set(err, ERR_USAGE, "--parameter-step-size needs --parameter-scan");
	return 0;
}

static int check(const struct hyperfine_line *line, struct err *err)
{
	if (!line->commands.n) {
		err_set(err, ERR_USAGE, "no command to measure");
		return err_hint(err, "for example: pawl hyperfine 'sleep 0.1' 'sleep 0.2'");
	}
	if (line->no_shell && line->shell)
		return err_set(err, ERR_USAGE, "-N and --shell exclude each other");
	if (line->runs && (line->min_runs || line->max_runs))
		return err_set(err, ERR_USAGE, "--runs and --m%s-runs exclude each other",
			       line->min_runs ? "in" : "ax");
	if (line->output && strcmp(line->output, "pipe") != 0) {
		err_set(err, ERR_USAGE, "--output %s of hyperfine is not offered", line->output);
		return err_hint(err, "pawl reads what a command prints, to see whether both "
				     "print the same; to write elsewhere: 'COMMAND >FILE'");
	}
	return check_scan(line, err);
}

int hyperfine_line_parse(const struct strv *words, struct hyperfine_line *out, struct err *err)
{
	struct reader r = { words, 0, out };

	memset(out, 0, sizeof(*out));
	while (r.at < words->n) {
		const char *word = words->v[r.at++];
		int result;

		if (!strcmp(word, "--")) {
			if (r.at < words->n && strv_add_all(&out->commands, words->v + r.at, err))
				return -1;
			break;
		}
		if (word[0] != '-' || !word[1])
			result = strv_add(&out->commands, word, err);
		else
			result = word[1] == '-' ? read_long(&r, word, err)
						: read_short(&r, word, err);
		if (result)
			return -1;
	}
	return out->version ? 0 : check(out, err);
}
