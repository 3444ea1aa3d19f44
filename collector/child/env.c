#include "collector/child/env.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/banned.h"

/* A name, or the start of names when it ends in '*'. */
static const char *const allowed[] = {
	"PATH",
	"HOME",
	"USER",
	"LOGNAME",
	"SHELL",
	"TMPDIR",
	"TZ",
	"LANG",
	"LC_*",
	"TERM",
	"CC",
	"CXX",
	"CFLAGS",
	"CXXFLAGS",
	"CPPFLAGS",
	"LDFLAGS",
	"MAKEFLAGS",
	"PKG_CONFIG_PATH",
	"BENCH_*",
	"LD_LIBRARY_PATH",
	"XDG_*",
	"ASAN_OPTIONS",
	"UBSAN_OPTIONS",
};

static bool is_allowed(const char *entry)
{
	size_t i, n = strcspn(entry, "=");

	for (i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++) {
		size_t len = strlen(allowed[i]);

		if (allowed[i][len - 1] == '*' ? !strncmp(entry, allowed[i], len - 1)
					       : len == n && !strncmp(entry, allowed[i], n))
			return true;
	}
	return false;
}

int child_env(struct strv *out, struct err *err)
{
	char **entry;

	for (entry = environ; entry && *entry; entry++)
		if (is_allowed(*entry) && strv_add(out, *entry, err))
			return -1;
	return 0;
}

int child_env_of_side(const struct side *side, struct strv *out, struct err *err)
{
	const char *ours = getenv("LD_LIBRARY_PATH");
	struct strv plain = STRV_INIT;
	size_t i;
	int result = -1;

	if (!side->library_path)
		return child_env(out, err);
	if (child_env(&plain, err))
		goto out;
	for (i = 0; i < plain.n; i++)
		if (!str_starts(plain.v[i], "LD_LIBRARY_PATH=") && strv_add(out, plain.v[i], err))
			goto out;
	if (strv_addf(out, err, "LD_LIBRARY_PATH=%s%s%s", side->library_path,
		      ours && *ours ? ":" : "", ours ? ours : "") ||
	    (side->preload && strv_addf(out, err, "LD_PRELOAD=%s", side->preload)))
		goto out;
	result = 0;
out:
	strv_release(&plain);
	return result;
}
