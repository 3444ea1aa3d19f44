#include "collector/survey/places.h"

#include <string.h>
#include <strings.h>

#include "lib/base/strv.h"

#include "lib/base/banned.h"

/* Whether one of the folders above the file is in the list, which NULL ends. */
static bool is_below(const char *path, const char *const *names)
{
	size_t i, n;

	for (; strchr(path, '/'); path += n + 1) {
		n = strcspn(path, "/");
		for (i = 0; names[i]; i++)
			if (strlen(names[i]) == n && !memcmp(names[i], path, n))
				return true;
	}
	return false;
}

bool place_is_benchmark(const char *path)
{
	static const char *const words[] = { "bench", "perf" };
	static const char *const folders[] = { "bench", "benches", "benchmark", "benchmarks",
					       NULL };
	const char *name = path_base(path), *p;
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		for (p = name; (p = strstr(p, words[i])); p++)
			if (p == name || strchr("-_./", p[-1]) || !p[strlen(words[i])])
				return true;
	return is_below(path, folders);
}

bool place_is_test(const char *path)
{
	static const char *const words[] = { "test", "check", "example", "spec", "demo" };
	static const char *const folders[] = { "test",	   "tests", "t",     "check",
					       "examples", "spec",  "demos", NULL };
	const char *name = path_base(path), *p;
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		for (p = name; (p = strstr(p, words[i])); p++)
			if (p == name || strchr("-_.", p[-1]) || !p[strlen(words[i])] ||
			    !strcmp(p + strlen(words[i]), "s"))
				return true;
	return is_below(path, folders);
}

bool place_is_of_results(const char *path)
{
	static const char *const words[] = { "plot",  "graph", "chart",	 "draw",      "extract",
					     "table", "html",  "report", "summarize", "results" };
	const char *name = path_base(path);
	size_t i, n;

	for (; *name; name += n + (name[n] != '\0')) {
		n = strcspn(name, "_-.");
		for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (strlen(words[i]) == n && !strncasecmp(name, words[i], n))
				return true;
	}
	return false;
}

bool place_is_foreign(const char *path)
{
	static const char *const folders[] = { "third_party",  "third-party", "3rdparty",
					       "vendor",       "external",    "extern",
					       "deps",	       "testdata",    "submodules",
					       "node_modules", "doc",	      "docs",
					       "man",	       NULL };

	return is_below(path, folders);
}

bool place_is_aside(const char *path)
{
	static const char *const folders[] = { "test", "tests", "example", "examples", "contrib",
					       "doc",  "docs",	"fuzz",	   "packages", "pkg",
					       "ci",   "tools", "scripts", NULL };

	return is_below(path, folders);
}

size_t place_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) : 0;
}

size_t place_depth(const char *path)
{
	size_t n = 0;

	for (; *path; path++)
		n += *path == '/';
	return n;
}
