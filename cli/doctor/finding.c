#include "cli/doctor/finding.h"

#include <stdarg.h>
#include <stdio.h>

#include "lib/base/banned.h"

void finding_add(struct diagnosis *d, const char *area, enum doctor_state state, const char *cure,
		 const char *fmt, ...)
{
	struct finding *f = &d->v[d->n];
	va_list ap;

	if (d->n == DOCTOR_MOST)
		return;
	d->n++;
	f->area = area;
	f->state = state;
	va_start(ap, fmt);
	vsnprintf(f->text, sizeof(f->text), fmt, ap);
	va_end(ap);
	snprintf(f->cure, sizeof(f->cure), "%s", cure ? cure : "");
	err_clean(f->text);
	err_clean(f->cure);
}

void finding_add_fault(struct diagnosis *d, const char *area, const struct err *err)
{
	finding_add(d, area, DOCTOR_FAULT, err->hint, "%s", err->text);
}
