/*
 * gitconfig_scan - where things stand in a file of git's configuration syntax.
 *
 * Internal to lib/git.  libgit2 says what a file means but not in which line; this walks
 * the same text and names the line of each key, and faults libgit2 is silent about.
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
	struct buf key; /* of the variable scan_next() found, as in struct gitconfig_entry */
	int key_line;
	int fault_line;	   /* of the first fault seen, or 0 */
	const char *fault; /* what it is */
};

void gitconfig_scan_init(struct gitconfig_scan *scan, const char *text, size_t n);
void gitconfig_scan_release(struct gitconfig_scan *scan);

/* Goes to the next variable; false at the end. */
bool gitconfig_scan_next(struct gitconfig_scan *scan);

/*
 * The line of a section that would make git read another file, or 0.  Errs on the safe
 * side: "[include" outside a comment is one, wherever it stands.
 */
int gitconfig_scan_include(const char *text, size_t n);

#endif
