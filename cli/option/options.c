#include "cli/option/options.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/option/hint.h"
#include "cli/option/apply.h"
#include "cli/option/values.h"
#include "lib/base/buf.h"
#include "reporter/render/render.h"

#include "lib/base/banned.h"

static const struct option_row rows[] = {
	{ "again", 0, NULL, "also what the server refused" },
	{ "all", 0, NULL, "also what was stored and never queued" },
	{ "author", 0, "NAME", "the account of the token; looked up if left out" },
	{ "base-bin", 0, "FILE", "the base is this program; needs --head-bin" },
	{ "base-build", 0, "CMD", "build the base with this" },
	{ "base-cmd", 0, "CMD", "the base is this command; needs --head-cmd" },
	{ "base-env", 0, "VAR=TEXT", "set this for the base's build and runs; repeatable" },
	{ "because", 0, "TEXT", "why the change is accepted" },
	{ "benchmark", 'b', "NAME", "only this one, or all below this name" },
	{ "bisect", 0, NULL, "exit 0, 1 or 125 for 'git bisect run'" },
	{ "branch", 0, "NAME", "follow this branch; the default is HEAD" },
	{ "budget", 0, "TIME", "stop measuring after this long, e.g. 60s" },
	{ "build", 0, "COMMAND", "build with this before measuring" },
	{ "built", 0, NULL, "all was built just now: build nothing" },
	{ "change", 0, "SHARE", "how much worse is accepted, e.g. +6%, or any" },
	{ "cleanup", 0, "CMD", "run this after each run, even a stopped one" },
	{ "color", 0, "WHEN", "auto, always or never" },
	{ "commit", 0, "REV", "the commit of the results; the default is HEAD" },
	{ "committed", 0, NULL, "use the head's own .pawlconfig and .pawlaccepted" },
	{ "confidence", 0, "SHARE", "confidence of the intervals, e.g. 0.95" },
	{ "constraint", 0, "TEXT", "with --slurm: which nodes, e.g. zen3" },
	{ "dry-run", 0, NULL, "print what would be done and do nothing" },
	{ "expires", 0, "TIME", "how long the token is valid: 365d (default), never" },
	{ "explain", 0, NULL, "list the changed functions each benchmark executes" },
	{ "explain-build", 0, NULL, "say why each commit is built, or is not" },
	{ "file", 0, "FILE", "post this document instead of the queue" },
	{ "files", 0, "DIR", "write each result to a file there, for --join" },
	{ "format", 0, "NAME", "text, json, ...; all in 'pawl report --help'" },
	{ "head-bin", 0, "FILE", "the head is this program; its arguments go after --" },
	{ "head-build", 0, "CMD", "build the head with this, of the same commit" },
	{ "head-cmd", 0, "CMD", "the head is this command; needs no repository" },
	{ "head-env", 0, "VAR=TEXT", "set this for the head's build and runs; repeatable" },
	{ "help", 'h', NULL, "show this help" },
	{ "html", 0, "FILE", "write an HTML page" },
	{ "join", 0, NULL, "store the results found in --files" },
	{ "json", 0, NULL, "print the summary document and nothing else" },
	{ "label", 0, "TEXT", "what the token is for" },
	{ "last", 0, NULL, "show the last comparison again" },
	{ "layouts", 0, "N", "at most N layouts of each side, or off" },
	{ "limit", 0, "N", "at most this many commits" },
	{ "link", 0, "URL", "link the comment to all reports of the run" },
	{ "list", 0, NULL, "show what there is and change nothing" },
	{ "machine", 0, "ID", "results of this machine; the default is this one" },
	{ "matrix", 0, "WORDS", "VAR=A,B: compare all combinations; repeatable" },
	{ "measure-identical", 0, NULL, "also measure benchmarks whose code is the same" },
	{ "metric", 0, "NAME", "which metric; the default is the one that decides" },
	{ "min-time", 0, "TIME", "how long a run lasts, e.g. 250ms" },
	{ "no-build", 0, NULL, "do not run the configured build" },
	{ "no-push", 0, NULL, "store, but post nothing" },
	{ "number", 0, "N", "pull request number; found by commit if left out" },
	{ "output", 'o', "FILE", "write there instead of to stdout" },
	{ "pairs", 0, "N", "exactly this many pairs, one decision" },
	{ "part", 0, "COMMITS", "measure these neighbours, as --matrix has them" },
	{ "picture", 0, "WHAT", "auto: where files can be uploaded; none; or a URL" },
	{ "plot", 0, NULL, "show both samples as cumulative distributions" },
	{ "points", 0, "N", "at most this many commits, evenly spread" },
	{ "porcelain", 0, NULL, "print stable lines for scripts and nothing else" },
	{ "post-commit", 0, NULL, "also measure each commit, in the background" },
	{ "prepare", 0, "CMD", "run this before each run, unmeasured" },
	{ "project", 0, "NAME", "the project's name" },
	{ "quick", 0, NULL, "shorter runs and fewer of them" },
	{ "quiet", 'q', NULL, "only warnings and errors on stderr" },
	{ "rebuild", 0, NULL, "build both again, even if they are built already" },
	{ "repair", 0, NULL, "salvage every intact result" },
	{ "repository", 0, "NAME", "OWNER/NAME; the default is that of the CI" },
	{ "require-push", 0, NULL, "exit 6 when the results were not delivered" },
	{ "reset", 0, NULL, "forget what was found so far" },
	{ "reuse", 0, NULL, "reuse an earlier result of the same comparison" },
	{ "runs", 0, "N..M", "fewest and most runs of each side" },
	{ "sbatch", 0, "WORDS", "with --slurm: more options for sbatch" },
	{ "scope", 0, "WORDS", "write, read, admin, separated by commas" },
	{ "seed", 0, "N", "seed of the random order; the default is a new one" },
	{ "server", 0, "URL", "the results server" },
	{ "shard", 0, "PART/PARTS", "measure this part only, e.g. 2/4" },
	{ "shard-group", 0, "TEXT", "what the jobs of one run share, e.g. its number" },
	{ "shell", 0, "NAME", "run both command lines by this shell, e.g. sh" },
	{ "slurm", 0, "N", "measure the range as N Slurm jobs" },
	{ "since-tag", 0, NULL, "also compare HEAD with the last tag" },
	{ "status", 0, NULL, "also set a status on the commit" },
	{ "stdin", 0, "FILE", "what each run reads from standard input" },
	{ "steps", 0, NULL, "find every commit that moved it, one by one" },
	{ "store", 0, "WHERE", "the server's database, sqlite:PATH" },
	{ "strict", 0, NULL, "exit 3 when a benchmark is inconclusive" },
	{ "submodules", 0, NULL, "also check out submodules, from local clones" },
	{ "svg", 0, "FILE", "draw the distributions of one benchmark" },
	{ "tags", 0, NULL, "only tagged commits and both ends" },
	{ "threshold", 0, "SHARE", "smallest change that counts, e.g. 2%" },
	{ "times", 0, "N", "how many comparisons of each benchmark with itself" },
	{ "token-file", 0, "FILE", "read the token from the first line of this file" },
	{ "to", 0, "URL", "post there; the path may be left out" },
	{ "untrusted", 0, NULL, "keep what it posts apart, never as a baseline" },
	{ "url", 0, "URL", "where the server is; the default is that of the CI" },
	{ "verbose", 'v', NULL, "more about every benchmark" },
	{ "wait", 0, "TIME", "keep trying this long" },
	{ "warmup", 0, "N", "first run N pairs that do not count" },
	{ "work", 0, NULL, "also count instructions, by valgrind if need be" },
	{ "working-tree", 0, NULL, "compare the uncommitted work with HEAD" },
	{ "write", 0, "FORMAT=FILE", "also write this report; repeatable" },
};

