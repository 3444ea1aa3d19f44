/*
 * The Pushgateway: all metrics of a result as one group of project and machine, which the next push
 * replaces as a whole.
 */
#include <string.h>

#include "lib/base/base64.h"
#include "reporter/export/local.h"
#include "reporter/render/openmetrics.h"

#include "lib/base/banned.h"

int export_pushgateway(const struct summary *s, bool is_first, struct buf *out, struct err *err)
{
	(void)is_first;
	return openmetrics_all(s, out, err);
}

/* A name may hold slashes: base64 keeps it one part of the path. */
static int add_label(const char *name, const char *value, struct buf *out, struct err *err)
{
	buf_addf(out, "/%s@base64/", name);
	if (value && *value)
		return base64_add(value, strlen(value), true, out, err);
	buf_addc(out, '=');
	return 0;
}

int export_pushgateway_path(const struct summary *s, struct buf *out, struct err *err)
{
	buf_adds(out, "/metrics/job/pawl");
	if (add_label("project", s->project, out, err) ||
	    add_label("machine", s->machine.id, out, err))
		return -1;
	return buf_check(out, err);
}
