/*
 * child - one supervised process: its own group, limits, clean descriptors, a deadline.
 *
 * The child gets /dev/null as stdin, pipes as stdout and stderr (drained by us, capped),
 * and when asked a socket as descriptor CHILD_RECORD_FD.  It dies with us.  Whatever it
 * leaves behind is killed.  One thread only.
 */
#ifndef PAWL_COLLECTOR_RUN_CHILD_H
#define PAWL_COLLECTOR_RUN_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/base/buf.h"
#include "lib/base/digest.h"
#include "lib/base/err.h"
#include "lib/config/config.h"

#define CHILD_RECORD_FD 3
#define CHILD_OUTPUT_HEAD 32768 /* bytes kept of the start of each stream */
#define CHILD_OUTPUT_TAIL 32768 /* and of its end */
#define CHILD_DIGEST_HEX 17	/* 16 hex digits and the NUL */

struct child_spec {
	const char *exe; /* the file that is executed */
	char *const *argv;
	char *const *env;		   /* all of it */
	const char *dir;		   /* working directory; NULL: ours */
	int cpu;			   /* pin to this processor while it is there; -1: leave */
	bool record;			   /* give it a record socket */
	uint64_t timeout_ns;		   /* 0: none */
	const struct bench_limits *limits; /* NULL: none */
	int output_fd;	    /* >= 0: stdout and stderr go there instead of the pipes */
	bool digest_output; /* of all bytes of stdout, where it goes to the pipe */
	size_t keep_output; /* bytes kept of the start of stdout; 0: CHILD_OUTPUT_HEAD */
};

/* Start and end of a stream; what lies between was thrown away. */
struct stream {
	int fd;
	struct buf head, tail;
	uint64_t n_bytes;
	bool digests; /* all bytes: from the first one on */
	struct digest digest;
	size_t head_max; /* bytes of head; 0: CHILD_OUTPUT_HEAD */
};

struct child {
	pid_t pid; /* 0: none */
	int pidfd;
	int record_fd;			/* our end; -1: none */
	uint64_t start_ns, deadline_ns; /* CLOCK_MONOTONIC; deadline 0: none */
	struct stream out, errors;
};

#define STREAM_INIT \
	{ \
		-1, BUF_INIT, BUF_INIT, 0, false, DIGEST_INIT, 0 \
	}
#define CHILD_INIT \
	{ \
		0, -1, -1, 0, 0, STREAM_INIT, STREAM_INIT \
	}

struct child_result {
	int exit_status;	/* when signal is 0 */
	int signal;		/* that ended it, or 0 */
	bool timed_out;		/* we ended it at its deadline */
	uint64_t wall_ns;	/* from before the start to the end */
	uint64_t cpu_ns;	/* user + system, with what it waited for */
	double children_cpu_ns; /* of the processes it waited for, in steps of a tick; NaN */
	double main_cpu_ns;	/* of the main thread alone; NaN: not known */
	double run_delay_ns;	/* waited for a processor (main thread); NaN: not known */
	uint64_t max_rss_bytes;
	uint64_t voluntary_switches, involuntary_switches, minor_faults, major_faults;
	double migrations; /* of the main thread between processors; NaN: not known */
	int n_left;	   /* processes it left behind and we killed */
	/* Start of the SHA-256 of all that it wrote to stdout; "": it wrote nothing. */
	char output[CHILD_DIGEST_HEX];
	bool has_output; /* that was asked for, and could be had */
};

/* Once, before the first child: orphans of children become ours. */
void child_adopt_orphans(void);

/*
 * Starts it.  Errors: ERR_CHILD when exe cannot be executed, with the system's reason and
 * the path; ERR_REFUSED for a setuid or setgid executable; ERR_IO, ERR_NOMEM.
 */
int child_start(const struct child_spec *spec, struct child *out, struct err *err);

/*
 * Waits until the child is done, a byte is ready on the record socket (only when
 * want_record), its deadline passes, or a signal asks to stop; drains the streams meanwhile.
 */
enum child_event { CHILD_DONE, CHILD_RECORD, CHILD_TIMEOUT, CHILD_STOPPED };
enum child_event child_poll(struct child *c, bool want_record);

/*
 * Takes the end of a child that is done, or ends it first (SIGTERM, grace, SIGKILL) when it
 * is not; kills its group and what it left; closes everything but the streams' text.
 * other: a second child that is still meant to live, or NULL.
 */
void child_finish(struct child *c, const struct child *other, bool timed_out,
		  struct child_result *out);

/* Runs to the end: start, poll, finish.  Errors: as child_start(); ERR_STOPPED. */
int child_run(const struct child_spec *spec, struct child *c, struct child_result *out,
	      struct err *err);

/* Releases the streams' text; ends a child that still runs.  Accepts CHILD_INIT. */
void child_release(struct child *c);

/*
 * Says how it ended: "exited with status 3", "was killed by SIGSEGV", "ran longer than its
 * timeout of 60 s", with the last lines of stderr behind.  For people; appended to out.
 */
void child_explain(const struct child *c, const struct child_result *r, uint64_t timeout_ns,
		   struct buf *out);

#endif
