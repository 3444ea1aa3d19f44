/*
 * command - what every command shares: exit statuses, printing, the repository and its state.
 */
#ifndef PAWL_CLI_COMMAND_H
#define PAWL_CLI_COMMAND_H

#include <stdbool.h>

#include "cli/option/options.h"
#include "lib/base/err.h"
#include "lib/base/talk.h"
#include "lib/config/config.h"
#include "lib/git/repo.h"
#include "lib/record/calibration/calibrations.h"
#include "lib/record/summary.h"
#include "lib/store/local/store.h"
#include "reporter/render/render.h"

enum {
	EXIT_OK = 0,
	EXIT_REGRESSED = 1,
	EXIT_USAGE = 2,
	EXIT_INCONCLUSIVE = 3,
	EXIT_FAILED = 4,
	EXIT_ENVIRONMENT = 5,
	EXIT_UNDELIVERED = 6
};

/* The table of commands, ended by a NULL name. */
extern const struct command commands[];

/* Prints "pawl: error: ..." and the hint on stderr; returns the exit status for that fault. */
int complain(const struct err *err);

/* What a command works on: opened from the current folder and the options. */
struct context {
	struct repo *repo;
	struct config config;
	char *state_dir;  /* <common dir>/pawl, or where it could be had; NULL: nowhere */
	char *store_path; /* results.db in it; NULL without a state folder */
	char *project;
	struct calibrations known; /* calibration_open(); none before */
	const struct talk *talk;
	bool only_looks; /* makes no folder */
};

/* Errors: those of repo_open() and config_load(); ERR_USAGE for an option's value. */
int context_open(const struct options *o, struct context *out, struct err *err);
/*
 * The same where none is needed: outside of a repository, or in one that cannot be read, repo is
 * NULL and the state folder is one of the user's own.
 */
int context_open_anywhere(const struct options *o, struct context *out, struct err *err);
/* The same without .pawlconfig and benchmarks, for what is told later which commit's counts. */
int context_open_git(const struct options *o, struct context *out, struct err *err);
/* Removes the temporary files that a killed pawl left there days ago.  For those who measure. */
void context_sweep(const struct context *c);
/* The same as context_open() in silence and without making anything; -1 for whatever fault. */
int context_look(const struct options *o, struct context *out);
void context_close(struct context *c);

/*
 * What a command does that works on stored results: opens both, runs it, complains of what it
 * returns -1 for.  Returns the exit status.
 */
int run_with_store(const struct options *o, enum store_mode mode,
		   int (*run)(const struct options *o, const struct context *c, struct store *store,
			      struct err *err));

/* The talk of the command line: warnings, notes and a progress line on stderr. */
const struct talk *terminal_talk(const struct options *o);
/* Takes the progress line away, so that an answer can follow. */
void terminal_quiet(void);
/*
 * A line "label: text" on stderr, below whatever was shown.  What others wrote into text commands
 * neither the terminal nor the log of a CI (reporter/text/text.h).
 */
void terminal_line(const char *label, const char *text);

/* How to render on this terminal. */
struct render_options terminal_render_options(const struct options *o);

/*
 * Renders in the format of the options to stdout or --output, and what --svg and --write ask for.
 * c is where a page looks for history; NULL: it goes without.
 * Errors: ERR_USAGE, ERR_ABSENT, ERR_IO, ERR_FULL, ERR_NOMEM.
 */
int print_summary(const struct options *o, const struct context *c, const struct summary *s,
		  struct err *err);

/*
 * What would fail at the end is said before any measuring: an unknown format, a file that cannot be
 * written.  Errors: ERR_USAGE, ERR_NOMEM.
 */
int check_outputs(const struct options *o, struct err *err);

/* Of commands whose --benchmark only says what is drawn: ERR_USAGE where nothing is. */
int check_drawn(const struct options *o, const char *instead, struct err *err);

/* The worse of two verdicts' statuses: a failure, then a regression, then inconclusive. */
int worse_status(int a, int b);

/*
 * Writes an answer to stdout or to --output.  On stdout, which may be a job's log, a '#' after
 * another one gets a backslash where the format has not escaped it (lib/base/jsonw.h).
 */
int print_answer(const struct options *o, const struct buf *text, struct err *err);

/* The same for a shell to read: not a byte of it changes. */
int print_exactly(const struct options *o, const struct buf *text, struct err *err);

/*
 * Sends what is queued to the configured server; prints the outcome.  *out_left: entries that
 * were not delivered.  budget_ns: for all attempts; keep_trying: also when nobody answers.
 */
int send_queue(const struct context *c, struct store *store, uint64_t budget_ns, bool keep_trying,
	       size_t *out_left, struct err *err);

/*
 * pawl push --file: posts one document that came from elsewhere, checked against what the options
 * say it is.  Needs no repository and no store.  Returns the exit status.
 */
int push_file(const struct options *o);

/* pawl import --format pawl: stores documents of pawl as they are.  Errors: ERR_REFUSED for those
 * of another project; those of summary_decode() and store_add(). */
int import_own(const struct options *o, const struct context *c, struct store *store,
	       struct err *err);

int cmd_backfill(const struct options *o);
int cmd_collect(const struct options *o);
int cmd_completion(const struct options *o);
int cmd_calibrate(const struct options *o);
int cmd_compare(const struct options *o);
int cmd_report(const struct options *o);
int cmd_doctor(const struct options *o);
int cmd_hook(const struct options *o);
int cmd_export(const struct options *o);
int cmd_history(const struct options *o);
int cmd_hyperfine(const struct options *o);
int cmd_publish(const struct options *o);
int cmd_push(const struct options *o);
int cmd_fsck(const struct options *o);
int cmd_site(const struct options *o);
int cmd_token(const struct options *o);
int cmd_accept(const struct options *o);
int cmd_bisect(const struct options *o);
int cmd_init(const struct options *o);
int cmd_import(const struct options *o);
int cmd_why(const struct options *o);

#endif
