#include "lib/store/ledger/place.h"

#include "lib/store/ledger/runs.h"

#include "lib/base/banned.h"

static int order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

int place_order(const struct place *a, const struct place *b)
{
	int by = order(a->t, b->t);

	by = by ? by : order(a->measured, b->measured);
	by = by ? by : order(a->run, b->run);
	return by ? by : order(a->series, b->series);
}

int place_of(struct ledger *l, const struct ledger_point *p, struct place *out, struct err *err)
{
	const struct run_facts *f = NULL;

	if (runs_find(l, p->project, p->run, &f, err))
		return -1;
	*out = (struct place){ p->t, f->measured_us, p->run, p->series };
	return 0;
}
