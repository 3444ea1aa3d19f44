/*
 * config - what the user configured: built in < .pawlconfig < git config < PAWL_* < options.
 *
 * The committed file never decides where data goes: server, insecureHttp, token and hook
 * policy found in it are ignored with a warning.  A token counts in PAWL_TOKEN alone.
 * pawl.hook.* counts in git's configuration alone.
 */
#ifndef PAWL_CONFIG_CONFIG_H
#define PAWL_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/base/talk.h"
#include "lib/git/repo.h"

/* The ones behind FORMAT_COMMAND are other harnesses', named as in lib/foreign. */
enum bench_format {
	FORMAT_PAWL,
	FORMAT_COMMAND,
	FORMAT_GOOGLE,
	FORMAT_GO,
	FORMAT_HYPERFINE,
	FORMAT_CRITERION,
	FORMAT_CATCH2,
	FORMAT_NANOBENCH,
	FORMAT_JUNIT,
	FORMAT_PERF,
	FORMAT_CALLGRIND,
	FORMAT_BMF,
	FORMAT_LNT,
	FORMAT_N
};

/* Resource limits of one process run; 0: none.  See setrlimit(2). */
struct bench_limits {
	uint64_t memory_bytes; /* address space */
	uint64_t file_bytes;   /* largest file it may write */
	uint64_t cpu_ns;       /* CPU time, whole seconds */
	uint64_t open_files;
	uint64_t processes; /* of the user, all together */
};

/* One [benchmark "NAME"] section; what it does not say comes from [pawl]. */
struct bench_config {
	char *name;
	struct strv command; /* argv, split without a shell */
	struct strv given;   /* as written, where a path in it was made relative; else empty */
	enum bench_format format;
	bool format_given;	 /* else the collector asks the executable */
	bool format_assumed;	 /* given by nobody who knows the program: it is a command line's */
	uint64_t timeout_ns;	 /* one process run; 0: 10 x the median, at least 60 s */
	double threshold;	 /* ratio */
	bool threshold_given;	 /* of its own: else it follows [pawl] */
	char *metric;		 /* gated metric; NULL: chosen by the data */
	bool better_given;	 /* else who counts it tells which way of it is better */
	bool more_is_better;	 /* of metric, where it was given */
	bool cache;		 /* may its executable be kept and rerun later */
	bool in_turn;		 /* both sides of a pair never run at once */
	struct strv inputs;	 /* declared input files, relative to the top */
	char *prepare, *cleanup; /* lines for sh -c, before and after each run; in no figure */
	char *input;		 /* file that is its standard input; NULL: /dev/null */
	char *shell;		 /* words that run it as one line; NULL: none */
	char *line;		 /* the command as one line, where it was one */
	unsigned warmup;	 /* pairs that are run before all others, and dropped */
	bool any_status;	 /* a run may exit with any status, which is recorded */
	bool split_cpu;		 /* how much of the CPU time was the system's is recorded too */
	char *output;		 /* file that another harness writes; NULL: its stdout */
	struct bench_limits limits;
	char *where;  /* "'.pawlconfig' line 12", to start a message with */
	char *origin; /* "/repo/.pawlconfig:12" or "git config (local)" */
};

/* [pawl "hook"]: what the git hook does; everybody's own affair. */
struct hook_config {
	bool enabled;	     /* true */
	bool block;	     /* false: a regression is told, and the push goes on */
	uint64_t budget_ns;  /* 60 s of wall time, building included */
	struct strv ignored; /* patterns of paths that cannot reach a build; see hooks/ */
};

#define CONFIG_LAYOUTS_AUTO (-1)
#define CONFIG_LAYOUTS_OFF 0
#define CONFIG_LAYOUTS_MOST 32

#define CONFIG_SUBMODULES_MOVED (-1) /* where a commit moves one */
#define CONFIG_SUBMODULES_NEVER 0
#define CONFIG_SUBMODULES_ALWAYS 1

