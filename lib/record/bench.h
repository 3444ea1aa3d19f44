/*
 * bench - one benchmark of a summary: its metrics with their samples and deltas, and what is known
 * of its code.
 *
 * The structs own everything they point to, unless they are of a summary read in brief (summary.h);
 * a pointer that may be NULL says so.
 */
#ifndef PAWL_RECORD_BENCH_H
#define PAWL_RECORD_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

enum verdict {
	VERDICT_NONE, /* not judged: a metric that is only shown */
	VERDICT_REGRESSED,
	VERDICT_IMPROVED,
	VERDICT_UNCHANGED, /* the whole interval lies inside +- threshold */
	VERDICT_INCONCLUSIVE,
	VERDICT_IDENTICAL, /* the same machine code on both sides: nothing to measure */
	VERDICT_ADDED,
	VERDICT_REMOVED,
	VERDICT_FAILED,
	VERDICT_NO_BASELINE,
	VERDICT_N
};

enum better { BETTER_LOWER, BETTER_HIGHER };

/* Whether a metric could be had at all; only METRIC_OK and METRIC_SCALED carry samples. */
enum metric_state {
	METRIC_OK,
	METRIC_SCALED,	  /* counted a part of the time and extrapolated */
	METRIC_STARVED,	  /* opened but never scheduled */
	METRIC_ABSENT,	  /* this machine does not offer it */
	METRIC_FORBIDDEN, /* the system refuses it to this user */
	METRIC_STATE_N
};

enum bench_status {
	BENCH_OK,
	BENCH_FAILED,
	BENCH_TIMEOUT,
	BENCH_SKIPPED,
	BENCH_REMOVED,
	BENCH_STATUS_N
};

/* A pair of optional texts: a fact about the machine, such as "governor" "performance". */
struct fact {
	char *name;
	char *value;
};

struct facts {
	struct fact *v;
	size_t n, cap;
};

struct delta {
	double ratio;	    /* head / base, 1.034 = 3.4 % more */
	double low, high;   /* its interval, at `confidence` */
	bool by_difference; /* there is no ratio: it, low, high and noise_floor are NaN */
	double difference;  /* head - base in the metric's unit; only then */
	double difference_low, difference_high; /* its interval */
	double confidence;			/* 0..1 */
	double p, p_adjusted; /* 0..1; adjusted for the decision points and over everything run */
	double noise_floor;   /* smallest effect this comparison would have found, 0.008 */
	bool suspect;	      /* only a stored baseline says so: compare again, never gate */
	enum verdict verdict;
	char *note; /* may be NULL */
};

struct metric {
	char *name; /* "wall", "cpu", "instructions", "peak-rss", ... */
	char *unit; /* "ns", "1", "bytes" */
	enum better better;
	enum metric_state state;
	char *reason;	 /* why there is no value; NULL when there is one */
	double *samples; /* of the head, one per process run, in run order */
	size_t n;
	double *baseline_samples; /* pair i belongs to samples[i] when paired */
	size_t n_baseline;
	bool n_differs; /* its document says another number of samples */
	bool described; /* the figures below are filled */
	double mean, ci_low, ci_high, median, stddev, min, max, p99;
	double throughput_per_s; /* 1e9 / mean for unit ns, else NaN */
	bool has_delta;
	struct delta delta;
};

/* What was recorded of every run beside the metrics: order bit, switches, faults, steal ... */
struct track {
	char *name;
	double *head, *base; /* n_head and n_base values */
	size_t n_head, n_base;
};

/* At which numbers of pairs (runs, without a base) it could end, planned beforehand. */
#define LOOKS_MAX 10
struct looks {
	unsigned pairs[LOOKS_MAX]; /* rising */
	size_t n;		   /* 0: not told */
};

/* What both sides printed to stdout, held against each other. */
enum output {
	OUTPUT_UNKNOWN,
	OUTPUT_SAME,
	OUTPUT_DIFFERS, /* each side always prints the same, but not what the other one prints */
	OUTPUT_VARIES,	/* a side prints something else from run to run: nothing can be said */
	OUTPUT_N
};

/* How the two runs of each pair were started: only told of commands. */
enum pairs_ran {
	PAIRS_RAN_UNKNOWN,
	PAIRS_RAN_IN_TURN,
	PAIRS_RAN_AT_ONCE, /* on one processor: their CPU time alone was measured */
	PAIRS_RAN_N
};

/* Instructions counted apart from the timing; per iteration, or of a whole process run. */
struct work_count {
	double head, base; /* NaN: not counted */
	char *how;	   /* "valgrind", "counter"; NULL: not counted */
	char *reason;	   /* why it was asked for and could not be had; may be NULL */
};

/* The track that tells which layout each pair ran: its number, 0 for the program as it was built.
 */
#define SUMMARY_LAYOUTS "layout"

/* What it mattered where functions and data lay; the variances are of ln(head / base). */
struct layout_spread {
	size_t n;	/* different layouts of its pairs; 0: none were drawn */
	double between; /* variance of layouts; NaN: too few pairs shared one to tell it apart */
	double within;	/* variance of the pairs of one layout; NaN likewise */
	double floor;	/* 95 % of layouts move head over base by less than this, to either side of
			   what they have in common: 0.013; NaN likewise.  Both sides draw alike, so
			   that two layouts that have nothing in common may differ by more */
	char *why; /* why it ran in one layout alone, or with n which part of it; NULL: none did,
		      or nobody asked */
};

