/*
 * export_fixture - a summary in one of the forms of other trackers.
 */
#ifndef PAWL_TESTS_UNIT_REPORTER_EXPORT_EXPORT_FIXTURE_H
#define PAWL_TESTS_UNIT_REPORTER_EXPORT_EXPORT_FIXTURE_H

#include "tests/unit/reporter/render_fixture.h"

#include "reporter/export/export.h"

static inline void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

/* The document of a summary in that form; s is released, the caller frees. */
static inline char *encoded(struct summary *s, const char *name)
{
	const struct export_format *format = export_format_find(name, NULL);
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;

	assert_non_null(format);
	if (format->encode(s, true, &out, &err))
		fail_msg("%s", err.text);
	summary_release(s);
	if (!out.len)
		buf_adds(&out, "");
	return buf_detach(&out);
}

#endif
