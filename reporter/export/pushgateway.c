/*
 * The Pushgateway: all metrics of a result as one group of project and machine, which the next push
 * replaces as a whole.
 */
#include <string.h>

#include "reporter/deliver/base64.h"
#include "reporter/export/local.h"
#include "reporter/render/openmetrics.h"

#include "lib/base/banned.h"

int export_pushgateway(const struct summary *s, bool is_first, struct buf *out, struct err *err)
{
	(void)is_first;
	return openmetrics_all(s, out, err);
}

/* A name may hold slashes: base64 keeps it one part of the path. */
static void add_label(const char *name, const char *value, struct buf *out)
{
	buf_addf(out, "/%s@base64/", name);
	if (value && *value)
		base64_add(value, strlen(value), true, out);
	else
		buf_addc(out, '=');
}

int export_pushgateway_path(const struct summary *s, struct buf *out, struct err *err)
{
	buf_adds(out, "/metrics/job/pawl");
	add_label("project", s->project, out);
	add_label("machine", s->machine.id, out);
	return buf_check(out, err);
}