/* Options that may be given more than once, and in which commands: these know all the values. */
static const struct {
	const char *option, *commands;
} lists[] = {
	{ "base-env", "compare" },
	{ "benchmark", "backfill calibrate compare" },
	{ "head-env", "compare" },
	{ "matrix", "compare" },
	{ "write", "collect compare report" },
};

/* By its long name, or NULL. */
static const struct option_row *find_row(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

void options_release(struct options *o)
{
	strv_release(&o->settings);
	strv_release(&o->benchmarks);
	strv_release(&o->files);
	strv_release(&o->base.env);
	strv_release(&o->head.env);
	strv_release(&o->matrix);
	strv_release(&o->args);
	strv_release(&o->command);
	memset(o, 0, sizeof(*o));
}

bool option_is_among(const char *words, const char *word)
{
	size_t n = strlen(word);
	const char *p = words;

	while ((p = strstr(p, word))) {
		if ((p == words || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
			return true;
		p += n;
	}
	return false;
}

/* Whether the command offers the option. */
static bool offers(const struct command *c, const char *name)
{
	return !strcmp(name, "help") || option_is_among(c->options, name);
}

static int unknown(const struct command *c, const char *word, struct err *err)
{
	const char *known[sizeof(rows) / sizeof(rows[0]) + 1];
	const char *name = word + strspn(word, "-");
	char text[64], see[128];
	size_t i, n = 0;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (offers(c, rows[i].name))
			known[n++] = rows[i].name;
	known[n] = NULL;
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(name, "="), name);
	err_set(err, ERR_USAGE, "'pawl %s' has no option '%s'", c->name, word);
	if (offers(c, "format") && render_format_find(text))
		return err_hint(err, "write --format %s, with --output FILE into a file", text);
	snprintf(see, sizeof(see), "see 'pawl %s --help'%s", c->name,
		 strstr(c->usage, "[BENCHMARK") ? "; a benchmark whose name begins with '-' is "
						  "given after '--'"
						: "");
	return hint_nearest_of(err, text, known, "--", see);
}

static const struct option_row *row_of_letter(const struct command *c, char letter)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].letter == letter && offers(c, rows[i].name))
			return &rows[i];
	return NULL;
}

