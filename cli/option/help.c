/*
 * help - the help text of a command.
 */
#include <stdio.h>
#include <string.h>

#include "cli/option/options.h"
#include "lib/base/buf.h"

#include "lib/base/banned.h"

#define HELP_COLUMNS 80
#define LEFT_COLUMNS 23 /* of an option; what is longer has a line of its own */

static void add_option(const struct command *c, const struct option_row *row, struct buf *out)
{
	char left[48];

	snprintf(left, sizeof(left), "%c%c%s--%s%s%s", row->letter ? '-' : ' ',
		 row->letter ? row->letter : ' ', row->letter ? ", " : "  ", row->name,
		 row->argument ? " " : "", row->argument ? row->argument : "");
	if (strlen(left) > LEFT_COLUMNS)
		buf_addf(out, "  %s\n  %-*s %s\n", left, LEFT_COLUMNS, "", option_help_of(c, row));
	else
		buf_addf(out, "  %-*s %s\n", LEFT_COLUMNS, left, option_help_of(c, row));
}

/* The names of the others, which the manual page explains, in lines of a terminal. */
static void add_also(const struct command *c, struct buf *out)
{
	const struct option_row *row;
	size_t line = out->len, left = 0;

	for (row = option_next(c, NULL); row; row = option_next(c, row))
		left += option_is_among(c->also, row->name);
	buf_adds(out, "also:");
	for (row = option_next(c, NULL); row; row = option_next(c, row)) {
		size_t n = strlen(row->name) + (row->argument ? strlen(row->argument) + 1 : 0) + 5;

		if (!option_is_among(c->also, row->name))
			continue;
		if (out->len - line + n > HELP_COLUMNS) {
			buf_adds(out, "\n ");
			line = out->len - 1;
		}
		buf_addf(out, " --%s%s%s%s", row->name, row->argument ? " " : "",
			 row->argument ? row->argument : "", --left ? "," : "\n");
	}
}

void options_help(const struct command *c, struct buf *out)
{
	const struct option_row *row;

	buf_addf(out, "usage: pawl %s%s%s\n\n%s\n\n", c->name, *c->usage ? " " : "", c->usage,
		 c->summary);
	for (row = option_next(c, NULL); row; row = option_next(c, row))
		if (!c->also || !option_is_among(c->also, row->name))
			add_option(c, row, out);
	if (c->also)
		add_also(c, out);
	if (c->details)
		buf_addf(out, "\n%s", c->details);
}
