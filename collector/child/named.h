/*
 * named - which files a traced child asks the system for, by whatever name.
 *
 * A filter of system calls stops each call that takes a path, and none else: what a program does
 * besides runs at its own speed.
 *
 * Source: seccomp(2), ptrace(2) (PTRACE_EVENT_SECCOMP).
 */
#ifndef PAWL_COLLECTOR_CHILD_NAMED_H
#define PAWL_COLLECTOR_CHILD_NAMED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

/*
 * In place of execve() in a child that is traced: from then on such calls stop, but not this one.
 * Where the system does not allow it none stops: not even those of the loader.  Returns only when
 * it fails, with errno.
 */
void named_exec(const char *exe, char *const argv[], char *const env[]);

/* What it asks for outside of a folder. */
struct named_files {
	struct strv paths; /* absolute, as they are written, each once */
	size_t n_told;	   /* calls that stopped: where names are seen, the loader's are */
	bool is_of_image;  /* it asks how a program lies in memory, which another link changes */
	bool is_more;	   /* it asks for what has no path, or what no look tells from another */
	bool is_full;	   /* and for more files than these */
	const char *only;  /* notes what is below this folder, and shared objects elsewhere; NULL:
			      see below */
	bool everywhere;   /* what is below the folder too */
	bool has_started;  /* its loader is done: it came to its own first instruction */
	struct strv late;  /* those of paths that somebody asks for from then on */
	bool starts;	   /* it starts other programs */
	bool opens_self;   /* somebody opens its own file while it runs, or that is not seen */
};

#define NAMED_FILES_INIT \
	{ \
		.paths = STRV_INIT, .late = STRV_INIT \
	}

/*
 * Notes what a thread that stopped so (PTRACE_EVENT_SECCOMP) asks for, unless it is below folder
 * (absolute, or NULL) and not asked for everywhere, or shows the machine alone.
 */
void named_note(struct named_files *f, pid_t pid, const char *folder);

/* Notes the program that such a process runs now; f may be NULL. */
void named_note_program(struct named_files *f, pid_t pid, const char *folder);

/* Appends "STATE PATH" for each as it is now, also for one that is not there.  Errors: ERR_NOMEM.
 */
int named_files_states(const struct named_files *f, struct strv *out, struct err *err);

/* Whether the file of such a line is as it was. */
bool named_is_as_it_was(const char *line);

void named_files_release(struct named_files *f);

#endif
