#include "reporter/render/html_local.h"

#include "lib/base/banned.h"

const char *html_class(enum row_kind kind)
{
	switch ((int)kind) {
	case ROW_REGRESSED:
	case ROW_FAILED:
		return "bad";
	case ROW_IMPROVED:
		return "good";
	case ROW_SUSPECT:
	case ROW_ACCEPTED:
	case ROW_INCONCLUSIVE:
		return "open";
	default:
		return "";
	}
}
