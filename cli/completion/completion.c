#include "cli/completion/completion.h"

#include <string.h>

#include "cli/command.h"
#include "cli/completion/text.h"
#include "cli/option/values.h"

#include "lib/base/banned.h"

#define TABLE "#TABLE#\n"
#define ARGUMENTS_MOST 3 /* the words that are told apart; behind them it is as with the last */

/* 'it'\''s': quoted for a shell; fish takes the same. */
static void add_quoted(const char *text, struct buf *out)
{
	buf_addc(out, '\'');
	for (; *text; text++)
		if (*text == '\'')
			buf_adds(out, "'\\''");
		else
			buf_addc(out, *text);
	buf_addc(out, '\'');
}

static void add_words(const struct value *v, struct buf *out)
{
	struct buf words = BUF_INIT;

	value_add_words(v, &words);
	add_quoted(buf_str(&words), out);
	buf_release(&words);
}

/* ---- bash and zsh: functions over the same tables ------------------------------------------- */

/* A ':' separates a word from what it does. */
static void add_lines_of_options(const struct command *c, struct buf *out)
{
	const struct option_row *row;

	for (row = option_next(c, NULL); row; row = option_next(c, row)) {
		buf_addf(out, "--%s:%s\n", row->name, option_help_of(c, row));
		if (row->letter)
			buf_addf(out, "-%c:%s\n", row->letter, option_help_of(c, row));
	}
}

static void add_commands(struct buf *out)
{
	const struct command *c;
	struct buf lines = BUF_INIT;

	for (c = commands; c->name; c++)
		buf_addf(&lines, "%s:%s\n", c->name, c->summary);
	buf_adds(&lines, "help:Show what a command does, and its options.\n");
	buf_adds(out, "_pawl_commands=");
	add_quoted(buf_str(&lines), out);
	buf_adds(out, "\n\n# COMMAND: the lines of its options, in list\n_pawl_options()\n{\n"
		      "\tlist=\n\tcase $1 in\n");
	for (c = commands; c->name; c++) {
		buf_reset(&lines);
		add_lines_of_options(c, &lines);
		buf_addf(out, "\t%s) list=", c->name);
		add_quoted(buf_str(&lines), out);
		buf_adds(out, " ;;\n");
	}
	buf_adds(out, "\tesac\n}\n\n");
	buf_release(&lines);
}

/* "kind=... words='...'" */
static void add_value(const struct value *v, struct buf *out)
{
	buf_addf(out, "kind=%s", value_kind_name(v->kind));
	if (v->kind == VALUE_words) {
		buf_adds(out, " words=");
		add_words(v, out);
	}
	buf_adds(out, " ;;\n");
}

static void add_values(struct buf *out)
{
	const struct option_row *row;
	const struct command *c;

	buf_adds(out, "# COMMAND OPTION: what its value is, in kind and words; fails for one that "
		      "takes none\n_pawl_value()\n{\n\tkind= words=\n\tcase \"$1 $2\" in\n");
	for (c = commands; c->name; c++)
		for (row = option_next(c, NULL); row; row = option_next(c, row)) {
			const struct value v = value_of_option(c, row);

			if (v.kind == VALUE_none)
				continue;
			buf_addf(out, "\t'%s --%s'", c->name, row->name);
			if (row->letter)
				buf_addf(out, "|'%s -%c'", c->name, row->letter);
			buf_adds(out, ") ");
			add_value(&v, out);
		}
	buf_adds(out, "\t*) return 1 ;;\n\tesac\n}\n\n");
}

static void add_arguments(struct buf *out)
{
	const struct command *c;
	size_t n;

	buf_adds(out, "# COMMAND N: what its Nth argument is\n_pawl_argument()\n{\n"
		      "\tkind=none words=\n\tcase \"$1 $2\" in\n\t'help 1') kind=command ;;\n");
	for (c = commands; c->name; c++)
		for (n = 1; n <= ARGUMENTS_MOST; n++) {
			const struct value v = value_of_argument(c, n);

			if (v.kind == VALUE_none)
				continue;
			buf_addf(out, n < ARGUMENTS_MOST ? "\t'%s %zu') " : "\t'%s '*) ", c->name,
				 n);
			add_value(&v, out);
		}
	buf_adds(out, "\tesac\n}\n\n# COMMAND: whether a command line may stand behind \"--\"\n"
		      "_pawl_takes_command()\n{\n\tcase $1 in\n\t");
	for (n = 0, c = commands; c->name; c++)
		if (c->takes_command)
			buf_addf(out, "%s%s", n++ ? "|" : "", c->name);
	buf_adds(out, ") return 0 ;;\n\tesac\n\treturn 1\n}\n");
}

