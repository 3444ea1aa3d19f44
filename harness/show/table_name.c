/* SPDX-License-Identifier: MIT */
/* The column of names. */
#include "harness/show/table.h"

#include "harness/base/cell.h"

#define NAME_WIDTH 24 /* at most; the columns after it need 76 */

int pawl_table_name_width(const struct table *t)
{
	return t->name_width < NAME_WIDTH ? t->name_width : NAME_WIDTH;
}

void pawl_table_name(const struct table *t, const char *name)
{
	int width = pawl_table_name_width(t), used = pawl_cell_width(name);
	if (used > width)
		(void)fprintf(t->to, "%s\n%*s", name, width, "");
	else
		(void)fprintf(t->to, "%s%*s", name, width - used, "");
}