struct config {
	char *project;		   /* NULL: take repo_project_name() */
	char *build;		   /* command line given to sh -c, or NULL */
	uint64_t build_timeout_ns; /* 30 minutes */
	int runs_min, runs_max;	   /* 12, 400 */
	bool runs_given;	   /* else long runs end sooner (schedule.h) */
	double threshold;	   /* 0.01 */
	double creep;		   /* allowed since the last tag, ratio; 0: the threshold */
	double confidence;	   /* 0.95 */
	uint64_t min_time_ns;	   /* 250 ms */
	bool min_time_given;	   /* else the runs of a comparison are shorter */
	int layouts;		   /* of each side, at most; CONFIG_LAYOUTS_ */
	int submodules;		   /* whether builds get them; CONFIG_SUBMODULES_ */
	uint64_t cache_bytes;	   /* 1 GiB */
	struct strv sources; /* paths that reach the build, relative to the top; may be none */
	struct strv env;     /* names of variables that builds and benchmarks get, too */
	bool seed_given;
	uint64_t seed;
	char *server;	    /* URL or NULL: nothing is posted */
	char *token;	    /* PAWL_TOKEN, or NULL: the poster asks git's credential helpers */
	bool insecure_http; /* http to something else than loopback is allowed */
	bool require_push;
	struct hook_config hook;
	struct bench_config *benchmarks;
	size_t n_benchmarks;
};

/* Built-in values. */
void config_init(struct config *c);
void config_release(struct config *c);

/*
 * Reads the layers below the options for the repository (NULL: only git's global ones
 * and the environment).  *out is initialised here, released on failure.  Sections of one
 * benchmark merge as git's do, over all layers; a missing .pawlconfig means no benchmarks.
 *
 * Errors: ERR_CONFIG, with file, line and cure, for bad syntax, an unknown section or key
 *         (with the nearest known one), a bad value, a benchmark without a command;
 *         ERR_GIT; ERR_IO; ERR_NOMEM.
 */
int config_load(struct repo *repo, const struct talk *talk, struct config *out, struct err *err);

/* The same with .pawlconfig as that commit has it, whatever lies in the work tree. */
int config_load_committed(struct repo *repo, const char *commit, const struct talk *talk,
			  struct config *out, struct err *err);

/* Without .pawlconfig and benchmarks: git's configuration, and the environment. */
int config_load_git(struct repo *repo, const struct talk *talk, struct config *out,
		    struct err *err);

/*
 * Sets one [pawl] value as if written in the configuration; origin ("--runs") is for
 * messages.  A benchmark with a threshold of its own keeps it.
 * Errors: ERR_CONFIG, also for "token", which an option must not carry; ERR_NOMEM.
 */
int config_set(struct config *c, const char *key, const char *value, const char *origin,
	       struct err *err);

/*
 * Replaces all benchmarks by one that runs argv; its name is the last part of argv[0], odd
 * bytes written as %XX.  Errors: ERR_USAGE when argv[0] is empty; ERR_NOMEM.
 */
int config_set_command(struct config *c, char *const *argv, struct err *err);

/*
 * Lets that metric decide about every benchmark, whatever is configured.  What is better of it is
 * what its counter says.  Errors: ERR_USAGE for what cannot be the name of one; ERR_NOMEM.
 */
int config_set_metric(struct config *c, const char *metric, struct err *err);

/*
 * Sets a key of every benchmark as if it was written in each section; origin ("--prepare") is for
 * messages.  Errors: ERR_CONFIG, ERR_NOMEM.
 */
int config_set_all(struct config *c, const char *key, const char *value, const char *origin,
		   struct err *err);

/* The configured benchmark that a mistyped name was meant to be, or NULL. */
const char *config_nearest(const struct config *c, const char *name);

/* Whether the path cannot reach a build: it matches a pattern, or lies in a folder so named. */
bool hook_ignores(const struct hook_config *hook, const char *path);

const char *bench_format_name(enum bench_format format);
/* FORMAT_N when no format is called so. */
enum bench_format bench_format_parse(const char *name);
/* Whether another harness measures, and pawl reads what it says. */
bool bench_format_is_foreign(enum bench_format format);

#endif