/* What a comparison found of a benchmark's code before anything ran. */
struct code_changes {
	bool is_known;	      /* what changed, and what the benchmark executes of it */
	bool is_explained;    /* the user wants to see it */
	size_t n_functions;   /* of both programs */
	size_t n_changed;     /* of these differ, or are in one alone */
	struct strv changed;  /* their names, the first SUMMARY_MAX_CHANGED of them */
	struct strv executed; /* names of what differs that it executes; "f (data)": data of f */
	char *why;	      /* why it is not known; NULL: nobody asked */
};

/* What different layouts of the same code differed by on this machine; logarithms of times. */
struct layout_calibration {
	int n;		  /* pairs of layouts; 0: not known */
	double spread;	  /* standard deviation between layouts: 0.007 */
	double low, high; /* its 95 % interval */
	double floor;	  /* 95 % of two layouts of the same code differ by less: 0.02 is 2 % */
	double scatter;	  /* standard deviation of ln(one layout / another), with the noise that is
			     left in it; n - 1 degrees of freedom */
};

/* What comparisons of this benchmark with itself gave on this machine; n 0: none were made. */
struct calibration {
	int n, n_false;	 /* comparisons; of these called regressed or improved */
	double floor;	 /* ratio - 1 that 95 % of them stay below, at 90 % confidence: 0.004 */
	int64_t when_us; /* of the newest */
	struct layout_calibration layouts;
};

/* A change that somebody accepted: a regression of it is told and does not fail a gate. */
struct acceptance {
	char *commit; /* hex; NULL: none */
	char *because;
};

/* The gate_why of a benchmark that nobody chose CPU time for. */
#define BENCH_DOES_NOT_WAIT "one thread that does not wait"

struct bench {
	char *name;    /* "deflate/6" */
	char *command; /* as configured, quoted for a shell; may be NULL */
	char *format;  /* "pawl", "command", or of which other harness: "google" ... */
	enum bench_status status;
	char *detail;	       /* why it is not ok, with the last lines of stderr; may be NULL */
	char *binary_id;       /* 64 hex digits over the code that runs; NULL when not known */
	char *base_binary_id;  /* the baseline's; may be NULL */
	char *baseline_commit; /* when it differs from summary.baseline.commit; may be NULL */
	char *baseline_how;    /* likewise, or "unlike": fresh checkouts build no two programs */
	bool is_new;	       /* the baseline commit did not have it */
	uint64_t iterations;   /* N, frozen for all runs of both sides; 0 when not run */
	char *gate;	       /* the metric whose verdict counts: "cpu" */
	char *gate_why;	       /* why that one; may be NULL */
	double threshold;      /* ratio */
	bool paired;	       /* samples[i] and baseline_samples[i] ran side by side */
	uint64_t n_void;       /* pairs repeated for a cause of STATISTICS 2.8 */
	uint64_t n_disturbed;  /* pairs far off the others: kept, counted */
	struct looks looks;
	enum output output;
	enum pairs_ran pairs_ran;
	struct work_count work;
	struct layout_spread layouts;
	struct code_changes changes;
	struct calibration calibration;
	struct acceptance accepted;
	struct metric *metrics;
	size_t n_metrics;
	struct track *tracks;
	size_t n_tracks;
	struct facts facts; /* what another harness said beside its metrics, in its own words */
};

/* Append an empty element and return it (the array may move), or NULL with ERR_NOMEM. */
struct metric *bench_add_metric(struct bench *b, const char *name, const char *unit,
				enum better better, struct err *err);
struct track *bench_add_track(struct bench *b, const char *name, struct err *err);
int facts_add(struct facts *facts, const char *name, const char *value, struct err *err);
void facts_release(struct facts *facts);

/* Appends a value to *array of *n; NaN and infinities are refused with ERR_RANGE. */
int samples_add(double **array, size_t *n, double value, struct err *err);

/* NULL when there is none. */
struct metric *bench_find_metric(const struct bench *b, const char *name);
const char *facts_find(const struct facts *facts, const char *name);

/* Accepts a zeroed one, and leaves one. */
void code_changes_release(struct code_changes *c);

/* The delta that decides about the benchmark (its gate metric's), or NULL. */
const struct delta *bench_delta(const struct bench *b);

/* Whether it failed, or did not end in time: what was measured until then is no result. */
bool bench_has_failed(const struct bench *b);

/* The benchmark's own verdict: by status, identity or the gate metric's delta. */
enum verdict bench_verdict(const struct bench *b);

/* "regressed" ...; "" for VERDICT_NONE. */
const char *verdict_name(enum verdict v);
/* Whether it says how the two sides compare: any other takes back nothing of what was. */
bool verdict_is_decided(enum verdict v);
/* VERDICT_N when the word is not known. */
enum verdict verdict_parse(const char *word);
const char *metric_state_name(enum metric_state state);
const char *bench_status_name(enum bench_status status);

#endif
