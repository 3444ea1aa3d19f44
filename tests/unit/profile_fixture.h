/* What the tests of lib/profile share. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/profile/profile.h"

static inline void parse(const char *text, struct profile *out)
{
	struct err err = ERR_INIT;

	if (profile_parse(text, strlen(text), out, &err))
		fail_msg("not parsed: %s", err.text);
}

static inline const struct profile_function *find(const struct profile *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (!strcmp(p->functions[i].name, name))
			return &p->functions[i];
	fprintf(stderr, "no function '%s'\n", name);
	abort();
}

static inline void expect_cost(const struct profile *p, const char *name, double self,
			       double inclusive)
{
	const struct profile_function *f = find(p, name);

	assert_true(f->self == self);
	assert_true(f->inclusive == inclusive);
}
