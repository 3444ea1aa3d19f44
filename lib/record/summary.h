/*
 * summary - what one collected commit is: the commit, the machine, the samples, the deltas.
 *
 * One summary is one JSON document, docs/schema/summary-v1.json.  The structs own
 * everything they point to; a pointer that may be NULL says so.
 */
#ifndef PAWL_RECORD_SUMMARY_H
#define PAWL_RECORD_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/record/bench.h"
#include "lib/record/reader/arena.h"

#define SUMMARY_SCHEMA "pawl.summary/1"

/* Limits of one document; beyond them summary_decode() refuses with ERR_LIMIT. */
#define SUMMARY_MAX_BYTES (16u << 20) /* about 1,000 benchmarks with all their runs */
#define SUMMARY_MAX_DEPTH 16
/* Of the tree of one benchmark, or of all the rest, while it is read. */
#define SUMMARY_MAX_TREE (32u << 20)
#define SUMMARY_MAX_BENCHMARKS 10000
#define SUMMARY_MAX_METRICS 64	  /* per benchmark */
#define SUMMARY_MAX_SAMPLES 10000 /* per metric */
#define SUMMARY_MAX_FACTS 256	  /* of a machine, a benchmark or an imported file */
#define SUMMARY_MAX_IMPORTED 1024 /* files */
#define SUMMARY_MAX_SHARDS 1000
#define SUMMARY_MAX_ACCEPTED 1000
#define SUMMARY_MAX_NAME 255	 /* bytes of a benchmark's, metric's or project's name */
#define SUMMARY_MAX_DETAIL 16384 /* bytes of a command line, or of why something failed */
#define SUMMARY_MAX_CHANGED 100	 /* names of functions that changed */
#define SUMMARY_MAX_TEXT 4096	 /* bytes of any other string */

struct commit_tag {
	char *id;	     /* hex, 40 or 64 digits; NULL for an unborn HEAD */
	struct strv parents; /* hex; empty for a root commit */
	char *tree;	     /* hex; for a dirty tree the id of HEAD's tree */
	char *branch;	     /* NULL when HEAD is detached */
	char *subject;	     /* first line of the message */
	int64_t author_time_us, commit_time_us;
	bool dirty;	/* uncommitted changes: never a baseline */
	bool truncated; /* shallow history: the parents are not here */
};

struct machine {
	char *id; /* 16 hex digits over facts that do not drift */
	char *cpu;
	int cores; /* online */
	char *os, *kernel;
	char *governor;	   /* "unknown" where the system does not tell */
	struct facts more; /* smt, turbo, hypervisor, microcode, clocksource, ... */
};

/* What surrounded the measuring; an unknown number is NaN and written as null. */
struct environment {
	double load;	      /* 1-minute load average at the start */
	double pressure;      /* cpu "some" avg10, percent */
	double steal;	      /* share of the time that the hypervisor took, 0..1 */
	struct strv warnings; /* each one line; what to do about it behind ": " */
};

/*
 * The part of a suite that this result is, where several jobs measured one each.  Parts of one
 * commit, group, count and split belong together; every index once is the whole suite.
 */
struct shard {
	int index, count; /* 1..count; count 0: it is no part */
	int n_all;	  /* benchmarks of the whole suite, as this job saw it */
	char *group;	  /* what the jobs of one run have in common; NULL: the commit alone */
	char *split;	  /* 16 hex digits over who measures what; NULL: by the names alone */
};

struct settings {
	int runs_min, runs_max; /* per side */
	uint64_t min_time_ns;
	char *clock;
	double confidence; /* 0..1 */
	double threshold;  /* ratio, 0.01 = 1 % */
	char *order;	   /* "interleaved" or "alone" */
	uint64_t seed;
	bool partial;		 /* one command of the user, not everything that is configured */
	uint64_t budget_ns;	 /* all measuring had to end by then; 0: no limit */
	bool measured_identical; /* an A/A comparison: the same code was measured on purpose */
	struct shard shard;
	char *build_key;   /* 16 hex digits over what the user says of how commits are built; NULL:
			      it is not known */
	bool lacks_parts;  /* built without submodules or files of LFS, which were not here */
	struct strv asked; /* the benchmarks, or sections, that it was cut to; empty: all, or it is
			      not known */
};

