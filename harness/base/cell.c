/* SPDX-License-Identifier: MIT */
#include "harness/base/cell.h"

#include "harness/base/text.h"

struct scale {
	double factor;
	const char *unit;
};

static void write_scaled(char *out, size_t size, double value, const struct scale *scale, size_t n,
			 const char *unit)
{
	struct text t;
	size_t i = 0;
	pawl_text_init(&t, out, size);
	if (!(value - value == 0)) {
		pawl_text_add(&t, "-");
		return;
	}
	/* 999.95 would be printed as 1000.0 of the smaller unit. */
	while (i + 1 < n && value / scale[i].factor >= 999.95)
		i++;
	value /= scale[i].factor;
	pawl_text_fixed(&t, value, value < 9.9995 ? 3 : value < 99.995 ? 2 : 1);
	pawl_text_add(&t, scale[i].unit[0] || unit[0] ? " " : "");
	pawl_text_add(&t, scale[i].unit);
	pawl_text_add(&t, unit);
}

void pawl_cell_time(char *out, size_t size, double ns)
{
	static const struct scale scale[] = {
		{ 1, "ns" }, { 1e3, "us" }, { 1e6, "ms" }, { 1e9, "s" }
	};
	write_scaled(out, size, ns, scale, 4, "");
}

void pawl_cell_count(char *out, size_t size, double value, const char *unit)
{
	static const struct scale scale[] = {
		{ 1, "" }, { 1e3, "k" }, { 1e6, "M" }, { 1e9, "G" }, { 1e12, "T" }
	};
	write_scaled(out, size, value, scale, 5, unit);
}

void pawl_cell_percent(char *out, size_t size, double ratio)
{
	struct text t;
	double percent = 100 * ratio;
	pawl_text_init(&t, out, size);
	if (!(percent - percent == 0)) {
		pawl_text_add(&t, "-");
		return;
	}
	pawl_text_fixed(&t, percent, percent < 9.995 ? 2 : 1);
	pawl_text_add(&t, " %");
}

int pawl_cell_width(const char *s)
{
	int width = 0;
	for (; *s; s++)
		width += ((unsigned char)*s & 0xc0) != 0x80;
	return width;
}
