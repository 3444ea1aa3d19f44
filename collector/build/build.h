/*
 * build - runs a build command in a folder, what it prints goes to a log.
 */
#ifndef PAWL_COLLECTOR_BUILD_BUILD_H
#define PAWL_COLLECTOR_BUILD_BUILD_H

#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/talk.h"

struct build_job {
	const char *command; /* for sh -c */
	const char *dir;
	char *const *env;     /* all of it */
	int log_fd;	      /* open for writing */
	const char *log_path; /* its name, to be shown */
	uint64_t timeout_ns;  /* 0: none */
	const struct talk *talk;
};

/*
 * Runs it.  When it fails the end of the log is told line by line.
 * Errors: ERR_CHILD with how it ended and the line that seems to say why, the log's path as hint;
 *         ERR_FULL the same for want of space; ERR_TIMEOUT; ERR_STOPPED; ERR_IO.
 */
int build_run_job(const struct build_job *job, struct err *err);

/*
 * Runs `sh -c command` in folder dir with the environment of child_env(); what it prints
 * replaces the file log_path.  Errors: as build_run_job(), and ERR_IO for the log.
 */
int build_run(const char *command, const char *dir, const char *log_path, uint64_t timeout_ns,
	      const struct talk *talk, struct err *err);

#endif
