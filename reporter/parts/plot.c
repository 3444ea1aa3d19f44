#include "reporter/parts/plot.h"

#include <stdio.h>
#include <string.h>

#include "reporter/figures/cells.h"

#include "lib/base/banned.h"

#define WIDEST 100 /* columns; a wider plot is no clearer */

static bool has_samples(const struct row *row)
{
	return row->gate && row->gate->n + row->gate->n_baseline > 0;
}

static const struct row *find(const struct rows *rows, const char *name)
{
	size_t i;

	for (i = 0; i < rows->n; i++)
		if (name ? !strcmp(rows->v[i].bench->name, name) : has_samples(&rows->v[i]))
			return &rows->v[i];
	return NULL;
}

int render_plot_find(const struct summary *s, const struct rows *rows, const char *name,
		     struct buf names[2], struct plot_cdf *out, struct err *err)
{
	const struct row *row = find(rows, name);

	if (!row && name)
		return err_set(err, ERR_ABSENT, "no benchmark '%s' in this summary", name);
	if (!row || !has_samples(row))
		return err_set(err, ERR_ABSENT, "no samples to plot%s%s%s", name ? " of '" : "",
			       name ? name : "", name ? "'" : "");
	cell_base_name(s, row->bench, true, &names[0]);
	cell_head_name(s, true, &names[1]);
	if (buf_check(&names[0], err) || buf_check(&names[1], err))
		return -1;
	*out = (struct plot_cdf){
		.title = row->bench->name,
		.metric = row->gate->name,
		.unit = row->gate->unit ? row->gate->unit : "",
		.base_name = buf_str(&names[0]),
		.head_name = buf_str(&names[1]),
		.base = row->gate->baseline_samples,
		.head = row->gate->samples,
		.n_base = row->gate->n_baseline,
		.n_head = row->gate->n,
	};
	return 0;
}

int render_plot(const struct summary *s, const struct rows *rows, const struct render_options *opt,
		struct buf *out, struct err *err)
{
	struct plot_text_options plain = { opt->width > WIDEST ? WIDEST : opt->width, 0, opt->utf8,
					   opt->colour };
	struct buf names[2] = { BUF_INIT, BUF_INIT };
	struct plot_cdf plot;
	int result = -1;

	if (!opt->benchmark && !find(rows, NULL))
		return 0;
	if (!render_plot_find(s, rows, opt->benchmark, names, &plot, err)) {
		buf_addc(out, '\n');
		result = plot_cdf_text(&plot, &plain, out, err);
	}
	buf_release(&names[0]);
	buf_release(&names[1]);
	return result;
}
