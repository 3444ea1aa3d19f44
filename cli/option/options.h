/*
 * options - the options of every command from one table: parsing, help, and completion.
 */
#ifndef PAWL_CLI_OPTION_OPTIONS_H
#define PAWL_CLI_OPTION_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/* What a side of a comparison is said to be. */
struct side_options {
	const char *command, *program, *build;
	struct strv env; /* NAME=VALUE */
};

/* What the command line said; every command uses the part it offers. */
struct options {
	bool help, json, quiet, verbose, strict, require_push, no_push, no_build, plot, repair;
	bool built;
	bool untrusted;
	bool quick, measure_identical, working_tree, submodules, work, bisect;
	bool since_tag, list, rebuild, reset, reuse, post_commit, porcelain, dry_run, steps,
		explain, explain_build, committed, again, all, last, tags, status, join;
	enum colour_when colour;
	const char *format, *output, *svg, *benchmark, *wait;
	const char *pairs, *budget, *because, *change, *times, *limit, *metric, *machine, *branch,
		*html;
	const char *commit, *shard, *shard_group, *file;
	const char *store, *project, *scope, *label, *expires, *to;
	const char *author, *link, *number, *picture, *repository, *token_file,
		*url;						    /* of publish */
	const char *part, *parts_dir, *slurm, *constraint, *sbatch; /* of backfill */
	const char *points, *shell, *prepare, *cleanup, *input, *warmup;
	struct side_options base, head;
	struct strv matrix;	/* each "NAME=VALUE,VALUE..." */
	struct strv benchmarks; /* of --benchmark; `benchmark` is the first of them */
	struct strv files;	/* of --write: FORMAT=FILE */
	struct strv settings;	/* pairs: configuration key, value */
	struct strv args;	/* what is not an option */
	struct strv command;	/* behind "--" */
};

/* One option: how it is written, what it takes, what it does. */
struct option_row {
	const char *name;     /* without the dashes */
	char letter;	      /* 0: none */
	const char *argument; /* what is shown for it; NULL: takes none */
	const char *help;
};

/* What an option does in one command, where that is not what its row says. */
struct option_help {
	const char *command, *option, *help;
};

/* Beside the table of commands; ended by a NULL command. */
extern const struct option_help option_helps[];

/* A command whose options are not those of the common table; it parses them itself. */
struct option_own {
	const char *command;
	const struct option_row *rows; /* ended by a NULL name */
};

/* Beside the table of commands; ended by a NULL command. */
extern const struct option_own option_owns[];

struct command {
	const char *name;
	const char *usage;   /* behind the name */
	const char *summary; /* one line */
	const char *details; /* below the options in --help; may be NULL */
	const char *options; /* the long names it offers, separated by blanks */
	const char *also;   /* of these those that --help names and does not explain; may be NULL */
	bool takes_command; /* words behind "--" are a command */
	int (*run)(const struct options *o); /* returns the exit status */
};

void options_release(struct options *o);

/*
 * Parses argv[1..argc).  An option with a value that is given again is a list in the commands that
 * know one, else an error: of two values one would be dropped.  One without a value may be
 * repeated.
 *
 * Of a command with options of its own all words are args, and only -h and --help are looked for.
 *
 * Errors: ERR_USAGE with the nearest option, a value that does not fit, one value too many, or
 *         options that contradict each other.  ERR_NOMEM.
 */
int options_parse(const struct command *c, int argc, char **argv, struct options *out,
		  struct err *err);

/* The time of --budget, which is greater than 0; *out_ns stays as it is without it.  Errors:
 * ERR_USAGE. */
int options_budget(const struct options *o, uint64_t *out_ns, struct err *err);

/* As options_budget(), of --wait; 0 s are one nanosecond, so that they differ from none given. */
int options_wait(const struct options *o, uint64_t *out_ns, struct err *err);

/* What an option set that configuration key to, the last time; NULL: none did. */
const char *options_setting(const struct options *o, const char *key);

/* The next option that the command offers, the first after NULL; NULL behind the last. */
const struct option_row *option_next(const struct command *c, const struct option_row *after);

/* What the option does in this command. */
const char *option_help_of(const struct command *c, const struct option_row *row);

/* Whether it is one of the words, which blanks separate. */
bool option_is_among(const char *words, const char *word);

/* The option that sets a configuration key, or NULL. */
const char *option_of_setting(const char *key);

/* The help text of a command. */
struct buf;
void options_help(const struct command *c, struct buf *out);

#endif
