/*
 * picture <FIGURES >SVG: two distributions of what tests/bench/layout/run recorded, lines of
 * "copy,NANOSECONDS" and "layout,NANOSECONDS"; the first line is "# PROGRAM: what the figures are".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "reporter/plot/plot.h"

#include "lib/base/banned.h"

#define MOST 64 /* of each */

struct figures {
	char title[80];
	double copies[MOST], layouts[MOST];
	size_t n_copies, n_layouts;
};

static int take(struct figures *f, char *line)
{
	char *comma = strchr(line, ','), *colon = strchr(line, ':');
	bool is_copy = !strncmp(line, "copy,", 5);
	size_t *n = is_copy ? &f->n_copies : &f->n_layouts;

	if (*line == '#' && colon) {
		*colon = '\0';
		snprintf(f->title, sizeof(f->title), "%.60s, the same code", line + 2);
		return 0;
	}
	if (!comma || *n == MOST || (!is_copy && strncmp(line, "layout,", 7) != 0))
		return -1;
	(is_copy ? f->copies : f->layouts)[(*n)++] = strtod(comma + 1, NULL);
	return 0;
}

/* What is drawn is a file each, of no base and no head: the picture's words are of runs. */
static void print_words(const char *at)
{
	static const char *const words[][2] = { { "base exact", "exact" },
						{ "head other", "other" },
						{ " runs", " files" } };
	size_t i;

	while (*at) {
		for (i = 0; i < 3 && strncmp(at, words[i][0], strlen(words[i][0])) != 0; i++)
			;
		fputs(i < 3 ? words[i][1] : "", stdout);
		if (i == 3)
			putchar(*at);
		at += i < 3 ? strlen(words[i][0]) : 1;
	}
}

int main(void)
{
	static struct figures f;
	struct plot_cdf plot = { .title = f.title,
				 .metric = "median CPU time",
				 .unit = "ns",
				 .base_name = "exact copies",
				 .head_name = "other layouts",
				 .base = f.copies,
				 .head = f.layouts };
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	char line[200];
	int status = 1;

	while (fgets(line, sizeof(line), stdin))
		if (take(&f, line)) {
			fprintf(stderr, "picture: not a figure: %s", line);
			return 2;
		}
	plot.n_base = f.n_copies;
	plot.n_head = f.n_layouts;
	if (plot_cdf_svg(&plot, &out, &err))
		fprintf(stderr, "picture: %s\n", err.text);
	else
		status = 0;
	print_words(buf_str(&out));
	buf_release(&out);
	return status;
}
