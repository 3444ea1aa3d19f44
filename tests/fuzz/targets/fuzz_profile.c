/* What callgrind wrote, or somebody else. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "lib/profile/profile_diff.h"

#include "lib/base/banned.h"

static void hold(const struct profile *p)
{
	double sum = 0;
	size_t i, k;

	for (i = 0; i < p->n; i++) {
		const struct profile_function *f = &p->functions[i];
		double lines = 0;

		must(f->name && f->object && f->file);
		must(f->inclusive <= p->total && f->self <= f->inclusive);
		for (k = 0; k < f->n_lines; k++)
			lines += f->lines[k].self;
		must(lines == f->self);
		sum += f->self;
	}
	must(sum == p->total);
}

static void hold_difference(const struct profile *p)
{
	struct profile none;
	struct profile_diff diff;
	struct line_delta *lines;
	size_t n;

	must(!profile_diff(p, p, &diff, NULL) && !diff.n);
	profile_diff_release(&diff);
	must(!profile_subtract(p, p, 1, &none, NULL) && !none.n && none.total == 0);
	must(!profile_diff(&none, p, &diff, NULL) && diff.n <= p->n);
	if (diff.n) {
		must(!profile_line_diff(&diff.v[0], NULL, NULL, &lines, &n, NULL));
		must(n <= diff.v[0].head->n_lines);
		free(lines);
	}
	profile_diff_release(&diff);
	profile_release(&none);
}

static bool is_file(const void *ctx, const char *name)
{
	(void)ctx;
	return strlen(name) % 2;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct err err = ERR_INIT;
	struct profile p;

	if (profile_parse((const char *)data, n, &p, &err)) {
		must(err.code != ERR_NONE && fuzz_is_line(err.text));
		return 0;
	}
	fuzz_accept();
	hold(&p);
	hold_difference(&p);
	profile_strip(&p, "/tmp", is_file, NULL);
	profile_strip(&p, "", NULL, NULL);
	(void)profile_is_stripped(&p);
	profile_release(&p);
	return 0;
}
