/*
 * badge.svg: what the newest result says, in two words.
 */
#include "reporter/figures/rows.h"
#include "reporter/render/render.h"
#include "reporter/text/badge.h"

#include "lib/base/banned.h"

#define LABEL "performance"

struct face {
	enum row_kind kind;
	const char *words, *colour;
};

/* The first of which there is one. */
static const struct face faces[] = {
	{ ROW_FAILED, "failed", BADGE_BAD },
	{ ROW_REGRESSED, "regressed", BADGE_BAD },
	{ ROW_SUSPECT, "suspect", BADGE_UNSURE },
	{ ROW_IMPROVED, "improved", BADGE_GOOD },
	{ ROW_INCONCLUSIVE, "inconclusive", BADGE_UNSURE },
	{ ROW_ACCEPTED, "accepted", BADGE_UNSURE },
	{ ROW_UNCHANGED, "unchanged", BADGE_GOOD },
	{ ROW_IDENTICAL, "identical", BADGE_GOOD },
};

static const char *say(const struct rows *rows, struct buf *words)
{
	size_t i;

	for (i = 0; i < sizeof(faces) / sizeof(faces[0]); i++) {
		if (!rows->count[faces[i].kind])
			continue;
		buf_addf(words, "%zu %s", rows->count[faces[i].kind], faces[i].words);
		return faces[i].colour;
	}
	buf_adds(words, rows->n ? "no baseline" : "no benchmarks");
	return BADGE_NEUTRAL;
}

int render_badge(const struct summary *s, const struct render_options *opt, struct buf *out,
		 struct err *err)
{
	struct buf words = BUF_INIT;
	struct rows rows = { 0 };
	const char *colour;

	(void)opt;
	if (rows_of(s, &rows, err))
		return -1;
	colour = say(&rows, &words);
	badge_svg(LABEL, buf_str(&words), colour, out);
	out->failed |= words.failed;
	buf_release(&words);
	rows_release(&rows);
	return 0;
}
