/*
 * pawl hyperfine - hyperfine's command line and files, measured and judged as pawl compare does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/hyperfine/aside.h"
#include "cli/hyperfine/expand.h"
#include "cli/hyperfine/line.h"
#include "cli/hyperfine/measure.h"
#include "cli/hyperfine/show.h"
#include "collector/child/env.h"
#include "lib/base/number.h"
#include "lib/process/output.h"
#include "reporter/judge/judge.h"

#include "lib/base/banned.h"

#define NO_TIMEOUT_NS (30ull * 24 * 3600 * 1000000000ull) /* hyperfine has none */

/* ---- what the line says, as options of pawl -------------------------------------------------- */

static int set_style(const char *style, struct options *o, struct err *err)
{
	static const struct {
		const char *name;
		enum colour_when colour;
		bool quiet;
	} styles[] = {
		{ "auto", COLOUR_AUTO, false },	   { "basic", COLOUR_NEVER, false },
		{ "full", COLOUR_ALWAYS, false },  { "nocolor", COLOUR_NEVER, false },
		{ "color", COLOUR_ALWAYS, false }, { "none", COLOUR_NEVER, true },
	};
	size_t i;

	for (i = 0; style && i < sizeof(styles) / sizeof(styles[0]); i++) {
		if (strcmp(styles[i].name, style))
			continue;
		o->colour = styles[i].colour;
		o->quiet = styles[i].quiet;
		return 0;
	}
	return style ? err_set(err, ERR_USAGE,
			       "--style takes auto, basic, full, nocolor, color or none, not '%s'",
			       style)
		     : 0;
}

static int number_of(const char *text, const char *option, int otherwise, int *out, struct err *err)
{
	uint64_t n;

	*out = otherwise;
	if (!text)
		return 0;
	if (!number_u64(text, &n) || !n || n > SUMMARY_MAX_SAMPLES)
		return err_set(err, ERR_USAGE, "--%s takes a number from 1 to %d, not '%s'", option,
			       SUMMARY_MAX_SAMPLES, text);
	*out = (int)n;
	return 0;
}

/* One of both alone moves the other where it is in the way. */
static int set_runs(const struct hyperfine_line *line, struct config *c, struct err *err)
{
	int least, most;

	if (number_of(line->min_runs, "min-runs", c->runs_min, &least, err) ||
	    number_of(line->max_runs, "max-runs", c->runs_max, &most, err))
		return -1;
	if (least > most && line->min_runs && line->max_runs)
		return err_set(err, ERR_USAGE, "--min-runs %d is more than --max-runs %d", least,
			       most);
	c->runs_min = line->max_runs && most < least ? most : least;
	c->runs_max = line->min_runs && least > most ? least : most;
	c->runs_given = c->runs_given || line->max_runs;
	return 0;
}

/* PAWL_TOKEN and the like are pawl's own. */
static bool is_our_token(const char *entry)
{
	size_t n = strcspn(entry, "=");

	return str_starts(entry, "PAWL_") && n >= 10 && !strncmp(entry + n - 6, "_TOKEN", 6);
}

/* hyperfine hands on all of its environment. */
static int hand_on_environment(struct err *err)
{
	struct strv names = STRV_INIT;
	char **entry;
	int result = 0;

	for (entry = environ; *entry && !result; entry++)
		if (!is_our_token(*entry))
			result = strv_addf(&names, err, "%.*s", (int)strcspn(*entry, "="), *entry);
	if (!result)
		result = child_env_also(&names, err);
	strv_release(&names);
	return result ? -1 : 0;
}

static int set_up_config(const struct hyperfine_line *line, struct config *c, struct err *err)
{
	struct bench_config *b = &c->benchmarks[0];

	b->any_status = line->ignore_failure;
	b->split_cpu = true;
	b->timeout_ns = NO_TIMEOUT_NS;
	return set_runs(line, c, err) || config_set_metric(c, "wall", err) ||
			       hand_on_environment(err)
		       ? -1
		       : 0;
}

/* After an hour of measuring it would be too late to say no. */
static int check_files(const struct hyperfine_line *line, struct err *err)
{
	const char *const all[] = { line->json,	    line->csv,	   line->markdown,
				    line->asciidoc, line->orgmode, line->summary };
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (check_outputs(&(struct options){ .output = all[i] }, err))
			return -1;
	return 0;
}

/* ---- the answer
 * ---------------------------------------------------------------------------------- */

static int add_verdicts(const struct options *o, struct summary *s, struct buf *out,
			struct err *err)
{
	struct render_options how = terminal_render_options(o);
	struct history none = HISTORY_INIT;

	if (judge(s, &none, err))
		return -1;
	return s->baseline.how ? render("text", s, &how, out, err) : 0;
}

static int answer(const struct options *o, const struct hyperfine_line *line, struct summary *s,
		  const struct hyperfine_results *r, struct err *err)
{
	struct buf text = BUF_INIT, document = BUF_INIT;
	int result = -1;

	if (hyperfine_text(r, line->unit, &text, err) || add_verdicts(o, s, &text, err))
		goto out;
	if (!o->quiet && print_answer(o, &text, err))
		goto out;
	if (line->summary &&
	    (render("json", s, NULL, &document, err) ||
	     output_write_named(line->summary, document.data, document.len, 0644, err)))
		goto out;
	result = hyperfine_export(line, r, err);
out:
	buf_release(&text);
	buf_release(&document);
	return result;
}

static int measure(const struct options *o, const struct hyperfine_line *line,
		   const struct hyperfine_commands *list, struct err *err)
{
	struct hyperfine_results results = HYPERFINE_RESULTS_INIT;
	struct summary s;
	struct context c;
	int result = -1;

	if (context_open_anywhere(o, &c, err))
		return -1;
	context_sweep(&c);
	if (!set_up_config(line, &c.config, err) &&
	    !hyperfine_measure(line, list, &c, &s, &results, err)) {
		result = answer(o, line, &s, &results, err);
		summary_release(&s);
	}
	hyperfine_results_release(&results);
	context_close(&c);
	return result;
}

static int run(const struct hyperfine_line *line, struct err *err)
{
	struct hyperfine_commands list = HYPERFINE_COMMANDS_INIT;
	struct options o;
	struct hyperfine_unit unit;
	int result = -1;

	memset(&o, 0, sizeof(o));
	o.warmup = line->warmup;
	o.input = line->input && strcmp(line->input, "null") != 0 ? line->input : NULL;
	if (strv_add(&o.command, "command", err) || set_style(line->style, &o, err) ||
	    hyperfine_unit_of(line->unit, 0, &unit, err) || hyperfine_expand(line, &list, err))
		goto out;
	if (!hyperfine_check_setup(&list, err) && !check_files(line, err))
		result = measure(&o, line, &list, err);
out:
	hyperfine_commands_release(&list);
	options_release(&o);
	return result;
}

int cmd_hyperfine(const struct options *o)
{
	struct hyperfine_line line;
	struct err err = ERR_INIT;
	int status = EXIT_OK;

	if (hyperfine_line_parse(&o->args, &line, &err))
		status = complain(&err);
	else if (line.version)
		puts("pawl " PAWL_VERSION);
	else if (run(&line, &err))
		status = complain(&err);
	hyperfine_line_release(&line);
	return status;
}
