/*
 * ask - how a benchmark program of another harness is asked for its benchmarks, and for one of them
 * with so many iterations; words and texts only, nothing is run here.
 *
 * Programs of the other formats run all they have; what they write is read after each run.
 */
#ifndef PAWL_FOREIGN_ASK_H
#define PAWL_FOREIGN_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/record/summary.h"

/* One run that is wished for. */
struct foreign_wish {
	const char *selector; /* from foreign_asker.names */
	uint64_t n;	      /* iterations, or what the harness counts by; 0: as long as time_ns */
	uint64_t time_ns;
};

struct foreign_asker {
	const char *format;
	/* Appends the options that make the program tell its benchmarks. */
	int (*list)(struct strv *argv, struct err *err);
	/* Reads what it told: names, and for each how it is selected.  Errors: as foreign_read().
	 */
	int (*names)(const char *text, size_t n, struct strv *names, struct strv *selectors,
		     struct err *err);
	/* Appends the options of one run of one benchmark; later ones win over the user's. */
	int (*run)(const struct foreign_wish *wish, struct strv *argv, struct err *err);
	/* Texts of which an executable of this harness holds all; each must stand in it whole. */
	const char *marks[3];
};

/* NULL: a program of that format runs all it has. */
const struct foreign_asker *foreign_asker_of(const char *format);

/*
 * The format of a benchmark program by the bytes of its executable, or NULL.  It is a guess: a
 * program may hold a harness and not use it.
 * Cost: O(n), once for each text that is looked for.
 */
const char *foreign_guess(const char *bytes, size_t n);

/*
 * The harness in an executable that repeats what it measures until its own clock is content, and
 * cannot be asked for a number of times: as a whole, such a process takes as long whatever its code
 * does.  NULL: none is known.  A guess at the same cost.
 */
const char *foreign_repeater(const char *bytes, size_t n);

/*
 * "alarm" where an executable seems to import alarm(), by which programs that know no harness
 * repeat their work until a time is over; else NULL.  Others use it as a limit.
 */
const char *foreign_alarm(const char *bytes, size_t n);

/*
 * The benchmark of that name in the answer of a run that selected it; NULL: it is not there.  Go
 * writes the number of processors behind a name, but not where there is one: of one result alone
 * "size-1024" cannot be told from "size" on 1024 processors.
 */
const struct bench *foreign_bench_of(const struct summary *s, const char *name);

#endif
