/*
 * scan - a file of git's configuration syntax, variable by variable.
 *
 * For lib/git, and for pawld, which needs no libgit2.  By the rules of git-config(1), SYNTAX;
 * includes are not followed.  Every command reads such files: 20 us here, where opening libgit2
 * takes 2 ms and a child 1.3 ms, and neither says in which line a value is
 * (docs/decisions/0024-libraries-tried.md).
 */
#ifndef PAWL_GIT_CONFIG_SCAN_H
#define PAWL_GIT_CONFIG_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/buf.h"

struct gitconfig_scan {
	const char *p, *end;
	int line;
	struct buf section;
	struct buf key; /* of the variable scan_next() found, as in struct gitconfig_entry;
			   buf_check() */
	int key_line;
	struct buf value;  /* of the same; buf_check() */
	bool has_value;	   /* false: there is no '=' */
	bool is_cut;	   /* it ends at a ';' that stands as in a shell command: "a; b" */
	int fault_line;	   /* where it ended because of a fault, or 0 */
	const char *fault; /* what it is */
};

void gitconfig_scan_init(struct gitconfig_scan *scan, const char *text, size_t n);
void gitconfig_scan_release(struct gitconfig_scan *scan);

/* Goes to the next variable; false at the end, and at a fault. */
bool gitconfig_scan_next(struct gitconfig_scan *scan);

/*
 * The line of a section that would make git read another file, or 0.  Errs on the safe
 * side: "[include" outside a comment is one, wherever it stands.
 */
int gitconfig_scan_include(const char *text, size_t n);

#endif
