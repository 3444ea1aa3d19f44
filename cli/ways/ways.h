/*
 * ways - what the options of pawl compare say that its sides are.
 */
#ifndef PAWL_CLI_WAYS_WAYS_H
#define PAWL_CLI_WAYS_WAYS_H

#include "cli/ways/matrix.h"
#include "cli/option/options.h"
#include "collector/compare/way.h"
#include "lib/base/err.h"

struct ways {
	struct strv words[2]; /* of the base and the head, where they are commands */
	struct strv name;     /* the one word that names what both are */
	struct compare_way base, head;
	struct matrix matrix; /* then base and head are its first two combinations */
};

#define WAYS_INIT \
	{ \
		{ STRV_INIT, STRV_INIT }, STRV_INIT, COMPARE_WAY_INIT, COMPARE_WAY_INIT, \
			MATRIX_INIT \
	}

void ways_release(struct ways *w);

/*
 * Reads them; out refers to the options.
 * Errors: ERR_USAGE for what does not go together, a command line that needs a shell, a variable
 *         without a name; ERR_NOMEM.
 */
int ways_of(const struct options *o, struct ways *out, struct err *err);

/* Whether both sides are commands or programs, for which no repository is needed. */
bool ways_are_commands(const struct ways *w);

/* Whether a side is anything else than a commit as it is configured. */
bool ways_are_given(const struct ways *w);

/* A character of a command line, outside of quotes, that a shell would act on; NULL: there is none.
 */
const char *ways_special_of(const char *line);

#endif
