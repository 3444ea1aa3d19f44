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

static void short_id(const char *commit, char out[16])
{
	snprintf(out, 16, "%.*s", CELL_SHORT_ID, commit ? commit : "");
}

int render_plot_find(const struct summary *s, const struct rows *rows, const char *name,
		     char ids[2][16], struct plot_cdf *out, struct err *err)
{
	const struct row *row = find(rows, name);

	if (!row && name)
		return err_set(err, ERR_ABSENT, "no benchmark '%s' in this summary", name);
	if (!row || !has_samples(row))
		return err_set(err, ERR_ABSENT, "no samples to plot%s%s%s", name ? " of '" : "",
			       name ? name : "", name ? "'" : "");
	short_id(row->bench->baseline_commit ? row->bench->baseline_commit : s->baseline.commit,
		 ids[0]);
	short_id(s->commit.id, ids[1]);
	*out = (struct plot_cdf){
		.title = row->bench->name,
		.metric = row->gate->name,
		.unit = row->gate->unit ? row->gate->unit : "",
		.base_name = ids[0],
		.head_name = ids[1],
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
	char ids[2][16];
	struct plot_cdf plot;

	if (!opt->benchmark && !find(rows, NULL))
		return 0;
	if (render_plot_find(s, rows, opt->benchmark, ids, &plot, err))
		return -1;
	buf_addc(out, '\n');
	return plot_cdf_text(&plot, &plain, out, err);
}
