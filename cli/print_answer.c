/* The answer of a command: into the file that was named, else on stdout. */
#include <stdio.h>

#include "cli/command.h"
#include "lib/base/runner.h"
#include "lib/process/output.h"

#include "lib/base/banned.h"

static int print(const struct options *o, const struct buf *text, bool to_log, struct err *err)
{
	const char *start = buf_str(text), *p;

	terminal_quiet();
	if (o->output)
		return output_write_named(o->output, text->data, text->len, 0644, err);
	for (p = start; p < start + text->len; p++) {
		if (to_log && runner_is_hash(start, p))
			putc_unlocked('\\', stdout);
		putc_unlocked(*p, stdout);
	}
	fflush(stdout); /* what is said of it on stderr comes after it, in one file too */
	return 0;
}

int print_answer(const struct options *o, const struct buf *text, struct err *err)
{
	return print(o, text, true, err);
}

int print_exactly(const struct options *o, const struct buf *text, struct err *err)
{
	return print(o, text, false, err);
}
