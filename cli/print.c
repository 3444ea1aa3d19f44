/*
 * print - one summary in the format that was asked for, and its picture.
 */
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/past.h"
#include "cli/option/values.h"
#include "lib/base/file.h"
#include "lib/process/output.h"
#include "reporter/figures/cells.h"
#include "reporter/plot/plot.h"

#include "lib/base/banned.h"

/* The benchmark to draw: the named one, else the first with samples. */
static const struct bench *pick(const struct options *o, const struct summary *s)
{
	size_t i;

	if (o->benchmark)
		return summary_find(s, o->benchmark);
	for (i = 0; i < s->n_benchmarks; i++) {
		const struct metric *m =
			bench_find_metric(&s->benchmarks[i], s->benchmarks[i].gate);

		if (m && m->n)
			return &s->benchmarks[i];
	}
	return NULL;
}

static int write_picture(const struct options *o, const struct summary *s, struct err *err)
{
	const struct bench *b = pick(o, s);
	const struct metric *m = b ? bench_find_metric(b, b->gate) : NULL;
	struct buf svg = BUF_INIT;
	struct buf base = BUF_INIT, head = BUF_INIT;
	struct plot_cdf plot;
	int result = -1;

	if (o->benchmark && !b)
		return err_set(err, ERR_ABSENT, "no benchmark '%s' to draw", o->benchmark);
	if (!m || !m->n) { /* identical, failed: the answer says so */
		talk_note(terminal_talk(o), "'%s' was not written: nothing was measured", o->svg);
		return 0;
	}
	cell_base_name(s, b, true, &base);
	cell_head_name(s, true, &head);
	plot = (struct plot_cdf){
		.title = b->name,
		.metric = m->name,
		.unit = m->unit,
		.base_name = buf_str(&base),
		.head_name = buf_str(&head),
		.base = m->baseline_samples,
		.head = m->samples,
		.n_base = m->n_baseline,
		.n_head = m->n,
	};
	if (!buf_check(&base, err) && !buf_check(&head, err) && !plot_cdf_svg(&plot, &svg, err))
		result = output_write_named(o->svg, svg.data, svg.len, 0644, err);
	buf_release(&base);
	buf_release(&head);
	buf_release(&svg);
	return result;
}

/* The format of FORMAT=FILE and where FILE begins. */
static int split_file(const char *text, struct buf *out_format, const char **out_path,
		      struct err *err)
{
	size_t n = strcspn(text, "=");

	buf_reset(out_format);
	buf_add(out_format, text, n);
	if (buf_check(out_format, err))
		return -1;
	if (n && text[n] && text[n + 1]) {
		*out_path = text + n + 1;
		return 0;
	}
	err_set(err, ERR_USAGE, "--write takes FORMAT=FILE, not '%s'", text);
	return err_hint(err, "for example: --write html=report.html");
}

/* The reports of --write: files, whatever the terminal is like. */
static int write_reports(const struct options *o, const struct render_options *shown,
			 const struct summary *s, struct err *err)
{
	struct render_options how = *shown;
	struct buf format = BUF_INIT, text = BUF_INIT;
	const char *path;
	int result = 0;
	size_t i;

	how.colour = false;
	how.utf8 = true;
	how.width = 0;
	for (i = 0; i < o->files.n && !result; i++) {
		buf_reset(&text);
		result = split_file(o->files.v[i], &format, &path, err) ||
					 render(buf_str(&format), s, &how, &text, err) ||
					 output_write_named(path, text.data, text.len, 0644, err)
				 ? -1
				 : 0;
	}
	buf_release(&format);
	buf_release(&text);
	return result;
}

/* Whether a page is asked for: only that looks back. */
static bool wants_page(const struct options *o)
{
	size_t i;

	for (i = 0; i < o->files.n; i++)
		if (str_starts(o->files.v[i], "html="))
			return true;
	return !o->json && o->format && !strcmp(o->format, "html");
}

int print_summary(const struct options *o, const struct context *c, const struct summary *s,
		  struct err *err)
{
	struct trend_set past = TREND_SET_INIT;
	struct render_options how = terminal_render_options(o);
	const char *format = o->json ? "json" : o->format ? o->format : "text";
	struct err fault = ERR_INIT;
	struct buf text = BUF_INIT;
	int result = -1;

	if (c && wants_page(o))
		past_of(c, s, &past);
	how.history = &past;
	if (how.plot && render(format, s, &how, &text, &fault)) {
		/* the table is worth more than the picture */
		talk_warn(terminal_talk(o), "the names are those of the table", "no plot: %s",
			  fault.text);
		how.plot = false;
	}
	if (text.len || !render(format, s, &how, &text, err))
		result = print_answer(o, &text, err);
	buf_release(&text);
	if (!result && o->svg)
		result = write_picture(o, s, err);
	if (!result)
		result = write_reports(o, &how, s, err);
	trend_set_release(&past);
	return result;
}

static int check_output(const char *path, struct err *err)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	struct buf dir = BUF_INIT;
	int result = 0;

	if (!path)
		return 0;
	if (slash)
		buf_add(&dir, path, slash == path ? 1 : (size_t)(slash - path));
	else
		buf_adds(&dir, ".");
	if (buf_check(&dir, err) ||
	    (file_is_special(path) ? access(path, W_OK) : access(buf_str(&dir), W_OK | X_OK)))
		result = err_sys(err, ERR_USAGE, "cannot write '%s'", path);
	buf_release(&dir);
	return result;
}

static int check_file(const char *text, struct err *err)
{
	struct buf format = BUF_INIT;
	const char *path;
	int result = split_file(text, &format, &path, err);

	if (!result)
		result = format_check("report", buf_str(&format), err) || check_output(path, err)
				 ? -1
				 : 0;
	buf_release(&format);
	return result;
}

int check_outputs(const struct options *o, struct err *err)
{
	size_t i;

	for (i = 0; i < o->files.n; i++)
		if (check_file(o->files.v[i], err))
			return -1;
	return check_output(o->output, err) || check_output(o->svg, err) ? -1 : 0;
}

int worse_status(int a, int b)
{
	static const int rank[] = {
		[EXIT_OK] = 0, [EXIT_INCONCLUSIVE] = 1, [EXIT_REGRESSED] = 2, [EXIT_FAILED] = 3
	};

	return rank[a] >= rank[b] ? a : b;
}

int check_drawn(const struct options *o, const char *instead, struct err *err)
{
	if (!o->benchmark || o->plot || o->svg)
		return 0;
	err_set(err, ERR_USAGE,
		"--benchmark says what --plot or --svg draws, and neither is there");
	return err_hint(err, "%s", instead);
}
