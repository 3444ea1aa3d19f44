/*
 * why_source - the sources of both sides, and how their lines belong together.
 */
#ifndef PAWL_REPORTER_WHY_SOURCE_H
#define PAWL_REPORTER_WHY_SOURCE_H

#include "lib/base/buf.h"
#include "lib/profile/profile_diff.h"
#include "reporter/why/why.h"

#define WHY_SOURCE_BYTES (4u << 20) /* a larger file is not read */

struct why_file {
	char *name;
	struct buf base, head;
	struct line_map map;
	bool has_map;
};

struct why_sources {
	const struct why_report *why;
	struct why_file *v;
	size_t n, cap;
	bool failed; /* memory ran out */
};

void why_sources_release(struct why_sources *s);

/* The map of a file, for profile_line_diff(); ctx is struct why_sources.  NULL: no sources. */
const struct line_map *why_sources_map(void *ctx, const char *file);

/* Whether it is a file of the project; without its trees, whether its name is inside them. */
bool why_sources_own(struct why_sources *s, const char *file);

/* A line without blanks around it; NULL when it cannot be read.  free() it. */
char *why_sources_line(struct why_sources *s, const char *file, bool is_head, unsigned line);

#endif