static bool is_list(const struct command *c, const struct option_row *row)
{
	size_t i;

	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (!strcmp(lists[i].option, row->name))
			return option_is_among(lists[i].commands, c->name);
	return false;
}

/* One of two values would be dropped without a word; two words that say the same are none. */
static int refuse_again(const struct command *c, const struct option_row *row, bool *given,
			struct err *err)
{
	bool *is_given = &given[row - rows];

	if (!row->argument || !*is_given || is_list(c, row)) {
		*is_given = true;
		return 0;
	}
	err_set(err, ERR_USAGE, "option '--%s' is given twice", row->name);
	return err_hint(err, "'pawl %s' takes one %s; leave the other out", c->name, row->argument);
}

/* "--name", "--name=value", "--name value", "-n", "-n value", "-qv". */
static int parse_option(const struct command *c, char **argv, int argc, int *at, bool *given,
			struct options *out, struct err *err)
{
	const char *word = argv[*at], *value = NULL;
	const struct option_row *row = NULL;
	char name[64];
	size_t n;

	if (word[1] != '-') {
		for (word++; *word; word++) {
			row = row_of_letter(c, *word);
			if (!row)
				return unknown(c, argv[*at], err);
			if (row->argument) {
				value = word[1] ? word + 1 : *at + 1 < argc ? argv[++*at] : NULL;
				break;
			}
			if (option_apply(out, row, NULL, err))
				return -1;
		}
		if (!*word)
			return 0;
	} else {
		n = strcspn(word + 2, "=");
		if (n >= sizeof(name))
			return unknown(c, word, err);
		memcpy(name, word + 2, n);
		name[n] = '\0';
		row = find_row(name);
		if (!row || !offers(c, name))
			return unknown(c, word, err);
		if (word[2 + n] == '=')
			value = word + 3 + n;
		if (value && !row->argument)
			return err_set(err, ERR_USAGE, "option '--%s' takes no value", name);
		if (!value && row->argument && *at + 1 < argc)
			value = argv[++*at];
	}
	if (!row)
		return unknown(c, word, err);
	if (row->argument && !value)
		return err_set(err, ERR_USAGE, "option '--%s' needs a value: %s", row->name,
			       row->argument);
	return refuse_again(c, row, given, err) || option_apply(out, row, value, err) ? -1 : 0;
}

