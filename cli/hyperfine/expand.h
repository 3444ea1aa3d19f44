/*
 * hyperfine_expand - the commands of a line with every value of its parameters.
 */
#ifndef PAWL_CLI_HYPERFINE_EXPAND_H
#define PAWL_CLI_HYPERFINE_EXPAND_H

#include <stddef.h>

#include "cli/hyperfine/line.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"

#define HYPERFINE_MOST 256 /* commands */

struct hyperfine_command {
	char *line;				    /* with the parameters put in */
	char *name;				    /* of --command-name; else the line */
	char *prepare, *conclude, *setup, *cleanup; /* for sh -c; NULL: none */
	struct strv parameters;			    /* pairs: name, value */
	struct strv words;			    /* argv */
	bool needs_shell;			    /* words begin with a shell */
};

struct hyperfine_commands {
	struct hyperfine_command *v;
	size_t n;
};

#define HYPERFINE_COMMANDS_INIT \
	{ \
		NULL, 0 \
	}

void hyperfine_commands_release(struct hyperfine_commands *c);

/*
 * In hyperfine's order: commands change first, then the parameter that was named first.  A
 * reference is the first of all.  A line that needs no shell is split into words, so that no shell
 * is in its time; one that does, or a program that PATH has not, is given to sh, or to the shell
 * that was asked for.
 *
 * Errors: ERR_USAGE bad parameters, more than HYPERFINE_MOST commands, a number of names or of
 *         preparing commands that does not fit, an empty command; ERR_NOMEM.
 */
int hyperfine_expand(const struct hyperfine_line *line, struct hyperfine_commands *out,
		     struct err *err);

#endif
