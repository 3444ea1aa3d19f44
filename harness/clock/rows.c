/* SPDX-License-Identifier: MIT */
#include "harness/clock/rows.h"

#include <string.h>

/* Of each kind the first that works is preferred. */
static const struct clock_row *const tables[] = {
	pawl_clock_posix, pawl_clock_hrtime, pawl_clock_x86,	 pawl_clock_arm64,
	pawl_clock_riscv, pawl_clock_mach,   pawl_clock_windows,
};

const struct clock_row *pawl_clock_row(size_t i)
{
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++)
		for (const struct clock_row *row = tables[t]; row->name; row++)
			if (i-- == 0)
				return row;
	return NULL;
}

const struct clock_row *pawl_clock_find(const char *name)
{
	const struct clock_row *row;
	for (size_t i = 0; (row = pawl_clock_row(i)); i++)
		if (strcmp(row->name, name) == 0)
			return row;
	return NULL;
}

const char *pawl_clock_kind_name(enum clock_kind kind)
{
	static const char *const names[] = {
		"wall", "ticks", "cycles", "thread", "process", "share"
	};
	return names[kind];
}