/* Where the baseline samples come from. */
struct baseline {
	char *commit; /* NULL: there is none */
	char *how;    /* "rerun", "rebuilt", "stored", "identical"; NULL without a commit */
	char *why;    /* why not better than that, or why there is none; may be NULL */
};

/* What the sides of a comparison are, where two commits do not say it: both or none. */
struct sides {
	char *base, *head; /* "gcc -O2", "LD_PRELOAD=libx.so build/bench" */
};

/* The commits of a comparison that do not build, so that nothing of it was run; NULL: it does. */
struct unbuilt {
	char *base, *head; /* hex */
};

/* A change that the commit accepts, whoever measured it. */
struct accepted_item {
	char *commit;	 /* hex */
	char *benchmark; /* its name, or the begin of names and a '*' */
	char *because;	 /* may be NULL */
	double change;	 /* 0.061: up to 6.1 % worse; INFINITY: of any size */
};

/* A file of another program's results that this summary was made of. */
struct imported_file {
	char *name;   /* as it was given; "-" for stdin */
	char *format; /* "google" ... */
	char *sha256; /* 64 hex digits over its bytes */
	struct facts facts;
};

struct imported {
	struct imported_file *v;
	size_t n; /* 0: pawl measured by itself */
};

struct summary {
	char *id; /* ULID */
	char *project;
	struct commit_tag commit;
	struct machine machine;
	struct environment environment;
	struct settings settings;
	struct baseline baseline;
	struct sides sides;
	struct imported imported;
	struct accepted_item *accepted; /* the later one counts */
	size_t n_accepted;
	struct unbuilt unbuilt;
	struct bench *benchmarks;
	size_t n_benchmarks;
	struct arena kept; /* read in brief: what its metrics point to lies here */
	int64_t started_us, finished_us;
	char *pawl; /* version that wrote it */
};

/* An empty summary; every number that is not known yet is NaN or 0. */
void summary_init(struct summary *s);
void summary_release(struct summary *s);

/* Append an empty element and return it (the array may move), or NULL with ERR_NOMEM. */
struct bench *summary_add_bench(struct summary *s, const char *name, struct err *err);
struct imported_file *summary_add_imported(struct summary *s, const char *name, struct err *err);
int summary_add_accepted(struct summary *s, const char *commit, const char *benchmark,
			 const char *because, double change, struct err *err); /* copies */
void summary_drop_accepted(struct summary *s);

/* Takes over *b as one more; it is left empty.  Errors: ERR_NOMEM, ERR_LIMIT. */
int summary_take_bench(struct summary *s, struct bench *b, struct err *err);

/* Takes over *b in the place of that of its name, which must be there; *b is left empty. */
void summary_replace(struct summary *s, struct bench *b);

/* Whether both sides of all of its benchmarks are the same; of none too. */
bool summary_is_identical(const struct summary *s);
/* NULL when there is none. */
struct bench *summary_find(const struct summary *s, const char *name);
double summary_threshold(const struct summary *s, const struct bench *b); /* its own, or of all */

/*
 * The JSON document.  indent 0: one line.  Deterministic: the same summary gives the
 * same bytes.  Errors: ERR_NOMEM.  Cost: O(size).
 */
int summary_encode(const struct summary *s, int indent, struct buf *out, struct err *err);

/*
 * Reads and checks a document of n bytes: schema name, types, required fields, limits,
 * finite numbers, valid ids, low <= high.  *out is initialised by the call and released
 * by it on failure.  Unknown fields are ignored.
 *
 * Errors: ERR_SYNTAX (not JSON: with line and column), ERR_RANGE (JSON, but not a
 *         summary: the text names the place as a path, "benchmarks[2].metrics[0].unit"),
 *         ERR_LIMIT, ERR_NEWER (another schema version), ERR_NOMEM.
 */
int summary_decode(const char *json, size_t n, struct summary *out, struct err *err);

/*
 * The same, checked in the same way, for who keeps the document beside: no tracks, which are most
 * of its bytes, and of benchmarks no command, format, detail and gate_why, of metrics no reason.
 * What metrics point to lies in out->kept: it is not to be replaced, nor taken into another one.
 */
int summary_decode_brief(const char *json, size_t n, struct summary *out, struct err *err);

#endif
