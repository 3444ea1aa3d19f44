/*
 * terminal - warnings, notes and the progress line on stderr.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "lib/base/when.h"
#include "reporter/text/terminal.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

#define REDRAW_NS 100000000u  /* on a terminal */
#define PLAIN_NS 10000000000u /* in a log */
#define BEGUN_NS 1000000000u  /* in a log, of what is begun and may take long in silence */

static struct {
	bool quiet, redraw, shown;
	uint64_t last_ns;
	char begun[16];	   /* the first word of the last progress line: what is done */
	char detail[1024]; /* of the last line of progress in a log */
	struct talk talk;
} state;

static bool is_dumb(void)
{
	const char *term = getenv("TERM");

	return !term || !strcmp(term, "dumb");
}

void terminal_quiet(void)
{
	if (state.shown)
		fputs("\r\033[K", stderr);
	state.shown = false;
}

/* Without memory it is ASCII alone: what went wrong is said all the same. */
static void print_plain(const char *label, const char *text)
{
	char line[sizeof(((struct err *)0)->text)];
	char *p;

	snprintf(line, sizeof(line), "%s", text);
	for (p = line; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	fprintf(stderr, "%s: %s\n", label, line);
}

void terminal_line(const char *label, const char *text)
{
	struct buf visible = BUF_INIT;

	terminal_quiet();
	text_visible(text, true, &visible);
	if (visible.failed)
		print_plain(label, text);
	else
		fprintf(stderr, "%s: %s\n", label, buf_str(&visible));
	buf_release(&visible);
}

static void on_warn(void *ctx, const char *text, const char *cure)
{
	(void)ctx;
	terminal_line("pawl: warning", text);
	if (cure)
		terminal_line("hint", cure);
}

static void on_note(void *ctx, const char *text)
{
	(void)ctx;
	if (state.quiet)
		return;
	terminal_line("pawl", text);
}

/* One line, a column short of the width: a full one would wrap, and could not be taken back. */
static void redraw(const char *head, const char *text)
{
	struct buf visible = BUF_INIT, line = BUF_INIT;
	struct terminal_facts facts;
	int width;

	terminal_look(2, &facts);
	width = terminal_width(&facts);
	buf_adds(&visible, head);
	text_visible(text, terminal_utf8(&facts), &visible);
	text_cut(buf_str(&visible), width > 1 ? width - 1 : 79, terminal_utf8(&facts), &line);
	fprintf(stderr, "\r\033[K%s", buf_str(&line));
	fflush(stderr);
	state.shown = true;
	buf_release(&visible);
	buf_release(&line);
}

static size_t kind_length(const char *text)
{
	return strcspn(text, " ,:");
}

/* Whether the work is of another kind than that of the last line, if there was one. */
static bool is_begun(const char *text)
{
	size_t n = kind_length(text);

	return *state.begun && (strlen(state.begun) != n || strncmp(state.begun, text, n) != 0);
}

/* How long after the last line another one is due. */
static uint64_t pause_ns(const char *text)
{
	if (state.redraw)
		return REDRAW_NS;
	return is_begun(text) ? BEGUN_NS : PLAIN_NS;
}

/* In a log what is behind the colon, such as the command of a build, comes once in a row. */
static int news_length(const char *text)
{
	const char *colon = strstr(text, ": ");

	if (colon && !strcmp(state.detail, colon))
		return (int)(colon - text);
	snprintf(state.detail, sizeof(state.detail), "%s", colon ? colon : "");
	return (int)strlen(text);
}

static void on_progress(void *ctx, double done, double total, const char *text)
{
	uint64_t now = when_monotonic_ns();
	int percent = total > 0 ? (int)(100 * done / total) : -1;
	struct buf line = BUF_INIT;
	char head[16] = "";

	(void)ctx;
	if (state.quiet)
		return;
	/* What only says what is done now comes once: left out, the line before would stay. */
	if (state.last_ns && !(state.redraw && percent < 0) && now - state.last_ns < pause_ns(text))
		return;
	snprintf(state.begun, sizeof(state.begun), "%.*s", (int)kind_length(text), text);
	if (!state.redraw && !state.last_ns) { /* a log gets its first line after 10 s of work */
		state.last_ns = now;
		return;
	}
	state.last_ns = now;
	if (percent >= 0)
		snprintf(head, sizeof(head), "[%3d %%] ", percent > 100 ? 100 : percent);
	if (!state.redraw) {
		buf_addf(&line, "%s%.*s", head, news_length(text), text);
		terminal_line("pawl", buf_str(&line));
		buf_release(&line);
		return;
	}
	redraw(head, text);
}

const struct talk *terminal_talk(const struct options *o)
{
	state.quiet = o->quiet;
	state.redraw = isatty(2) && !is_dumb();
	state.talk = (struct talk){ on_warn, on_note, on_progress, NULL };
	return &state.talk;
}

struct render_options terminal_render_options(const struct options *o)
{
	static const enum terminal_when when[] = { TERMINAL_AUTO, TERMINAL_ALWAYS, TERMINAL_NEVER };
	struct render_options r = RENDER_OPTIONS_INIT;
	struct terminal_facts facts;

	terminal_look(1, &facts);
	if (o->output) { /* a file is no terminal */
		facts.is_tty = false;
		facts.columns = 0;
	}
	r.colour = terminal_colour(&facts, when[o->colour]);
	r.utf8 = terminal_utf8(&facts);
	r.width = terminal_width(&facts);
	r.verbose = o->verbose;
	r.strict = o->strict;
	r.plot = o->plot;
	r.benchmark = o->benchmark;
	return r;
}
