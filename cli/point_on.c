#include "cli/point_on.h"

#include <string.h>

#include "cli/typed.h"
#include "collector/accept.h"
#include "lib/base/buf.h"
#include "lib/base/strv.h"
#include "lib/config/accepted.h"

#include "lib/base/banned.h"

static const char *base_of(const struct summary *s, const struct bench *b)
{
	return b->baseline_commit ? b->baseline_commit : s->baseline.commit;
}

/* What longer waiting costs is no work that could be shown. */
static void point_to_why(const struct options *o, const struct talk *talk, const struct summary *s,
			 const struct bench *b)
{
	char *const name[] = { b->name, NULL };
	struct buf command = BUF_INIT;

	if (!base_of(s, b))
		return;
	buf_addf(&command, "pawl why %.12s..%.12s --benchmark ", base_of(s, b), s->commit.id);
	words_quote(name, &command);
	typed_add(o, &command);
	if (!buf_check(&command, NULL) && b->gate && strcmp(b->gate, "wall") != 0)
		talk_note(talk, "to see what got slower: %s", buf_str(&command));
	buf_release(&command);
}

/* Of a change somewhere in several commits the last one need not be the one that made it. */
static void point_to_bisect(const struct options *o, const struct talk *talk,
			    const struct summary *s, const struct bench *b)
{
	char *const name[] = { b->name, NULL };
	const char *base = base_of(s, b);
	struct buf command = BUF_INIT;

	if (!base || s->commit.truncated || strv_has(&s->commit.parents, base))
		return;
	buf_addf(&command, "pawl bisect %.12s %.12s --benchmark ", base, s->commit.id);
	words_quote(name, &command);
	typed_add(o, &command);
	if (!buf_check(&command, NULL))
		talk_note(talk, "to find which commit it was: %s", buf_str(&command));
	buf_release(&command);
}

/* With its size: no stored result may know it. */
static void add_accept(const struct summary *s, const struct bench *b, struct buf *out)
{
	char *const name[] = { b->name, NULL };
	char size[ACCEPTED_CHANGE_TEXT];
	double change;

	if (!accept_size(b, &change))
		return;
	buf_addf(out, "pawl accept %.12s --benchmark ", s->commit.id);
	words_quote(name, out);
	buf_addf(out, " --change %s --because WHY", accepted_change_print(change, size));
}

/* The first one that regressed and is not accepted; NULL: none of a commit. */
static const struct bench *first_regressed(const struct summary *s)
{
	size_t i;

	for (i = 0; i < s->n_benchmarks && s->commit.id && !s->commit.dirty; i++) {
		const struct bench *b = &s->benchmarks[i];

		if (bench_verdict(b) == VERDICT_REGRESSED && !b->accepted.commit)
			return b;
	}
	return NULL;
}

void accept_command(const struct summary *s, struct buf *out)
{
	const struct bench *b = first_regressed(s);

	if (b)
		add_accept(s, b, out);
}

void point_on(const struct options *o, const struct talk *talk, const struct summary *s)
{
	const struct bench *b = first_regressed(s);
	struct buf command = BUF_INIT;

	if (!b)
		return;
	point_to_why(o, talk, s, b);
	point_to_bisect(o, talk, s, b);
	add_accept(s, b, &command);
	if (command.len && !buf_check(&command, NULL))
		talk_note(talk, "to accept this change: %s", buf_str(&command));
	buf_release(&command);
}

/* Whether it was the program that ended so, and not its build. */
static bool has_ended_badly(const char *why)
{
	const char *ended = strstr(why, "exited with status"), *build = strstr(why, "the build");

	return ended && !(build && build < ended);
}

void point_on_arguments(const struct options *o, const struct talk *talk, const struct summary *s)
{
	const char *why = s->n_benchmarks == 1 ? s->benchmarks[0].detail : NULL;
	struct buf program = BUF_INIT;

	if (o->command.n != 1 || !why || !has_ended_badly(why))
		return;
	words_quote(o->command.v, &program);
	if (!buf_check(&program, NULL))
		talk_warn(talk, NULL,
			  "it may need arguments, or something that runs beside it: pawl compare "
			  "-- %s ARGUMENTS",
			  buf_str(&program));
	buf_release(&program);
}
