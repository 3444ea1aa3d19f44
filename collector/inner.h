/*
 * inner - which benchmarks a program holds: it is asked, as one of libpawl's or of another harness.
 */
#ifndef PAWL_COLLECTOR_INNER_H
#define PAWL_COLLECTOR_INNER_H

#include "collector/run/runner.h"
#include "lib/base/talk.h"
#include "lib/config/config.h"

/* Of a program with such a harness in it, of which nothing but the whole process is measured. */
#define INNER_REPEATS \
	"%s repeats each benchmark until it has measured long enough, so the whole program takes " \
	"as long however fast its code is"

/* What was found inside an executable. */
struct inner {
	enum bench_format format;
	struct strv names;     /* none: it is one benchmark as a whole */
	struct strv selectors; /* one for each, or none */
	bool alarms;	       /* it calls alarm(), and nobody said that it is a plain command */
};

#define INNER_INIT \
	{ \
		FORMAT_COMMAND, STRV_INIT, STRV_INIT, false \
	}

void inner_release(struct inner *in);

/*
 * Asks the side's program; in begins as INNER_INIT, and has no names for a plain command.  One that
 * was only guessed to be another harness's, and does not answer as such, is warned of.
 * Errors: ERR_CHILD, ERR_TIMEOUT it does not hold what it is configured to hold, or would repeat
 *         itself until it has measured long enough; those of runner_list() and foreign_run_list().
 */
int inner_list(const struct process_runner *r, const struct talk *talk,
	       const struct bench_config *config, const struct side *head, struct inner *in,
	       struct err *err);

#endif
