/*
 * plot_fixture - two small samples for the tests of the plots.
 */
#ifndef PAWL_TESTS_UNIT_REPORTER_PLOT_PLOT_FIXTURE_H
#define PAWL_TESTS_UNIT_REPORTER_PLOT_PLOT_FIXTURE_H

#include "tests/unit/reporter_fixture.h"

#include "reporter/plot/plot.h"

static const double slow[] = { 1.3e6, 1.1e6, 1.2e6, 1.4e6 };
static const double fast[] = { 1.0e6, 1.3e6, 1.1e6, 1.2e6 };

static inline struct plot_cdf cdf(const double *base, size_t n_base, const double *head,
				  size_t n_head)
{
	return (struct plot_cdf){ .title = "deflate/6",
				  .metric = "cpu",
				  .unit = "ns",
				  .base_name = "0f1e2d3",
				  .head_name = "a1b2c3d",
				  .base = base,
				  .head = head,
				  .n_base = n_base,
				  .n_head = n_head };
}

/* Every element is closed in the order it was opened; no "<" or "&" stands alone. */
static inline void is_well_formed(const char *xml)
{
	const char *open[16], *p, *end;
	size_t depth = 0, length;

	for (p = xml; *p; p++) {
		assert_true((unsigned char)*p >= 0x20 || *p == '\n');
		if (*p == '&') {
			end = p + strcspn(p, "; <");
			assert_int_equal(';', *end);
		}
		if (*p != '<')
			continue;
		end = p + strcspn(p, ">");
		assert_int_equal('>', *end);
		length = strcspn(p + 1 + (p[1] == '/'), " />\n");
		if (p[1] == '/') {
			assert_true(depth > 0);
			depth--;
			assert_memory_equal(open[depth], p + 2, length);
		} else if (end[-1] != '/') {
			assert_true(depth < 16);
			open[depth++] = p + 1;
		}
		p = end;
	}
	assert_int_equal(0, depth);
}

#endif
