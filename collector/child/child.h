/*
 * child - one supervised process: its own group, limits, clean descriptors, a deadline.
 *
 * The child gets /dev/null, or the file that is named, as stdin, files in memory as stdout and
 * stderr, and when asked a socket as descriptor CHILD_RECORD_FD.  It dies with us.  Whatever it
 * leaves behind is killed.  One thread only.
 *
 * What it prints is read when it is over and its clock has stopped, so that it never waits for us.
 * Only who prints more than CHILD_OUTPUT_UNREAD is stopped for a moment while that is read.
 */
#ifndef PAWL_COLLECTOR_CHILD_CHILD_H
#define PAWL_COLLECTOR_CHILD_CHILD_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/config/config.h"
#include "lib/digest/digest.h"

#define CHILD_RECORD_FD 3
#define CHILD_OUTPUT_HEAD 32768		/* bytes kept of the start of each stream */
#define CHILD_OUTPUT_TAIL 32768		/* and of its end */
#define CHILD_DIGEST_HEX 17		/* 16 hex digits and the NUL */
#define CHILD_GRACE_NS 2000000000u	/* that it may take to end when it is asked to */
#define CHILD_OUTPUT_UNREAD (32u << 20) /* bytes of a stream that may lie in memory */

struct child_spec {
	const char *exe; /* the file that is executed */
	char *const *argv;
	char *const *env;	/* all of it */
	const char *input;	/* file that is its stdin; NULL: /dev/null */
	const char *dir;	/* working directory; NULL: ours */
	int cpu;		/* pin to this processor while it is there; -1: leave */
	bool spreads;		/* over several processors: do not push it from one at its start */
	bool record;		/* give it a record socket */
	bool watch;		/* count what all that it starts waits (watch.h) */
	bool names;		/* and its tracer is told of the files it asks for (named.h) */
	uint64_t timeout_ns;	/* 0: none */
	uint64_t stop_grace_ns; /* that it may take after a signal asked us to stop; 0: none */
	const struct bench_limits *limits; /* NULL: none */
	int output_fd;	    /* >= 0: stdout and stderr go there, and nothing is kept of them */
	bool digest_output; /* of all bytes of stdout, unless there is an output_fd */
	size_t keep_output; /* bytes kept of the start of stdout; 0: CHILD_OUTPUT_HEAD */
};

/* Start and end of a stream; what lies between was thrown away. */
struct stream {
	int fd;	      /* the file in memory, or our end of a pipe; -1: none */
	int opens_fd; /* tells that somebody opened the file anew; -1: nobody looks */
	struct buf head, tail;
	uint64_t n_bytes; /* read so far: where the rest begins */
	bool digests;	  /* all bytes: from the first one on */
	struct digest digest;
	size_t head_max;   /* bytes of head; 0: CHILD_OUTPUT_HEAD */
	bool flows;	   /* through a pipe that is not at its end */
	bool was_reopened; /* the file was, as /dev/stdout: what was in it may be cut off */
};

/* How long a thread has waited for a processor, and how often it got one. */
struct own_wait {
	double ns;
	uint64_t turns;
};

/* What was so just before its exec; its figures hold that, too. */
struct begun {
	uint64_t at_ns;			 /* CLOCK_MONOTONIC; 0: not known */
	double own_ns;			 /* that it had worked */
	double ours_ns;			 /* that we had worked since start_ns, for it to be there */
	uint64_t voluntary, involuntary; /* switches: on its way to its processor */
};

struct child {
	pid_t pid;			/* 0: none */
	int pidfd;			/* where more than its end is waited for; else -1 */
	int record_fd;			/* our end; -1: none */
	uint64_t start_ns, deadline_ns; /* CLOCK_MONOTONIC; deadline 0: none */
	uint64_t end_ns;		/* when we saw its end; 0: not yet */
	uint64_t stop_grace_ns;		/* of its spec; once used, it is in the deadline */
	bool is_graced;
	struct own_wait waited; /* by us, when it was last seen alive */
	double late_ns;		/* that it was over, or stopped, and we did not see it */
	double unsure_ns;	/* that it may have been over before we first looked */
	int pinned;		/* to that processor; -1: not */
	struct stream out, errors;
	unsigned n_stops; /* to be watched */
	struct begun begun;
	double watched_delay_ns; /* of all that worked; NaN: it was not watched */
	bool has_unwaited;	 /* of the watched: some were left when it was over */
};

