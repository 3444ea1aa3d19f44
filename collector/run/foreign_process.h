/*
 * foreign_process - one process of another harness's benchmark program, and what it answered.
 */
#ifndef PAWL_COLLECTOR_RUN_FOREIGN_PROCESS_H
#define PAWL_COLLECTOR_RUN_FOREIGN_PROCESS_H

#include "collector/child/child.h"
#include "collector/run/runner.h"

/* Of what a program answers; beyond it the run failed. */
#define FOREIGN_MAX_ANSWER (16u << 20)

/* What one process run answered, or why it did not. */
struct foreign_answer {
	struct buf text;    /* what it wrote to stdout, or to the configured file */
	struct buf failure; /* empty: none */
	struct child_result res;
};

#define FOREIGN_ANSWER_INIT \
	{ \
		BUF_INIT, BUF_INIT, \
		{ \
			0 \
		} \
	}

void foreign_answer_release(struct foreign_answer *a);

/* How a process is to be run. */
struct foreign_order {
	const struct process_runner *r;
	const struct bench_config *config;
	const struct side *side;
	const struct strv *words; /* behind the configured ones; NULL: none */
	int cpu;
	unsigned padding;
	uint64_t timeout_ns;
	struct run *run; /* gets what surrounds it; NULL: a question */
};

/*
 * Runs it to its end.  A program that cannot be started, ends badly, or does not write the
 * configured file anew has a failure.  Errors: ERR_STOPPED, ERR_IO, ERR_NOMEM.
 */
int foreign_process(const struct foreign_order *o, struct foreign_answer *out, struct err *err);

#endif
