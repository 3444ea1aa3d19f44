#include "collector/compare/way.h"

#include <string.h>

#include "lib/base/banned.h"

#define OF_A_NAME "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
#define SHORT_ID 7 /* digits of a commit */

bool compare_way_is_given(const struct compare_way *way)
{
	return way->command || way->build || (way->env && way->env->n);
}

bool compare_ways_are_given(const struct compare_way *base, const struct compare_way *head)
{
	return compare_way_is_given(base) || compare_way_is_given(head);
}

size_t compare_way_variable(const char *entry)
{
	size_t n = strspn(entry, OF_A_NAME);

	return entry[n] == '=' && (*entry < '0' || *entry > '9') ? n : 0;
}

bool compare_way_is_twice(const struct strv *entries, size_t i)
{
	size_t n = compare_way_variable(entries->v[i]) + 1, k;

	for (k = 0; k < i; k++)
		if (!strncmp(entries->v[k], entries->v[i], n))
			return true;
	return false;
}

/* A name of the list, or one that begins with an entry which ends in '*'. */
static bool is_one_of(const char *const *names, const char *entry)
{
	for (; *names; names++) {
		size_t n = strlen(*names);

		if ((*names)[n - 1] == '*' ? !strncmp(entry, *names, n - 1)
					   : !strncmp(entry, *names, n) && entry[n] == '=')
			return true;
	}
	return false;
}

bool compare_way_builds(const char *entry)
{
	static const char *const of_runs[] = {
		"LD_LIBRARY_PATH", "LD_PRELOAD",     "LD_AUDIT", "LD_BIND_NOW",
		"MALLOC_*",	   "GLIBC_TUNABLES", NULL
	};

	return !is_one_of(of_runs, entry);
}

bool compare_way_runs(const char *entry)
{
	static const char *const of_builds[] = { "CC",	     "CXX",	  "CPP",     "LD",
						 "AR",	     "AS",	  "CFLAGS",  "CXXFLAGS",
						 "CPPFLAGS", "LDFLAGS",	  "LDLIBS",  "FC",
						 "FFLAGS",   "MAKEFLAGS", "CMAKE_*", "RUSTFLAGS",
						 "CARGO_*",  "CGO_*",	  "GOFLAGS", NULL };

	return !is_one_of(of_builds, entry);
}

int compare_way_env(const struct compare_way *way, bool builds, struct strv *out, struct err *err)
{
	size_t i;

	for (i = 0; way->env && i < way->env->n; i++) {
		const char *entry = way->env->v[i];

		if ((builds ? compare_way_builds(entry) : compare_way_runs(entry)) &&
		    strv_add(out, entry, err))
			return -1;
	}
	return 0;
}

static bool has_all(const struct compare_way *a, const struct compare_way *b)
{
	size_t i;

	for (i = 0; a->env && i < a->env->n; i++)
		if (compare_way_runs(a->env->v[i]) && !(b->env && strv_has(b->env, a->env->v[i])))
			return false;
	return true;
}

bool compare_way_same_runs(const struct compare_way *a, const struct compare_way *b)
{
	return has_all(a, b) && has_all(b, a);
}

void compare_way_name(const struct compare_way *way, const char *commit, const char *build,
		      struct buf *out)
{
	const char *what = way->text ? way->text : way->build ? way->build : build;
	size_t n = way->env ? way->env->n : 0, i;

	if (commit)
		buf_addf(out, "%.*s: ", SHORT_ID, commit);
	for (i = 0; i < n; i++)
		buf_addf(out, "%s%s", i ? " " : "", way->env->v[i]);
	if (what)
		buf_addf(out, "%s%s", n ? " " : "", what);
	else if (!n)
		buf_adds(out, "as configured");
}
