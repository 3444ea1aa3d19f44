/*
 * lines - which commits, and whose results, a history is asked for.
 */
#ifndef PAWL_CLI_SHOW_LINES_H
#define PAWL_CLI_SHOW_LINES_H

#include "cli/command.h"

#define LINES_LONGEST 20000 /* commits walked; with results in all of them: years */

/* What a command looks at; owned. */
struct lines {
	struct strv ids; /* oldest first */
	size_t first;	 /* of those asked for */
	char *machine;
	char *tag;
	size_t tag_place;
};

#define LINES_INIT \
	{ \
		.ids = STRV_INIT, .tag_place = SIZE_MAX \
	}

void lines_release(struct lines *l);

/*
 * The main line down from the end of range (NULL: HEAD), where what was asked for begins on it, and
 * the last tag.  Errors: ERR_USAGE there is no commit in it; those of range_parse(), line_down().
 */
int lines_find(const struct context *c, const char *range, bool with_tag, struct lines *l,
	       struct err *err);

/* The machine that is asked for, else this one.  Errors: those of machine_describe(). */
int lines_find_machine(const struct options *o, struct lines *l, struct err *err);

#endif