/* The rows of a command that has its own, or NULL. */
static const struct option_row *own_rows(const struct command *c)
{
	const struct option_own *own;

	for (own = option_owns; own->command; own++)
		if (!strcmp(own->command, c->name))
			return own->rows;
	return NULL;
}

/* Such a command parses its words itself; help is ours. */
static int take_words(int argc, char **argv, struct options *out, struct err *err)
{
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		out->help = out->help || !strcmp(argv[i], "--help") || !strcmp(argv[i], "-h");
	return argc > 1 ? strv_add_all(&out->args, argv + 1, err) : 0;
}

/* Behind 'hook run EVENT' stand git's own words: the URL of a remote may look like an option. */
static bool are_verbatim(const struct command *c, const struct strv *args)
{
	return args->n >= 2 && !strcmp(c->name, "hook") && !strcmp(args->v[0], "run");
}

static int parse_words(const struct command *c, int argc, char **argv, struct options *out,
		       struct err *err)
{
	bool given[sizeof(rows) / sizeof(rows[0])] = { false };
	int i;

	for (i = 1; i < argc; i++) {
		if (are_verbatim(c, &out->args))
			return strv_add_all(&out->args, argv + i, err);
		if (!strcmp(argv[i], "--")) {
			/* Words that begin with '-', such as a benchmark's name. */
			if (!c->takes_command)
				return strv_add_all(&out->args, argv + i + 1, err);
			if (i + 1 >= argc)
				return err_set(err, ERR_USAGE, "no command after '--'");
			return strv_add_all(&out->command, argv + i + 1, err);
		}
		if (argv[i][0] == '-' && argv[i][1]) {
			if (parse_option(c, argv, argc, &i, given, out, err))
				return -1;
		} else if (strv_add(&out->args, argv[i], err)) {
			return -1;
		}
	}
	return 0;
}

int options_budget(const struct options *o, uint64_t *out_ns, struct err *err)
{
	return option_time("--budget", o->budget, 1, out_ns, err);
}

int options_wait(const struct options *o, uint64_t *out_ns, struct err *err)
{
	if (option_time("--wait", o->wait, 0, out_ns, err))
		return -1;
	*out_ns += o->wait && !*out_ns;
	return 0;
}

int options_parse(const struct command *c, int argc, char **argv, struct options *out,
		  struct err *err)
{
	memset(out, 0, sizeof(*out));
	if (own_rows(c))
		return take_words(argc, argv, out, err);
	if (parse_words(c, argc, argv, out, err))
		return -1;
	if (out->porcelain && ((out->format && strcmp(out->format, "porcelain")) || out->json)) {
		err_set(err, ERR_USAGE, "--porcelain and %s%s exclude each other",
			out->json ? "--json" : "--format ", out->json ? "" : out->format);
		return err_hint(err, "leave one of them out");
	}
	if (out->porcelain)
		out->format = "porcelain";
	if (format_check(c->name, out->format, err))
		return -1;
	if (out->json && out->format && strcmp(out->format, "json") != 0 &&
	    strcmp(c->name, "import") != 0) { /* there it is the input's */
		err_set(err, ERR_USAGE, "--json and --format %s exclude each other", out->format);
		return err_hint(err, "leave one of them out");
	}
	return 0;
}

const char *option_help_of(const struct command *c, const struct option_row *row)
{
	const struct option_help *h;

	for (h = option_helps; h->command; h++)
		if (!strcmp(h->command, c->name) && !strcmp(h->option, row->name))
			return h->help;
	return row->help;
}

const struct option_row *option_next(const struct command *c, const struct option_row *after)
{
	const struct option_row *own = own_rows(c), *row = after ? after + 1 : rows;

	if (own) {
		row = after ? after + 1 : own;
		return row->name ? row : NULL;
	}
	while (row < rows + sizeof(rows) / sizeof(rows[0]) && !offers(c, row->name))
		row++;
	return row < rows + sizeof(rows) / sizeof(rows[0]) ? row : NULL;
}

const char *options_setting(const struct options *o, const char *key)
{
	const char *value = NULL;
	size_t i;

	for (i = 0; i + 1 < o->settings.n; i += 2)
		if (!strcmp(o->settings.v[i], key))
			value = o->settings.v[i + 1];
	return value;
}
