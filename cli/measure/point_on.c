#include "cli/measure/point_on.h"

#include <math.h>
#include <string.h>

#include "cli/accept/name.h"
#include "cli/option/typed.h"
#include "collector/accept.h"
#include "lib/base/buf.h"
#include "lib/base/strv.h"
#include "lib/config/accepted.h"
#include "lib/git/history/walk.h"

#include "lib/base/banned.h"

static const char *base_of(const struct summary *s, const struct bench *b)
{
	return b->baseline_commit ? b->baseline_commit : s->baseline.commit;
}

/* Configured in the environment alone, as the targets of build systems do it: gone with them. */
static bool is_handed_down(const struct context *c)
{
	size_t i;

	for (i = 0; i < c->config.n_benchmarks; i++)
		if (!strcmp(c->config.benchmarks[i].origin, "git config (command)"))
			return true;
	return false;
}

/* Notes a command over what it was compared with, as it was typed. */
static void point_to(const struct options *o, const struct context *c, const struct bench *b,
		     const char *purpose, struct buf *command)
{
	char *const name[] = { b->name, NULL };

	buf_adds(command, " --benchmark ");
	words_quote(name, command);
	if (!is_handed_down(c))
		typed_add(o, command);
	if (!buf_check(command, NULL))
		talk_note(c->talk, "%s: %s%s", purpose, is_handed_down(c) ? "pawl init && " : "",
			  buf_str(command));
	buf_release(command);
}

/* What longer waiting costs is no work that could be shown. */
static void point_to_why(const struct options *o, const struct context *c, const struct summary *s,
			 const struct bench *b)
{
	struct buf command = BUF_INIT;

	if (!base_of(s, b))
		return;
	buf_addf(&command, "pawl why %.12s..%.12s", base_of(s, b), s->commit.id);
	point_to(o, c, b, "to see what got slower", &command);
}

/* Of a change somewhere in several commits the last one need not be the one that made it. */
static void point_to_bisect(const struct options *o, const struct context *c,
			    const struct summary *s, const struct bench *b)
{
	const char *base = base_of(s, b);
	struct buf command = BUF_INIT;

	if (!base || s->commit.truncated || strv_has(&s->commit.parents, base))
		return;
	buf_addf(&command, "pawl bisect %.12s %.12s", base, s->commit.id);
	point_to(o, c, b, "to find which commit it was", &command);
}

/* With its size: no stored result may know it. */
static void add_accept(const struct summary *s, const struct bench *b, struct buf *out)
{
	char size[ACCEPTED_CHANGE_TEXT];
	double change;

	if (!accept_size(b, &change))
		return;
	buf_addf(out, "pawl accept %.12s --benchmark ", s->commit.id);
	accept_add_name(b->name, out);
	buf_addf(out, " --change %s --because WHY", accepted_change_print(change, size));
}

/* The next one from *at on that regressed and is not accepted; NULL: none, or of no commit. */
static const struct bench *next_regressed(const struct summary *s, size_t *at)
{
	while (*at < s->n_benchmarks && s->commit.id && !s->commit.dirty) {
		const struct bench *b = &s->benchmarks[(*at)++];

		if (bench_verdict(b) == VERDICT_REGRESSED && !b->accepted.commit)
			return b;
	}
	return NULL;
}

/* The one that moved most; without those that were judged by wall time, if asked; NULL: none. */
static const struct bench *strongest(const struct summary *s, bool but_wall)
{
	const struct bench *found = NULL, *b;
	double most = -HUGE_VAL;
	size_t at = 0;

	while ((b = next_regressed(s, &at))) {
		double change = HUGE_VAL; /* no ratio: it was 0 */

		if (but_wall && (!b->gate || !strcmp(b->gate, "wall")))
			continue;
		accept_size(b, &change);
		if (!found || change > most) {
			found = b;
			most = change;
		}
	}
	return found;
}

void accept_commands(const struct summary *s, struct buf *out)
{
	const struct bench *b;
	size_t at = 0, n = 0, shown = 0;
	double change;

	while ((b = next_regressed(s, &at))) {
		if (!accept_size(b, &change))
			continue;
		n++;
		if (out->len < ACCEPT_COMMANDS_BYTES) {
			buf_adds(out, out->len ? "\n" : "");
			add_accept(s, b, out);
			shown++;
		}
	}
	if (n > shown)
		buf_addf(out, "\n# and %zu more: where the commit was compared, --all accepts each",
			 n - shown);
}

/* As after a forced push that drops commits: the way from the base goes back. */
static bool is_way_back(const struct context *c, const struct summary *s, const struct bench *b)
{
	bool is = false;

	return base_of(s, b) && strcmp(base_of(s, b), s->commit.id) != 0 &&
	       !walk_is_ancestor(c->repo, s->commit.id, base_of(s, b), &is, NULL) && is;
}

void point_on(const struct options *o, const struct context *c, const struct summary *s)
{
	const struct bench *b = strongest(s, false), *works = strongest(s, true);
	struct buf command = BUF_INIT;
	size_t at = 0, n = 0;

	if (!b)
		return;
	if (works)
		point_to_why(o, c, s, works);
	if (is_way_back(c, s, b)) {
		talk_note(c->talk,
			  "%.12s is an older commit than %.12s: what was quicker is in the commits "
			  "since, and cannot be accepted or looked for here",
			  s->commit.id, base_of(s, b));
		return;
	}
	point_to_bisect(o, c, s, b);
	add_accept(s, b, &command);
	while (next_regressed(s, &at))
		n++;
	if (n > 1)
		talk_note(c->talk, "to accept all %zu: pawl accept %.12s --all --because WHY", n,
			  s->commit.id);
	if (command.len && !buf_check(&command, NULL))
		talk_note(c->talk, "to accept %s: %s", n > 1 ? "one of them" : "this change",
			  buf_str(&command));
	buf_release(&command);
}

void point_on_base(const struct options *o, const struct context *c, const struct summary *s)
{
	struct buf command = BUF_INIT;

	if (!s->unbuilt.base || s->unbuilt.head || !s->commit.id || s->commit.dirty ||
	    is_handed_down(c))
		return;
	buf_addf(&command, "pawl compare COMMIT..%.12s", s->commit.id);
	typed_add(o, &command);
	if (!buf_check(&command, NULL))
		talk_note(c->talk, "to compare with a commit that builds: %s", buf_str(&command));
	buf_release(&command);
}

/* Whether it was the program that ended so, and not its build. */
static bool has_ended_badly(const char *why)
{
	const char *ended = strstr(why, "exited with status"), *build = strstr(why, "the build"),
		   *helper = strstr(why, " command: exited");

	return ended && !(build && build < ended) && !(helper && helper < ended);
}

void point_on_arguments(const struct options *o, const struct summary *s)
{
	const char *why = s->n_benchmarks == 1 ? s->benchmarks[0].detail : NULL;
	struct buf hint = BUF_INIT;

	if (o->command.n != 1 || !why || !has_ended_badly(why))
		return;
	buf_adds(&hint,
		 "it may need arguments, or something that runs beside it: pawl compare -- ");
	words_quote(o->command.v, &hint);
	buf_adds(&hint, " ARGUMENTS");
	if (!buf_check(&hint, NULL))
		terminal_line("hint", buf_str(&hint));
	buf_release(&hint);
}
