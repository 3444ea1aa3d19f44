#include "reporter/figures/scale.h"

#include <math.h>
#include <string.h>

#include "lib/base/number.h"

#include "lib/base/banned.h"

struct step {
	double factor;
	const char *prefix;
};

static const struct step times[] = { { 1, "ns" }, { 1e3, "us" }, { 1e6, "ms" }, { 1e9, "s" } };
static const struct step bytes[] = {
	{ 1, "B" },
	{ 1024.0, "KiB" },
	{ 1048576.0, "MiB" },
	{ 1073741824.0, "GiB" },
	{ 1099511627776.0, "TiB" },
};
static const struct step plain[] = {
	{ 1, "" }, { 1e3, "k" }, { 1e6, "M" }, { 1e9, "G" }, { 1e12, "T" }
};

#define PICK(steps) pick(steps, sizeof(steps) / sizeof((steps)[0]), magnitude)

static struct step pick(const struct step *steps, size_t n, double magnitude)
{
	size_t i = 0;

	while (i + 1 < n && fabs(magnitude) / steps[i].factor >= 999.5)
		i++;
	return steps[i];
}

struct scale scale_of(const char *unit, double magnitude)
{
	const char *name = unit ? unit : "";
	struct step step;

	if (!strcmp(name, "ns"))
		step = PICK(times);
	else if (!strcmp(name, "bytes"))
		step = PICK(bytes);
	else
		step = PICK(plain);
	if (!strcmp(name, "ns") || !strcmp(name, "bytes") || !strcmp(name, "1"))
		name = "";
	return (struct scale){ step.factor, step.prefix, name };
}

void scale_unit(const struct scale *scale, struct buf *out)
{
	buf_adds(out, scale->prefix);
	if (*scale->prefix && *scale->unit)
		buf_addc(out, ' ');
	buf_adds(out, scale->unit);
}

void scale_value(double value, const char *unit, struct buf *out)
{
	struct scale scale = scale_of(unit, value);
	char text[NUMBER_TEXT];
	double shown;
	size_t before;

	if (!isfinite(value)) {
		buf_adds(out, "-");
		return;
	}
	if (unit && !strcmp(unit, "ns")) {
		buf_adds(out, number_print_ns(value, text));
		return;
	}
	shown = value / scale.factor;
	if (fabs(shown) >= 1e6 || fabs(shown) < 0.0995)
		buf_addf(out, "%.3g", shown);
	else if (fabs(shown) >= 99.95 || (scale.factor <= 1 && shown == floor(shown)))
		buf_addf(out, "%.0f", shown);
	else if (fabs(shown) >= 9.995)
		buf_addf(out, "%.1f", shown);
	else
		buf_addf(out, "%.2f", shown);
	before = out->len;
	buf_addc(out, ' ');
	scale_unit(&scale, out);
	if (out->len == before + 1)
		buf_truncate(out, before);
}
