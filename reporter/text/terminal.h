/*
 * terminal - what the place that is written to can show: colour, UTF-8, how wide.
 *
 * The decisions are pure functions of facts, so that they are tested without a terminal;
 * terminal_look() alone asks the system.
 */
#ifndef PAWL_REPORTER_TEXT_TERMINAL_H
#define PAWL_REPORTER_TEXT_TERMINAL_H

#include <stdbool.h>

#include "lib/base/buf.h"

struct terminal_facts {
	bool is_tty;
	int columns; /* what the terminal says; 0: it does not */
	/* environment variables; NULL or "" when not set */
	const char *term, *no_color, *clicolor_force, *force_color, *columns_env;
	const char *lc_all, *lc_ctype, *lang;
};

enum terminal_when { TERMINAL_AUTO, TERMINAL_ALWAYS, TERMINAL_NEVER }; /* --color= */

/* The facts about descriptor fd; the strings are the environment's own. */
void terminal_look(int fd, struct terminal_facts *out);

/*
 * always and never decide alone.  auto: NO_COLOR forbids, CLICOLOR_FORCE or FORCE_COLOR (other
 * than "0") demand, else a terminal that is not "dumb".
 */
bool terminal_colour(const struct terminal_facts *facts, enum terminal_when when);

/* By the first of LC_ALL, LC_CTYPE and LANG that is set, as a C library would. */
bool terminal_utf8(const struct terminal_facts *facts);

/* COLUMNS, else what the terminal says, else 80; 0 (no limit) for what is no terminal. */
int terminal_width(const struct terminal_facts *facts);

enum ink { INK_PLAIN, INK_BOLD, INK_DIM, INK_RED, INK_GREEN, INK_YELLOW, INK_BLUE };

/* Appends the sequence that starts a colour, or ends it (INK_PLAIN); nothing without colour. */
void terminal_ink(enum ink ink, bool colour, struct buf *out);

#endif