#define STREAM_INIT \
	{ \
		-1, -1, BUF_INIT, BUF_INIT, 0, false, DIGEST_INIT, 0, false, false \
	}
#define CHILD_INIT \
	{ \
		0, -1, -1, 0, 0, 0, 0, false, { 0, 0 }, 0, 0, -1, STREAM_INIT, STREAM_INIT, 0, \
			{ 0, 0, 0, 0, 0 }, (double)NAN, false \
	}

struct child_result {
	int exit_status;       /* when signal is 0 */
	int signal;	       /* that ended it, or 0 */
	bool timed_out;	       /* we ended it at its deadline */
	uint64_t wall_ns;      /* from before the start to the end, without late_ns */
	double late_ns;	       /* by which we saw its end too late, or had stopped it */
	double unsure_ns;      /* by which wall_ns may still be too long: we looked too late */
	uint64_t cpu_ns;       /* user + system, with what it waited for */
	uint64_t system_ns;    /* of that, the system's */
	double threads_cpu_ns; /* of its own threads, and no other process; NaN: not known */
	double main_cpu_ns;    /* of the main thread alone; NaN: not known */
	double run_delay_ns;   /* waited for a processor (main thread; watched: all); NaN */
	double main_delay_ns;  /* the main thread did; NaN */
	bool watched;	       /* that is of all that worked */
	uint64_t max_rss_bytes;
	uint64_t voluntary_switches, involuntary_switches, minor_faults, major_faults;
	double migrations; /* of the main thread between processors; 0 when pinned; NaN: not known
			    */
	int n_left;	   /* processes it left behind and we killed */
	bool has_unwaited; /* those, or others that nobody waited for: they are in no sum */
	/* Start of the SHA-256 of all that it wrote to stdout; "": it wrote nothing. */
	char output[CHILD_DIGEST_HEX];
	bool has_output;   /* that was asked for, and could be had */
	bool was_reopened; /* it could not, because it opened its stdout anew */
};

/* Once, before the first child: orphans of children become ours. */
void child_adopt_orphans(void);

/*
 * Starts it.  Errors: ERR_CHILD when exe cannot be executed, or its input not be read, with the
 * system's reason and the path; ERR_REFUSED for a setuid or setgid executable; ERR_IO, ERR_NOMEM.
 */
int child_start(const struct child_spec *spec, struct child *out, struct err *err);

/*
 * Waits until the child is done, a byte is ready on the record socket (only when
 * want_record), its deadline passes, or a signal asks to stop.
 */
enum child_event { CHILD_DONE, CHILD_RECORD, CHILD_TIMEOUT, CHILD_STOPPED };
enum child_event child_poll(struct child *c, bool want_record);

/*
 * Waits until both are done, the deadline of one that is not passes, or a signal asks to stop; what
 * came is CHILD_DONE, CHILD_TIMEOUT or CHILD_STOPPED.  Neither has a record socket or a pipe.
 */
enum child_event child_poll_both(struct child *a, struct child *b);

/*
 * Takes the end of a child that is done, or ends it first (SIGTERM, grace, SIGKILL) when it
 * is not; kills its group and what it left; closes everything but the streams' text.
 * other: a second child that is still meant to live, or NULL.
 */
void child_finish(struct child *c, const struct child *other, bool timed_out,
		  struct child_result *out);

/*
 * It is still meant to live when others are finished: none of what they left.  Until it is finished
 * itself.  Beyond CHILD_SPARED at a time it is not heard.
 */
#define CHILD_SPARED 16
void child_spare(const struct child *c);

/* Runs to the end: start, poll, finish.  Errors: as child_start(); ERR_STOPPED. */
int child_run(const struct child_spec *spec, struct child *c, struct child_result *out,
	      struct err *err);

/* Releases the streams' text; ends a child that still runs.  Accepts CHILD_INIT. */
void child_release(struct child *c);

/*
 * Says how it ended: "exited with status 3", "was killed by SIGSEGV", "ran longer than its
 * timeout of 60 s", with the last lines of stderr behind, or where it has none, of stdout.  For
 * people; appended to out.
 */
void child_explain(const struct child *c, const struct child_result *r, uint64_t timeout_ns,
		   struct buf *out);

#endif
