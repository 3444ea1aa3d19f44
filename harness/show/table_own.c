/* SPDX-License-Identifier: MIT */
/* The lines below a benchmark that has threads or counters of its own. */
#include "harness/show/table.h"

#include "harness/base/cell.h"

#define CELL 32

static void print_threads(FILE *to, int indent, const struct measured *m)
{
	if (m->threads < 2)
		return;
	(void)fprintf(to, "%*s %u threads", indent, "", m->threads);
	if (m->processors > 0 && m->processors < m->threads)
		(void)fprintf(to, " on %u processor%s: they take turns\n", m->processors,
			      m->processors == 1 ? "" : "s");
	else if (m->pinned)
		(void)fprintf(to, ", each on a processor of its own\n");
	else
		(void)fprintf(to, ", which could not be bound to processors\n");
}

/* What the benchmark counted itself, and what was wrong with that. */
static void print_tally(FILE *to, int indent, const struct measured *m)
{
	const struct tally *tally = &m->tally;
	for (size_t i = 0; m->iterations && i < tally->n; i++) {
		const struct tally_entry *e = &tally->entry[i];
		char cell[CELL];
		pawl_cell_count(cell, sizeof(cell), pawl_tally_value(e, tally->operations), "");
		(void)fprintf(to, "%*s %s: %s%s\n", indent, "", e->name, cell,
			      e->is_set ? "" : " per iteration");
	}
	if (tally->faults)
		(void)fprintf(to,
			      "%*s %llu calls of pawl_add or pawl_set did nothing; the first: "
			      "%s%s%s%s\n",
			      indent, "", (unsigned long long)tally->faults,
			      tally->at_fault[0] ? "'" : "", tally->at_fault,
			      tally->at_fault[0] ? "' " : "", tally->fault);
}

void pawl_table_own(FILE *to, int indent, const struct measured *m)
{
	print_threads(to, indent, m);
	print_tally(to, indent, m);
}