static void add_table(struct buf *out)
{
	add_commands(out);
	add_values(out);
	add_arguments(out);
}

/* ---- fish: one line for each word ----------------------------------------------------------- */

static void add_fish_value(const struct value *v, struct buf *out)
{
	if (v->kind == VALUE_file) {
		buf_adds(out, " -r -F");
		return;
	}
	if (v->kind == VALUE_none)
		return;
	buf_adds(out, " -x");
	if (v->kind == VALUE_words) {
		buf_adds(out, " -a ");
		add_words(v, out);
	} else if (v->kind != VALUE_text) {
		buf_addf(out, " -a '(__pawl_%ss)'", value_kind_name(v->kind));
	}
}

static void add_fish_options(const struct command *c, struct buf *out)
{
	const struct option_row *row;

	for (row = option_next(c, NULL); row; row = option_next(c, row)) {
		const struct value v = value_of_option(c, row);

		buf_addf(out, "complete -c $program -n '__pawl_in %s' -l %s", c->name, row->name);
		if (row->letter)
			buf_addf(out, " -s %c", row->letter);
		add_fish_value(&v, out);
		buf_adds(out, " -d ");
		add_quoted(option_help_of(c, row), out);
		buf_addc(out, '\n');
	}
}

static void add_fish_arguments(const struct command *c, struct buf *out)
{
	size_t n;

	for (n = 1; n <= ARGUMENTS_MOST; n++) {
		const struct value v = value_of_argument(c, n);

		if (v.kind == VALUE_none || v.kind == VALUE_text)
			continue;
		buf_addf(out, "complete -c $program -n '__pawl_argument %s", c->name);
		if (n < ARGUMENTS_MOST)
			buf_addf(out, " %zu", n);
		if (v.kind == VALUE_file)
			buf_adds(out, "' -F\n");
		if (v.kind == VALUE_words) {
			buf_adds(out, "' -f -a ");
			add_words(&v, out);
			buf_addc(out, '\n');
		} else if (v.kind != VALUE_file)
			buf_addf(out, "' -f -a '(__pawl_%ss)'\n", value_kind_name(v.kind));
	}
}

static void add_fish_table(struct buf *out)
{
	const struct option_row *row;
	const struct command *c;

	buf_adds(out, "function __pawl_takes_command\n\tcontains -- $argv[1]");
	for (c = commands; c->name; c++)
		if (c->takes_command)
			buf_addf(out, " %s", c->name);
	buf_adds(out, "\nend\n\n# \"COMMAND OPTION\"\nfunction __pawl_takes_value\n"
		      "\tcontains -- $argv[1]");
	for (c = commands; c->name; c++)
		for (row = option_next(c, NULL); row; row = option_next(c, row)) {
			if (!row->argument)
				continue;
			buf_addf(out, " '%s --%s'", c->name, row->name);
			if (row->letter)
				buf_addf(out, " '%s -%c'", c->name, row->letter);
		}
	buf_adds(out,
		 "\nend\n\nfor program in pawl git-pawl pawl-collector pawl-reporter\n"
		 "complete -c $program -f\n"
		 "complete -c $program -n __pawl_behind -a '(__pawl_command_line)'\n"
		 "complete -c $program -n __pawl_needs_command -l help -d 'show the commands'\n"
		 "complete -c $program -n __pawl_needs_command -l version\n");
	for (c = commands; c->name; c++) {
		buf_addf(out, "complete -c $program -n __pawl_needs_command -a %s -d ", c->name);
		add_quoted(c->summary, out);
		buf_addf(out, "\ncomplete -c $program -n '__pawl_argument help 1' -a %s\n",
			 c->name);
		add_fish_options(c, out);
		add_fish_arguments(c, out);
	}
	buf_adds(out, "complete -c $program -n __pawl_needs_command -a help\nend\n");
}

/* ---- the scripts
 * --------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	const char *const *lines; /* each ended by a line break; NULL behind the last */
	void (*add_table)(struct buf *out);
} shells[] = {
	{ "bash", text_bash, add_table },
	{ "zsh", text_zsh, add_table },
	{ "fish", text_fish, add_fish_table },
};

bool completion_script(const char *shell, struct buf *out)
{
	const char *const *line;
	size_t i;

	for (i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (strcmp(shells[i].name, shell))
			continue;
		for (line = shells[i].lines; *line; line++)
			if (strcmp(*line, TABLE))
				buf_adds(out, *line);
			else
				shells[i].add_table(out);
		return true;
	}
	return false;
}
